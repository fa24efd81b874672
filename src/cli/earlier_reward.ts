// A command line that is wrong grades nothing. What lies where its reward would have gone, from an
// earlier run or from the graded agent, must not pass for its result: whoever reads it need not have
// looked at the exit code.

import { type RewardFiles, rewardFiles } from "../report/reward_files.ts";
import { infoOf } from "../report/whole_file.ts";
import { DEFAULT_OUTPUT } from "../settings.ts";

/**
 * Removes an earlier reward and its details, and nothing else.
 *
 * @param args As they were given.
 * @returns Paths of what was removed.
 */
export function removeEarlierReward(args: readonly string[]): string[] {
  const removed: string[] = [];
  for (const { path, isOurs } of Object.values(filesOf(outputIn(args) ?? DEFAULT_OUTPUT))) {
    const info = infoOf(path);
    if (info === null || info.isDirectory || !isOurs(path, info)) continue;
    try {
      Deno.removeSync(path);
      removed.push(path);
    } catch {
      // It could not have been written either.
    }
  }
  return removed;
}

/** The last value of `--output`, however it is spelled. */
function outputIn(args: readonly string[]): string | undefined {
  return args.flatMap((argument, at) => {
    if (argument.startsWith("--output=")) return argument.slice("--output=".length);
    return argument === "--output" || argument === "-o" ? args[at + 1] ?? [] : [];
  }).at(-1);
}

function filesOf(output: string): Partial<RewardFiles> {
  try {
    return rewardFiles(output);
  } catch {
    // No reward can have gone there.
    return {};
  }
}
