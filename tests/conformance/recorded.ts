// The recorded cases of the original, as they stand in fixtures/conformance.

import { recordedWorkspace } from "../../criteria/conformance_workspace.ts";

const FIXTURES = new URL("../../fixtures/conformance/", import.meta.url);

/** A value as it was recorded: JSON, with tags such as `{"$float": "inf"}` for what JSON lacks. */
export type Recorded =
  | null
  | boolean
  | number
  | string
  | readonly Recorded[]
  | { readonly [key: string]: Recorded };

/** What the package wrote or raised. */
export interface RecordedResult {
  value?: number;
  raw?: Recorded;
  /** Exception classes, the outermost first. */
  error?: string;
}

/** One call of a criterion. */
export interface CriterionCase {
  id: string;
  criterion: string;
  args: readonly Recorded[];
  kwargs: Readonly<Record<string, Recorded>>;
  expected: RecordedResult;
  /** `null` if it was never reached, or holds the path of the workspace. */
  name: string | null;
  warned: boolean;
  after?: { delay_ms?: number; exists: Record<string, boolean> };
}

/** A line of a check file. */
export interface RecordedCall {
  criterion?: string;
  args?: readonly Recorded[];
  kwargs?: Readonly<Record<string, Recorded>>;
  /** Name of a custom criterion that is defined here. */
  define?: string;
  params?: number;
  returns?: Recorded;
  shared?: boolean;
  /** The file raises this while it is loaded. */
  raise?: string;
}

/** Files of a tests folder; check files without their extension. */
export type RecordedFiles = Readonly<
  Record<string, string | { dir?: boolean; calls?: readonly RecordedCall[] }>
>;

/** One tests folder, or several. */
export interface LayoutCase {
  id: string;
  /** `null`: there is no tests folder. */
  files: RecordedFiles | null;
  suites?: Readonly<Record<string, RecordedFiles>>;
  mode?: "discover";
  workspace?: "shared" | Readonly<Record<string, string>>;
  after?: { exists: readonly string[] };
  expected: {
    reward?: Record<string, number>;
    per_suite?: Record<string, Record<string, number>>;
    // deno-lint-ignore no-explicit-any -- any part of reward-details.json
    details_shape?: Record<string, any> | null;
    // deno-lint-ignore no-explicit-any
    discovered?: any[];
    comparison?: string;
    after_exists?: Record<string, boolean>;
    /** Number of warnings. */
    warnings?: number;
    /** Exception class. */
    error?: string;
    chain?: string;
  };
}

export const criterionCases: readonly CriterionCase[] = read("criteria.jsonl");
export const layoutCases: readonly LayoutCase[] = read("layouts.jsonl");

/** Routes of the web server that the HTTP cases ask. */
export function httpRoutes<T>(): T {
  return JSON.parse(Deno.readTextFileSync(new URL("http_routes.json", FIXTURES)));
}

/** A fresh workspace with the recorded modes, which a checkout need not keep. */
export function workspaceWithModes(): { path: string } & Disposable {
  const workspace = recordedWorkspace();
  const { modes } = JSON.parse(
    Deno.readTextFileSync(new URL("workspace_manifest.json", FIXTURES)),
  ) as { modes: Record<string, string> };
  for (const [file, mode] of Object.entries(modes)) {
    Deno.chmodSync(`${workspace.path}/${file}`, parseInt(mode, 8));
  }
  return workspace;
}

function read<T>(file: string): T[] {
  return Deno.readTextFileSync(new URL(file, FIXTURES)).trimEnd().split("\n")
    .map((line) => JSON.parse(line));
}
