// A command line that is wrong grades nothing. What lies where its reward would have gone, from an
// earlier run or from the graded agent, must not pass for its result: whoever reads it need not have
// looked at the exit code.

import { removeReward, rewardFiles } from "../report/reward_files.ts";
import { DEFAULT_OUTPUT } from "../settings.ts";

/**
 * Removes an earlier reward and its details, and nothing else.
 *
 * @param args As they were given.
 * @returns Warnings that name what was removed.
 */
export function removeEarlierReward(args: readonly string[]): string[] {
  try {
    return removeReward(rewardFiles(outputIn(args) ?? DEFAULT_OUTPUT));
  } catch {
    // No reward can have gone there.
    return [];
  }
}

/** The last value of `--output`, however it is spelled. */
function outputIn(args: readonly string[]): string | undefined {
  return args.flatMap((argument, at) => {
    if (argument.startsWith("--output=")) return argument.slice("--output=".length);
    return argument === "--output" || argument === "-o" ? args[at + 1] ?? [] : [];
  }).at(-1);
}
