// What `--watch` watches, and what a person sees of it.

import { UsageError } from "../errors.ts";
import { removeReward, rewardFiles } from "../report/reward_files.ts";
import { resolvePath } from "../path.ts";
import { DEFAULT_OUTPUT, DEFAULT_WORKSPACE } from "../settings.ts";
import type { CliSettings } from "./flags.ts";
import type { Printer } from "./printer.ts";
import { watch } from "./watch.ts";

/** Takes everything off a terminal, what has scrolled away included. */
const CLEAR = "\x1b[2J\x1b[3J\x1b[H";

/**
 * Grades, and grades again whenever a tests folder or the workspace has changed, until the signal in
 * the settings is aborted.
 *
 * @param grade Grades once; never rejects.
 * @throws {UsageError} If a folder is not there or cannot be watched.
 */
export async function gradeOnChange(
  testsDirs: readonly string[],
  { options }: CliSettings,
  printer: Printer,
  grade: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { workspace = DEFAULT_WORKSPACE, output = DEFAULT_OUTPUT, report, junit, signal } = options;
  const reports = [report, junit].filter((path) => path !== undefined);
  const files = rewardFiles(output ?? DEFAULT_OUTPUT);
  try {
    await watch({
      tests: testsDirs.map(realFolder),
      workspace: realFolder(workspace),
      outputs: [
        ...Object.values(files).map(({ path }) => path),
        ...reports.map((path) => resolvePath(Deno.cwd(), path)),
      ],
      grade,
      onAgain: () => {
        // They are the last grading's: no reason for the warning that somebody left them.
        removeReward(files);
        if (Deno.stdout.isTerminal()) Deno.stdout.writeSync(new TextEncoder().encode(CLEAR));
      },
      onIdle: () => printer.note(`watching ${[...testsDirs, workspace].join(", ")}`),
      signal: signal!,
    });
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof Error)) throw error;
    throw new UsageError(`Cannot watch the folders: ${error.message}`, {
      hint: "Linux limits how many folders are watched: see fs.inotify.max_user_watches",
      cause: error,
    });
  }
}

function realFolder(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch (error) {
    throw new UsageError(`Cannot watch ${path}: ${(error as Error).message}`, { cause: error });
  }
}
