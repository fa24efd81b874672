// reward.json and reward-details.json: whole or not at all.

import { UsageError } from "../errors.ts";
import { nameOf, parentOf, resolvePath } from "../path.ts";

/** Where the two files of a run go. */
export interface RewardFiles {
  reward: string;
  details: string;
}

/** Absolute paths of the files that belong to an output path. */
export function rewardFiles(output: string): RewardFiles {
  const reward = resolvePath(Deno.cwd(), output);
  const details = `${parentOf(reward) === "/" ? "" : parentOf(reward)}/reward-details.json`;
  if (reward === details) {
    throw new UsageError(`The reward cannot be written to ${output}: that is the details file`, {
      hint: "Name the reward file reward.json",
    });
  }
  return { reward, details };
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
  const folder = parentOf(reward);
  try {
    Deno.mkdirSync(folder, { recursive: true });
    Deno.removeSync(Deno.makeTempFileSync({ dir: folder, prefix: ".reward-", suffix: ".tmp" }));
  } catch (error) {
    throw new UsageError(`Cannot write to the output folder ${folder}: ${reasonOf(error)}`, {
      hint: "Give another place with --output",
      cause: error,
    });
  }
  const warnings: string[] = [];
  for (const path of [reward, details]) {
    if (removeStale(path)) {
      warnings.push(`removed ${path}: it was there before this run and is not its result`);
    }
  }
  const text = `${folder === "/" ? "" : folder}/reward.txt`;
  if (infoOf(text) !== null) {
    warnings.push(`${text} was there before this run and is not its result`);
  }
  return warnings;
}

function removeStale(path: string): boolean {
  const info = infoOf(path);
  if (info === null) return false;
  if (info.isDirectory) {
    throw new UsageError(`Cannot write ${path}: a folder is there`, {
      hint: "Remove it, or give another place with --output",
    });
  }
  if (info.isFile && !/^reward(-details)?\.json$/.test(nameOf(path)) && !isReward(path, info)) {
    throw new UsageError(`Cannot write ${path}: it exists and is no reward`, {
      hint: "Remove it, or give another place with --output",
    });
  }
  Deno.removeSync(path);
  return true;
}

/** Longest file in bytes that is looked at: room for some ten thousand scores. */
const MAX_REWARD_BYTES = 1024 * 1024;

/** Whether a file holds what a run writes: an object of numbers. */
function isReward(path: string, { size }: Deno.FileInfo): boolean {
  if (size > MAX_REWARD_BYTES) return false;
  try {
    const content = JSON.parse(Deno.readTextFileSync(path));
    return content !== null && typeof content === "object" && !Array.isArray(content) &&
      Object.values(content).every((value) => typeof value === "number");
  } catch {
    return false;
  }
}

function infoOf(path: string): Deno.FileInfo | null {
  try {
    return Deno.lstatSync(path);
  } catch {
    return null;
  }
}

/**
 * Removes what has come to lie where the two files go since {@link prepareOutput}: the graded work
 * has planted it, whatever it is.
 */
export function removePlanted({ reward, details }: RewardFiles): void {
  for (const path of [reward, details]) {
    if (infoOf(path) !== null) Deno.removeSync(path, { recursive: true });
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
  removePlanted(files);
  await writeWhole(files.details, json(files.details, details));
  if (rewards !== null) await writeWhole(files.reward, json(files.reward, rewards));
}

function json(path: string, value: unknown): string {
  try {
    return `${JSON.stringify(value, null, 2)}\n`;
  } catch (error) {
    throw new UsageError(`Cannot write ${path}: ${reasonOf(error)}`, { cause: error });
  }
}

/**
 * Makes the folder of a further file, and finds out before anything is run and paid for whether the
 * file can be written.
 *
 * @param flag How the file was asked for.
 * @throws {UsageError} If it cannot.
 */
export function requireWritable(path: string, flag: string): void {
  try {
    Deno.mkdirSync(parentOf(path), { recursive: true });
    Deno.removeSync(Deno.makeTempFileSync({ dir: parentOf(path), prefix: ".report-" }));
  } catch (error) {
    throw new UsageError(`Cannot write ${path}: ${reasonOf(error)}`, {
      hint: `Give another place with ${flag}`,
      cause: error,
    });
  }
  if (infoOf(path)?.isDirectory !== true) return;
  throw new UsageError(`${flag} is "${path}", which is a folder; expected the path of a file`);
}

/**
 * Writes a file beside its place, to the disk, and then renames it over whatever lies there: a link
 * is not followed.
 *
 * @throws {UsageError} If it cannot be written.
 */
export async function writeWhole(path: string, text: string): Promise<void> {
  const temporary = `${parentOf(path)}/.${nameOf(path)}.${crypto.randomUUID()}.tmp`;
  try {
    const file = await Deno.open(temporary, { write: true, createNew: true, mode: 0o644 });
    try {
      const bytes = new TextEncoder().encode(text);
      for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
      await file.syncData();
    } finally {
      file.close();
    }
    await Deno.rename(temporary, path);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw new UsageError(`Cannot write ${path}: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
