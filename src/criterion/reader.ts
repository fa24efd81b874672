// Reads the workspace for built-ins and for `workspace.*`, on the assumption that it is hostile.

import { SubmissionError } from "../errors.ts";
import { isAbsolute, isWithin, normalize, resolvePath } from "../path.ts";
import { decodeText } from "./text.ts";

/** Where the graded work lies and how much of it is read. */
export interface ReaderOptions {
  /** Real, absolute path of the workspace. */
  workspace: string;
  /** Largest file in bytes that is read. */
  maxFileBytes: number;
  /**
   * How a file is opened. Default: as Deno does, which waits for ever for a FIFO that has come to
   * lie there since it was looked at. A Worker's time is limited, the coordinator's is not.
   */
  open?: (path: string) => OpenFile;
}

/** What is looked at of a file. */
export type Seen = Pick<
  Deno.FileInfo,
  "isFile" | "isDirectory" | "isFifo" | "isSocket" | "size" | "ino" | "dev"
>;

/** A file that is open for reading. */
export interface OpenFile {
  statSync(): Seen;
  readSync(bytes: Uint8Array): number | null;
  close(): void;
}

/** How often a file that is replaced again and again is opened. */
const MOST_ATTEMPTS = 5;

/** How often what was opened is compared with what lies there. */
const LOOKS = 2;

/**
 * Reads files of the workspace. A path is relative to the workspace or absolute. What is reached
 * through a link out of the workspace, is no regular file, or is too large is refused with a
 * {@link SubmissionError}; so is what is not there.
 */
export class WorkspaceReader {
  readonly workspace: string;
  readonly maxFileBytes: number;
  readonly #opener: (path: string) => OpenFile;

  constructor(options: ReaderOptions) {
    this.workspace = options.workspace;
    this.maxFileBytes = options.maxFileBytes;
    this.#opener = options.open ?? ((path) => Deno.openSync(path, { read: true }));
  }

  /** Absolute path of what the author wrote; looks at nothing. */
  resolve(path: string): string {
    return resolvePath(this.workspace, path);
  }

  /** Whether anything is there, links followed (also out of the workspace), folders included. */
  exists(path: string): boolean {
    if (path.includes("\0")) return false;
    try {
      Deno.statSync(this.#written(path));
      return true;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotCapable)) return false;
      // What it leads to is none of the author's business, but the link is there.
      if (this.#isLinkOut(error, this.#written(path))) return true;
      throw error;
    }
  }

  /**
   * Opens a regular file for reading, after every guard; the caller closes it.
   *
   * @throws {SubmissionError} If it is absent, no regular file, too large, or reached through a
   * link out of the workspace.
   */
  open(path: string): { file: OpenFile; size: number } {
    const absolute = this.#written(path);
    try {
      // Honest work replaces a file now and then, and not as fast as it can.
      for (let attempt = 1;; attempt++) {
        const opened = this.#openOnce(absolute, path);
        if (opened !== null) return opened;
        if (attempt === MOST_ATTEMPTS) {
          throw new SubmissionError(`"${path}" was replaced while it was being read`);
        }
      }
    } catch (error) {
      throw this.#problem(error, absolute, path);
    }
  }

  /** `null` if something else came to lie there in the meantime. */
  #openOnce(absolute: string, path: string): { file: OpenFile; size: number } | null {
    // Looked at before it is opened: opening a FIFO blocks the thread for good.
    const before = Deno.statSync(absolute);
    refuseSpecial(before, path);
    const file = this.#opener(absolute);
    let opened: Seen | null = null;
    try {
      // The graded work may still be running and swap the file in between.
      const info = this.#infoOf(file, absolute, path);
      refuseSpecial(info, path);
      if (!isSameFile(info, before) || !this.#isStillThere(info, absolute, path)) return null;
      if (info.size > this.maxFileBytes) {
        throw new SubmissionError(
          `"${path}" is too large: ${info.size} bytes, the limit is ${this.maxFileBytes}`,
        );
      }
      opened = info;
      return { file, size: info.size };
    } finally {
      if (opened === null) file.close();
    }
  }

  /** The whole of a regular file. See {@link open} for what is thrown. */
  readBytes(path: string): Uint8Array {
    const { file, size } = this.open(path);
    try {
      return readUpTo(file, size, this.maxFileBytes, path);
    } finally {
      file.close();
    }
  }

  /**
   * A text file: UTF-8 without its byte order mark, CRLF and CR read as LF.
   *
   * @throws {SubmissionError} As {@link open}, and if the file is not UTF-8.
   */
  readText(path: string): string {
    return decodeText(this.readBytes(path), path);
  }

  /** Names in a folder, sorted. Guarded as {@link open}. */
  list(path: string): string[] {
    const absolute = this.#written(path);
    try {
      const names = this.#namesIn(this.#refuseEscape(absolute, path), absolute);
      this.#refuseEscape(absolute, path);
      return names.sort();
    } catch (error) {
      throw this.#problem(error, absolute, path);
    }
  }

