// reward.json and reward-details.json: whole or not at all.

import { UsageError } from "../errors.ts";
import { nameOf, parentOf, resolvePath } from "../path.ts";
import {
  infoOf,
  type OutputFile,
  removeEarlier,
  removePlanted,
  requireWritable,
  writeWhole,
} from "./whole_file.ts";

/** Where the two files of a run go. */
export interface RewardFiles {
  reward: OutputFile;
  details: OutputFile;
}

/** The files that belong to an output path. */
export function rewardFiles(output: string): RewardFiles {
  const reward = resolvePath(Deno.cwd(), output);
  const details = `${parentOf(reward) === "/" ? "" : parentOf(reward)}/reward-details.json`;
  if (reward === details) {
    throw new UsageError(`The reward cannot be written to ${output}: that is the details file`, {
      hint: "Name the reward file reward.json",
    });
  }
  const file = (path: string) => ({ path, flag: "--output", kind: "reward", isOurs: isReward });
  return { reward: file(reward), details: file(details) };
}

/**
 * Makes the output folder ready: there and writable, and without a reward that an earlier run, or
 * the graded agent, has left.
 *
 * @returns Warnings that name what was removed or looks like a planted reward.
 * @throws {UsageError} If the folder cannot be written to, or what lies at the output path cannot
 * have been a reward.
 */
export function prepareOutput({ reward, details }: RewardFiles): string[] {
  const folder = parentOf(reward.path);
  requireWritable(folder, reward);
  const warnings: string[] = [];
  for (const file of [reward, details]) {
    if (removeEarlier(file)) warnings.push(removed(file));
  }
  const text = `${folder === "/" ? "" : folder}/reward.txt`;
  if (infoOf(text) !== null) {
    warnings.push(`${text} was there before this run and is not its result`);
  }
  return warnings;
}

function removed({ path }: OutputFile): string {
  return `removed ${path}: it was there before this run and is not its result`;
}

/**
 * Removes a reward and its details that an earlier run has left, where this one comes to nothing;
 * whatever else lies there stays.
 *
 * @returns Warnings that name what was removed.
 */
export function removeReward(files: RewardFiles): string[] {
  return [files.reward, files.details].flatMap((file) => {
    const info = infoOf(file.path);
    if (info === null || info.isDirectory || !file.isOurs(file.path, info)) return [];
    try {
      Deno.removeSync(file.path);
    } catch {
      // It could not have been written either.
      return [];
    }
    return [removed(file)];
  });
}

/** Longest file in bytes that is looked at: room for some ten thousand scores. */
const MAX_REWARD_BYTES = 1024 * 1024;

/** Whether a file has a reward's name, or holds what a run writes: an object of numbers. */
function isReward(path: string, { isFile, size }: Deno.FileInfo): boolean {
  if (/^reward(-details)?\.json$/.test(nameOf(path))) return true;
  if (!isFile || size > MAX_REWARD_BYTES) return false;
  try {
    const content = JSON.parse(Deno.readTextFileSync(path));
    return content !== null && typeof content === "object" && !Array.isArray(content) &&
      Object.values(content).every((value) => typeof value === "number");
  } catch {
    return false;
  }
}

/**
 * Writes the details and then, if there is one, the reward: a kill at any moment leaves no reward
 * or a complete pair.
 *
 * @param rewards `null` when errors allow no reward.
 */
export async function writeRewardFiles(
  files: RewardFiles,
  rewards: Readonly<Record<string, number>> | null,
  details: unknown,
): Promise<void> {
  const { reward, details: explanation } = files;
  for (const file of [reward, explanation]) removePlanted(file);
  await writeWhole(explanation.path, json(explanation.path, details));
  if (rewards !== null) await writeWhole(reward.path, json(reward.path, rewards));
}

function json(path: string, value: unknown): string {
  try {
    return `${JSON.stringify(value, null, 2)}\n`;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`Cannot write ${path}: ${reason}`, { cause: error });
  }
}
