// One file that a run writes: whole or not at all, and over nothing that is not ours.

import { UsageError } from "../errors.ts";
import { isWithin, nameOf, parentOf } from "../path.ts";

/** A file that a run is to write. */
export interface OutputFile {
  /** Absolute. */
  path: string;
  /** How it was asked for. */
  flag: string;
  /** What it is, for messages: `reward`. */
  kind: string;
  /** Whether what lies at the path is what an earlier run has written. */
  isOurs(path: string, info: Deno.FileInfo): boolean;
}

/**
 * Makes the folder that files go to, and finds out before anything is run and paid for whether they
 * can be written.
 *
 * @throws {UsageError} If they cannot.
 */
export function requireWritable(folder: string, { path, flag }: OutputFile): void {
  try {
    Deno.mkdirSync(folder, { recursive: true });
    if (isWithin(Deno.realPathSync(folder), "/dev")) throw new Error("devices are there");
    Deno.removeSync(Deno.makeTempFileSync({ dir: folder, prefix: ".reward-", suffix: ".tmp" }));
  } catch (error) {
    throw new UsageError(`Cannot write ${path}: ${reasonOf(error)}`, {
      hint: `Give another place with ${flag}`,
      cause: error,
    });
  }
}

/**
 * Removes what an earlier run has written: if this one comes to nothing, it must not pass for its
 * result. A link is removed, never followed.
 *
 * @returns Whether there was anything.
 * @throws {UsageError} If something else is there.
 */
export function removeEarlier(file: OutputFile): boolean {
  const info = infoOf(file.path);
  if (info === null) return false;
  const { path, flag, kind } = file;
  const hint = `Remove it, or give another place with ${flag}`;
  if (info.isDirectory) throw new UsageError(`Cannot write ${path}: a folder is there`, { hint });
  const isEmpty = info.isFile && info.size === 0;
  if (!info.isSymlink && !isEmpty && !file.isOurs(path, info)) {
    throw new UsageError(`Cannot write ${path}: it exists and is no ${kind}`, { hint });
  }
  Deno.removeSync(path);
  return true;
}

/**
 * Removes what has come to lie at a path since {@link removeEarlier}: the graded work has planted it,
 * whatever it is.
 */
export function removePlanted({ path }: OutputFile): void {
  if (infoOf(path) !== null) Deno.removeSync(path, { recursive: true });
}

/** `null` if nothing is there; of a link, what the link is. */
export function infoOf(path: string): Deno.FileInfo | null {
  try {
    return Deno.lstatSync(path);
  } catch {
    return null;
  }
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
