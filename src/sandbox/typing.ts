// Checks the types of check files, with Deno's own checker in a process of its own. Nothing is run.

import { cellEnvironment, type Environment } from "../command/environment.ts";
import type { ProcessGroups } from "../command/groups.ts";
import { run } from "../command/run.ts";
import type { OsSandbox } from "../confinement/confinement.ts";
import { denoProgram } from "../deno_program.ts";
import { fileUrl } from "../path.ts";
import { denoFolder, QUIET, runtimeFolders, STRANGERS_PATH } from "./cell_program.ts";
import { parseTypeMistakes, type TypeMistake } from "./typing_mistakes.ts";

/** What is checked, and how it is kept. */
export interface TypeCheckOptions {
  /** The tests folder; absolute and real. */
  tests: string;
  /** Absolute paths of check files. */
  files: readonly string[];
  importMap: Readonly<Record<string, string>>;
  groups: ProcessGroups;
  memoryMiB: number;
  /**
   * Strangers wrote the files: nothing is downloaded for them, and no file beside the tests folder is
   * seen, since a message quotes what it is about.
   */
  areStrangers: boolean;
  /** What strangers are confined by; without one nothing of theirs is checked. */
  osSandbox: OsSandbox | null;
  signal?: AbortSignal;
}

/** What the checker found. */
export interface TypeCheck {
  mistakes: TypeMistake[];
  /** Why there is no answer; absent: there is one. */
  failure?: string;
}

/** Seconds for all files; types can be made to take for ever. */
const TIMEOUT_SEC = 120;

/** Most bytes of messages. */
const MAX_OUTPUT_BYTES = 1024 * 1024;

/** Checks the types of files and of what they import from the tests folder. */
export async function checkTypes(options: TypeCheckOptions): Promise<TypeCheck> {
  const { groups, areStrangers, osSandbox, importMap, signal } = options;
  if (areStrangers && osSandbox === null) {
    return { mistakes: [], failure: "without a sandbox of the system that is for trusted files" };
  }
  if (
    Deno.build.standalone || !Object.values(importMap).some((url) => url.endsWith("/checks.ts"))
  ) {
    return { mistakes: [], failure: "this copy of Reward Kit comes without its types" };
  }
  const { argv, env } = checker(options);
  const { code, stderr, timedOut, truncated } = await run(argv, {
    cwd: "/",
    timeoutSec: TIMEOUT_SEC,
    env,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    endsGroup: true,
    groups,
    ...(signal !== undefined && { signal }),
  });
  const mistakes = parseTypeMistakes(stderr, options.tests);
  if (timedOut) return { mistakes, failure: `they took more than ${TIMEOUT_SEC} s` };
  if (truncated) return { mistakes, failure: "there are more messages than are kept" };
  if (code === 0 || mistakes.length > 0) return { mistakes };
  return { mistakes, failure: firstLine(stderr) || `the checker ended with code ${code}` };
}

/** Argument list and whole environment of the checker's process. */
function checker(
  options: TypeCheckOptions,
): { argv: string[]; env: Environment } {
  const { tests, areStrangers, osSandbox, memoryMiB } = options;
  const program = [denoProgram(), ...flags(options), ...options.files.map(fileUrl)];
  const env = cellEnvironment(QUIET);
  if (!areStrangers || osSandbox === null) return { argv: program, env };
  const denoDir = denoFolder(env);
  const argv = osSandbox.wrap(program, {
    read: [denoProgram(), denoDir, ...runtimeFolders(), tests],
    write: [],
    net: false,
    cwd: "/tmp",
    memoryMiB,
  });
  return { argv, env: { ...QUIET, DENO_DIR: denoDir, HOME: "/tmp", PATH: STRANGERS_PATH } };
}

function flags({ importMap, areStrangers, memoryMiB }: TypeCheckOptions): string[] {
  const map = encodeURIComponent(JSON.stringify({ imports: importMap }));
  return [
    "check",
    "--quiet",
    "--no-config",
    "--no-lock",
    ...(areStrangers ? ["--cached-only", "--no-npm"] : []),
    `--v8-flags=--max-old-space-size=${memoryMiB}`,
    `--import-map=data:application/json,${map}`,
  ];
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0]!.replace(/^error: /, "");
}