  /** By its real path: a link on the way to it may lead elsewhere by now. */
  #namesIn(real: string, absolute: string): string[] {
    const names = (folder: string) => Array.from(Deno.readDirSync(folder), ({ name }) => name);
    try {
      return names(real);
    } catch (error) {
      // What is granted is the path as it was written.
      if (error instanceof Deno.errors.NotCapable && real !== absolute) return names(absolute);
      throw error;
    }
  }

  /** Absolute, but otherwise as it was written: `missing/..` is not the folder above. */
  #written(path: string): string {
    if (path.includes("\0")) throw new SubmissionError(`${JSON.stringify(path)} is not a path`);
    if (isAbsolute(path)) return path;
    return path === "" ? this.workspace : `${this.workspace}/${path}`;
  }

  /**
   * Deno asks for a permission for the target of a link here, though not when it opens the link,
   * and says which file that is: the one that is open, wherever the link leads by now.
   */
  #infoOf(file: OpenFile, absolute: string, path: string): Seen {
    try {
      return file.statSync();
    } catch (error) {
      if (!(error instanceof Deno.errors.NotCapable)) throw error;
      if (this.#isLinkOut(error, absolute)) throw leavesByLink(path);
      return Deno.statSync(absolute);
    }
  }

  /**
   * Whether a permission is missing because a link of the graded work leads out, which for what is
   * in /proc and /dev Deno tells at once. Missing permissions are the author's fault otherwise.
   */
  #isLinkOut({ message }: Error, absolute: string): boolean {
    const target = /access to "([^]*?)", run again/.exec(message)?.[1];
    return target !== undefined && !isWithin(target, this.workspace) &&
      isWithin(normalize(absolute), this.workspace);
  }

  #problem(error: unknown, absolute: string, path: string): unknown {
    if (!(error instanceof Deno.errors.NotCapable)) return submissionError(error, path);
    return this.#isLinkOut(error, absolute) ? leavesByLink(path) : error;
  }

  /**
   * Whether it is what has been opened that lies in the workspace, and not only what lies there by
   * now. More than one look, since everything can be swapped to and fro between any two.
   */
  #isStillThere(opened: Seen, absolute: string, path: string): boolean {
    for (let look = 0; look < LOOKS; look++) {
      this.#refuseEscape(absolute, path);
      if (!isSameFile(opened, Deno.statSync(absolute))) return false;
    }
    return true;
  }

  /**
   * Links that the author can have meant stay inside the workspace; one that leads out of it was
   * made by the graded work. A path that names something outside as it is written is the author's.
   *
   * @returns The real path of what is in the workspace; of anything else, its path.
   */
  #refuseEscape(absolute: string, path: string): string {
    if (!isWithin(normalize(absolute), this.workspace)) return absolute;
    const real = Deno.realPathSync(absolute);
    if (isWithin(real, this.workspace)) return real;
    throw leavesByLink(path);
  }
}

function leavesByLink(path: string): SubmissionError {
  return new SubmissionError(`"${path}" leaves the workspace through a link`);
}

function isSameFile(one: Seen, other: Seen): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}

function refuseSpecial(info: Seen, path: string): void {
  if (info.isFile) return;
  const kind = info.isDirectory
    ? "folder"
    : info.isFifo
    ? "FIFO"
    : info.isSocket
    ? "socket"
    : "device";
  throw new SubmissionError(`"${path}" is a ${kind}, not a regular file`);
}

function readUpTo(file: OpenFile, size: number, limit: number, path: string): Uint8Array {
  let bytes = new Uint8Array(size);
  let length = 0;
  while (true) {
    if (length === bytes.length) {
      // Grows only if the file did since it was opened (or is one of /proc, whose size is 0).
      const probe = new Uint8Array(4096);
      const more = file.readSync(probe);
      if (more === null) return bytes;
      if (length + more > limit) throw new SubmissionError(`"${path}" is too large`);
      // By doubling: in steps of a probe, a file that keeps growing would take for ever.
      const grown = new Uint8Array(Math.min(2 * length + probe.length, limit));
      grown.set(bytes);
      grown.set(probe.subarray(0, more), length);
      bytes = grown;
      length += more;
      continue;
    }
    const count = file.readSync(bytes.subarray(length));
    if (count === null) return bytes.subarray(0, length);
    length += count;
  }
}

function submissionError(error: unknown, path: string): unknown {
  if (error instanceof SubmissionError) return error;
  if (error instanceof Deno.errors.NotFound) {
    return new SubmissionError(`"${path}" does not exist`, { cause: error });
  }
  if (error instanceof Deno.errors.NotADirectory) {
    return new SubmissionError(`"${path}" does not exist: a part of it is no folder`, {
      cause: error,
    });
  }
  if (error instanceof Deno.errors.PermissionDenied) {
    return new SubmissionError(`"${path}" cannot be read: permission denied`, { cause: error });
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new SubmissionError(`"${path}" cannot be read: ${reason}`, { cause: error });
}
