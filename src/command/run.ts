// Runs a program for a criterion: with a time limit, bounded output, and nothing left uncontrolled.

import type { CommandResult } from "../criterion/builtin.ts";
import { CriterionError, type RewardKitError, SubmissionError } from "../errors.ts";
import { deadline } from "../deadline.ts";
import { isWithin } from "../path.ts";
import { commandEnvironment, type Environment } from "./environment.ts";
import { requireFolder } from "./folder.ts";
import { ProcessGroups, RUN_VARIABLE } from "./groups.ts";
import { Output } from "./output.ts";
import { startProgram } from "../own_children.ts";

/** Most bytes that are kept of stdout, and of stderr, unless the run says otherwise: 16 MiB. */
export const DEFAULT_MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** How a program is run. */
export interface RunOptions {
  /** Absolute path of the folder it starts in. */
  cwd: string;
  /** A program that is named by a path below it is the graded work's. Default: `cwd`. */
  workspace?: string;
  /** Seconds, more than 0, after which it is killed with everything in its group. */
  timeoutSec: number;
  /** What it can read from stdin. Default: nothing. */
  stdin?: string | Uint8Array;
  /** Its whole environment. Default: {@link commandEnvironment}. */
  env?: Environment;
  /** Most bytes of stdout, and of stderr; a program that prints more is killed. */
  maxOutputBytes?: number;
  /** Kills it, and rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Kills it as well, but what it has printed is still returned. */
  stop?: AbortSignal;
  /** Whether what it leaves in the background is killed when it ends. Default: it lives on. */
  endsGroup?: boolean;
  /** Where its group is listed, to be ended with the run. */
  groups: ProcessGroups;
}

/**
 * Runs a program in a session and process group of its own and waits for it to end. What it leaves
 * in the background is not waited for, also if it holds the program's output open: it lives on
 * until the run ends (`groups.endAll()`).
 *
 * @throws {SubmissionError} If `cwd` is not there, or the program is a file of the graded work
 * that is absent or cannot be started.
 * @throws {CriterionError} If any other program cannot be started.
 *
 * @example
 * ```ts
 * import { ProcessGroups } from "./groups.ts";
 * import { run } from "./run.ts";
 * import assert from "node:assert/strict";
 *
 * const groups = new ProcessGroups();
 * const argv = ["sh", "-c", "echo hello; exit 3"];
 * const result = await run(argv, { cwd: "/", timeoutSec: 30, groups });
 * assert.equal(result.stdout, "hello\n");
 * assert.equal(result.code, 3);
 * ```
 */
export async function run(argv: readonly string[], options: RunOptions): Promise<CommandResult> {
  const { signal, stop, groups, maxOutputBytes = DEFAULT_MAX_OUTPUT_BYTES } = options;
  signal?.throwIfAborted();
  const child = spawn(argv, options, groups);
  const group = child.pid;

  const kill = () => groups.kill(group);
  const stdout = new Output(child.stdout, maxOutputBytes, kill);
  const stderr = new Output(child.stderr, maxOutputBytes, kill);
  const stopFeeding = options.stdin === undefined ? () => {} : feed(child.stdin, options.stdin);
  const close = () => {
    stdout.close();
    stderr.close();
  };
  groups.add(group, close);

  let timedOut = false;
  const limit = deadline(options.timeoutSec, () => {
    timedOut = true;
    kill();
  });
  signal?.addEventListener("abort", kill);
  stop?.addEventListener("abort", kill);
  if (stop?.aborted) kill();
  let code: number;
  try {
    code = (await child.status).code;
  } finally {
    limit.cancel();
    signal?.removeEventListener("abort", kill);
    stop?.removeEventListener("abort", kill);
    stopFeeding();
    if (options.endsGroup === true) kill();
  }
  await Promise.all([stdout.settle(), stderr.settle()]);
  const out = stdout.take();
  const err = stderr.take();
  const truncated = out.truncated || err.truncated;
  if (timedOut || truncated || signal?.aborted || stop?.aborted) close();
  groups.forgetIfEmpty(group);
  signal?.throwIfAborted();
  return { code, stdout: out.text, stderr: err.text, timedOut, truncated };
}

function spawn(
  argv: readonly string[],
  options: RunOptions,
  groups: ProcessGroups,
): Deno.ChildProcess {
  const [program, ...args] = argv;
  if (program === undefined) throw new CriterionError("there is no program to run");
  const cwd = requireFolder(options.cwd);
  groups.expectPrograms();
  try {
    return startProgram(program, {
      args,
      cwd,
      clearEnv: true,
      env: { ...(options.env ?? commandEnvironment()), [RUN_VARIABLE]: groups.mark },
      stdin: options.stdin === undefined ? "null" : "piped",
      stdout: "piped",
      stderr: "piped",
      // A session and group of its own, so that it can be killed with everything it started. Costs
      // a real fork: some milliseconds for every 100 MB that this process holds.
      detached: true,
    });
  } catch (error) {
    throw startError(program, options.workspace ?? cwd, error);
  }
}

/** Writes all of it, without anybody waiting: a program need not read. Returns what stops it. */
function feed(stdin: WritableStream<Uint8Array>, content: string | Uint8Array): () => void {
  const writer = stdin.getWriter();
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  writer.write(bytes).then(() => writer.close()).catch(() => {});
  return () => void writer.abort().catch(() => {});
}

/** A program that is not searched for but named by its path may be what the agent should make. */
function startError(program: string, workspace: string, error: unknown): RewardKitError {
  const ofWorkspace = program.includes("/") &&
    (!program.startsWith("/") || isWithin(program, workspace));
  const problem = error instanceof Deno.errors.NotFound
    ? "does not exist"
    : error instanceof Deno.errors.PermissionDenied
    ? "is not executable"
    : `cannot be started: ${error instanceof Error ? error.message : String(error)}`;
  if (ofWorkspace) return new SubmissionError(`"${program}" ${problem}`, { cause: error });
  return new CriterionError(`program "${program}" ${problem}`, {
    cause: error,
    hint: "Install it where the checks run, or check its spelling and PATH.",
  });
}
