// `--watch`: grades again whenever the tests folder or the workspace has changed.

import { isWithin, nameOf, parentOf } from "../path.ts";

/** What is watched, and what is done about it. Paths are absolute and real. */
export interface Watch {
  tests: readonly string[];
  workspace: string;
  /** What grading writes; changes there are its own. */
  outputs: readonly string[];
  /**
   * Grades once. Never rejects: what goes wrong is shown. Ends early, and shows nothing more, when
   * the signal is aborted.
   */
  grade(signal: AbortSignal): Promise<void>;
  /** Called before every grading but the first. */
  onAgain(): void;
  /** Called when there is nothing to do until something changes. */
  onIdle(): void;
  /** Ends it. */
  signal: AbortSignal;
}

/** Milliseconds without a change before grading starts: an editor saves in several steps. */
const QUIET_MS = 100;

/** Milliseconds after grading in which changes of the workspace are still its own. */
const SETTLE_MS = 200;

/** Folders that tools fill on their own. */
const CACHES = [".git", "node_modules", "__pycache__"];

/**
 * Grades, and grades again after each change, until the signal is aborted. A change of the tests
 * folder ends a grading that runs. What changes in the workspace while it is graded is taken for the
 * doing of the checks.
 *
 * @throws If the folders cannot be watched.
 */
export async function watch(watch: Watch): Promise<void> {
  const { tests, workspace, outputs, signal } = watch;
  const watcher = Deno.watchFs([...tests, workspace]);
  let run = start(watch);
  let quiet: ReturnType<typeof setTimeout> | undefined;
  const again = async () => {
    run.stop.abort();
    await run.ended;
    if (signal.aborted) return;
    watch.onAgain();
    run = start(watch);
  };
  const end = () => watcher.close();
  signal.addEventListener("abort", end);
  try {
    if (signal.aborted) end();
    for await (const { kind, paths } of watcher) {
      if (kind === "access") continue;
      const changed = paths.filter((path) => counts(path, watch) && !isOutput(path, outputs));
      const isOfTests = changed.some((path) => tests.some((folder) => isWithin(path, folder)));
      if (changed.length === 0 || run.isBusy && !isOfTests) continue;
      clearTimeout(quiet);
      quiet = setTimeout(again, QUIET_MS);
    }
  } finally {
    clearTimeout(quiet);
    signal.removeEventListener("abort", end);
    run.stop.abort();
    await run.ended;
  }
}

interface Run {
  stop: AbortController;
  /** The workspace changes because of it. */
  isBusy: boolean;
  ended: Promise<void>;
}

function start({ grade, onIdle, signal }: Watch): Run {
  const stop = new AbortController();
  const run: Run = { stop, isBusy: true, ended: Promise.resolve() };
  const grading = async () => {
    await grade(AbortSignal.any([signal, stop.signal]));
    if (stop.signal.aborted || signal.aborted) return;
    onIdle();
    setTimeout(() => run.isBusy = false, SETTLE_MS);
  };
  run.ended = grading();
  return run;
}

/** Whether a path can make a difference: discovery leaves hidden files of the tests folder out. */
function counts(path: string, { tests, workspace }: Watch): boolean {
  const folder = tests.find((folder) => isWithin(path, folder));
  const names = path.slice((folder ?? workspace).length + 1).split("/");
  return !names.some((name) =>
    CACHES.includes(name) || folder !== undefined && name.startsWith(".")
  );
}

/** One of the files, or what one is on its way to its place. */
function isOutput(path: string, outputs: readonly string[]): boolean {
  const folder = parentOf(path);
  const isTemporary = /^\..*\.tmp$/.test(nameOf(path));
  return outputs.some((output) => path === output || isTemporary && parentOf(output) === folder);
}
