// Runs the recorded tests folders through the command line.

import { type CliRun, rewardkit } from "../cli.ts";
import { type LayoutCase, type RecordedFiles, workspaceWithModes } from "./recorded.ts";
import { checkFile } from "./source.ts";

/** What came of a layout here. */
export interface LayoutOutcome {
  code: number;
  reward: Record<string, number> | null;
  // deno-lint-ignore no-explicit-any -- any part of reward-details.json
  details: Record<string, any> | null;
  // deno-lint-ignore no-explicit-any
  discovered: any[] | null;
  /** Of a run of its own; of others it is empty. */
  stdout: string;
  stderr: string;
  /** Which of the looked-for files were in the workspace after the run. */
  exists: Record<string, boolean>;
}

/** Runs at the same time that are not part of a larger one. */
const AT_ONCE = 2;

/**
 * How a layout is run: as a suite of one run that lists or scores all of them, as a suite of one
 * in which every suite has an error, or alone, because it would spoil either.
 */
export type Run = "listed" | "scored" | "failing" | "alone";

/** Grades or lists every layout. */
export async function gradeLayouts(
  layouts: readonly LayoutCase[],
  runOf: (layout: LayoutCase) => Run,
): Promise<Map<string, LayoutOutcome>> {
  const root = await Deno.makeTempDir({ prefix: "rewardkit-layouts-" });
  using workspace = workspaceWithModes();
  try {
    for (const layout of layouts) await writeLayout(`${root}/${layout.id}`, layout);
    const { listed = [], scored = [], failing = [], alone = [] } = Object.groupBy(layouts, runOf);
    const outcomes = new Map([
      ...await listTogether(root, listed, workspace.path),
      ...await gradeTogether(root, scored, workspace.path),
      ...await gradeTogether(root, failing, workspace.path),
    ]);
    const waiting = [...alone];
    await Promise.all(Array.from({ length: AT_ONCE }, async () => {
      for (let layout = waiting.shift(); layout !== undefined; layout = waiting.shift()) {
        outcomes.set(layout.id, await gradeAlone(`${root}/${layout.id}`, layout, workspace.path));
      }
    }));
    return outcomes;
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

/** A suite is called as its layout is. */
function place(root: string, { id }: LayoutCase): string {
  return `${root}/${id}/tests/${id}`;
}

async function listTogether(
  root: string,
  layouts: readonly LayoutCase[],
  workspace: string,
): Promise<[string, LayoutOutcome][]> {
  const folders = layouts.map((layout) => place(root, layout));
  await using run = await rewardkit(["discover", ...folders, "--json", "--workspace", workspace]);
  if (run.stdout === "") throw new Error(`Nothing was discovered:\n${run.stderr.slice(-2000)}`);
  const discovered = JSON.parse(run.stdout);
  return layouts.map(({ id }) => [id, { ...nothing(run.code), discovered: discovered[id] }]);
}

async function gradeTogether(
  root: string,
  layouts: readonly LayoutCase[],
  workspace: string,
): Promise<[string, LayoutOutcome][]> {
  const folders = layouts.map((layout) => place(root, layout));
  const options = ["--pass-mark", "1", "--workspace", workspace];
  await using run = await rewardkit([...folders, ...options]);
  if (run.details === null) throw new Error(`Nothing was graded:\n${run.stderr.slice(-2000)}`);
  return layouts.map(({ id }) => [id, {
    ...nothing(run.code),
    reward: run.reward === null ? null : within(id, run.reward),
    details: within(id, run.details!),
  }]);
}

function nothing(code: number): LayoutOutcome {
  return {
    code,
    reward: null,
    details: null,
    discovered: null,
    stdout: "",
    stderr: "",
    exists: {},
  };
}

function within<T>(suite: string, values: Readonly<Record<string, T>>): Record<string, T> {
  const own = Object.entries(values).filter(([key]) => key.startsWith(`${suite}/`));
  return Object.fromEntries(own.map(([key, value]) => [key.slice(suite.length + 1), value]));
}

async function gradeAlone(
  place: string,
  layout: LayoutCase,
  shared: string,
): Promise<LayoutOutcome> {
  const { id, mode, suites, after } = layout;
  const folders = suites === undefined
    ? [`${place}/tests/${id}`]
    : Object.keys(suites).map((name) => `${place}/tests/${name}`);
  const workspace = typeof layout.workspace === "object" ? `${place}/workspace` : shared;
  await using run: CliRun = mode === "discover"
    ? await rewardkit(["discover", ...folders, "--json", "--workspace", workspace])
    : await rewardkit([...folders, "--pass-mark", "1", "--workspace", workspace]);
  const { code, reward, details, stdout, stderr } = run;
  return {
    code,
    reward,
    details,
    discovered: mode === "discover" && code === 0 ? JSON.parse(stdout) : null,
    stdout,
    stderr,
    exists: Object.fromEntries(
      await Promise.all(
        (after?.exists ?? []).map(async (path) =>
          [path, await Deno.lstat(`${workspace}/${path}`).then(() => true, () => false)] as const
        ),
      ),
    ),
  };
}

async function writeLayout(place: string, layout: LayoutCase): Promise<void> {
  const suites = layout.suites ?? { [layout.id]: layout.files };
  for (const [name, files] of Object.entries(suites)) {
    await Deno.mkdir(`${place}/tests`, { recursive: true });
    if (files !== null) await writeFiles(`${place}/tests/${name}`, files);
  }
  if (typeof layout.workspace === "object") {
    await writeFiles(`${place}/workspace`, layout.workspace);
  }
}

async function writeFiles(folder: string, files: RecordedFiles): Promise<void> {
  await Deno.mkdir(folder);
  for (const [name, content] of Object.entries(files)) {
    const isCheckFile = typeof content === "object" && content.calls !== undefined;
    const path = `${folder}/${name}${isCheckFile ? ".ts" : ""}`;
    const parent = typeof content === "object" && content.dir
      ? path
      : path.slice(0, path.lastIndexOf("/"));
    await Deno.mkdir(parent, { recursive: true });
    if (typeof content === "string") await Deno.writeTextFile(path, content);
    else if (isCheckFile) await Deno.writeTextFile(path, checkFile(name, content.calls!, files));
  }
}
