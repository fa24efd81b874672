// Whether the tests folder is still what it was when grading started.

/** What a tests folder held at one moment, by path from the folder. */
export type Fingerprint = ReadonlyMap<string, FileMark>;

/** What is remembered of one file. */
export interface FileMark {
  kind: "file" | "folder" | "link" | "other";
  size: number;
  /** Where a link leads, or why it is not known. */
  target?: string;
  /** Contents of a small file. */
  bytes?: Uint8Array;
  /**
   * Of a file: when its contents were changed (milliseconds), when anything of it was (seconds), and
   * the number of its inode. The second time cannot be set by programs.
   */
  stamp?: string;
}

/** Files below this size are remembered whole. */
const SMALL_FILE_BYTES = 1 << 20;
/** At most this much is remembered of all files together; beyond it, stamps have to do. */
const KEPT_BYTES = 32 << 20;
/** More files than a tests folder has; a program that makes more of them has changed it anyway. */
const MOST_FILES = 200_000;
/** Folders that programs fill on their own when they are run. */
const CACHES = ["node_modules", "__pycache__", ".pytest_cache", ".git"];

/**
 * Remembers every file of a folder, hidden ones included, caches of tools left out: with size,
 * times and inode, which also tell of a file that was changed and put back; small ones with their
 * contents as well (cheaper than a hash, and nothing can collide). Links are not followed and
 * special files not opened.
 *
 * @throws {Error} If the folder itself cannot be read.
 */
// deno-lint-ignore require-await -- reading is synchronous because that is faster; callers await
export async function takeFingerprint(testsDir: string): Promise<Fingerprint> {
  const marks = new Map<string, FileMark>();
  let kept = 0;

  function visit(folder: string): void {
    for (const { name } of Deno.readDirSync(`${testsDir}/${folder}`)) {
      if (CACHES.includes(name) || marks.size >= MOST_FILES) continue;
      const id = folder === "" ? name : `${folder}/${name}`;
      try {
        marks.set(id, mark(`${testsDir}/${id}`));
        if (marks.get(id)!.kind === "folder") visit(id);
      } catch (error) {
        // Gone or closed meanwhile. Before and after, the same obstacle is the same mark.
        marks.set(id, { kind: "other", size: 0, target: (error as Error).name });
      }
    }
  }

  function mark(path: string): FileMark {
    const info = Deno.lstatSync(path);
    if (info.isDirectory) return { kind: "folder", size: 0 };
    if (info.isSymlink) return { kind: "link", size: 0, target: Deno.readLinkSync(path) };
    if (!info.isFile) return { kind: "other", size: 0 };
    const stamp = [info.mtime?.getTime(), info.ctime?.getTime(), info.ino].join(" ");
    if (info.size < SMALL_FILE_BYTES && kept + info.size <= KEPT_BYTES) {
      const bytes = Deno.readFileSync(path);
      kept += bytes.length;
      return { kind: "file", size: bytes.length, stamp, bytes };
    }
    return { kind: "file", size: info.size, stamp };
  }

  visit("");
  return marks;
}

/**
 * Says what happened to each file that is not what it was, sorted by path.
 *
 * @returns Such as `["checks.ts was changed", "new.ts was added"]`; empty if nothing happened.
 */
export function compareFingerprints(before: Fingerprint, after: Fingerprint): string[] {
  const ids = [...new Set([...before.keys(), ...after.keys()])].sort();
  return ids.flatMap((id) => {
    const was = before.get(id);
    const is = after.get(id);
    if (was === undefined) return `${id} was added`;
    if (is === undefined) return `${id} was removed`;
    if (!isAlike(was, is)) return `${id} was changed`;
    if (was.stamp === is.stamp) return [];
    return was.bytes === undefined
      ? `${id} was changed`
      : `${id} was changed and put back, moved, or given other rights`;
  });
}

function isAlike(was: FileMark, is: FileMark): boolean {
  return was.kind === is.kind && was.size === is.size && was.target === is.target &&
    hasSameBytes(was.bytes, is.bytes);
}

function hasSameBytes(was: Uint8Array | undefined, is: Uint8Array | undefined): boolean {
  if (was === undefined || is === undefined) return was === is;
  for (let at = 0; at < was.length; at++) if (was[at] !== is[at]) return false;
  return true;
}
