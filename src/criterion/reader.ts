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
}

/**
 * Reads files of the workspace. A path is relative to the workspace or absolute. What is reached
 * through a link out of the workspace, is no regular file, or is too large is refused with a
 * {@link SubmissionError}; so is what is not there.
 */
export class WorkspaceReader {
  readonly workspace: string;
  readonly maxFileBytes: number;

  constructor(options: ReaderOptions) {
    this.workspace = options.workspace;
    this.maxFileBytes = options.maxFileBytes;
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
      rethrowIfNotCapable(error);
      return false;
    }
  }

  /**
   * Opens a regular file for reading, after every guard; the caller closes it.
   *
   * @throws {SubmissionError} If it is absent, no regular file, too large, or reached through a
   * link out of the workspace.
   */
  open(path: string): { file: Deno.FsFile; size: number } {
    const absolute = this.#written(path);
    try {
      // Looked at before it is opened: opening a FIFO blocks the thread for good.
      const before = Deno.statSync(absolute);
      refuseSpecial(before, path);
      const file = Deno.openSync(absolute, { read: true });
      try {
        // The graded work may still be running and swap the file in between.
        const opened = this.#infoOf(file, absolute, path);
        refuseSpecial(opened, path);
        if (opened.ino !== before.ino || opened.dev !== before.dev) {
          throw new SubmissionError(`"${path}" was replaced while it was being read`);
        }
        this.#refuseEscape(absolute, path);
        if (opened.size > this.maxFileBytes) {
          throw new SubmissionError(
            `"${path}" is too large: ${opened.size} bytes, the limit is ${this.maxFileBytes}`,
          );
        }
        return { file, size: opened.size };
      } catch (error) {
        file.close();
        throw error;
      }
    } catch (error) {
      throw submissionError(error, path);
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
      this.#refuseEscape(absolute, path);
      return Array.from(Deno.readDirSync(absolute), (entry) => entry.name).sort();
    } catch (error) {
      throw submissionError(error, path);
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
  #infoOf(file: Deno.FsFile, absolute: string, path: string): Deno.FileInfo {
    try {
      return file.statSync();
    } catch (error) {
      if (!(error instanceof Deno.errors.NotCapable)) throw error;
      const target = /read access to "([^]*?)", run again/.exec(error.message)?.[1];
      const isOurs = isWithin(normalize(absolute), this.workspace);
      if (isOurs && target !== undefined && !isWithin(target, this.workspace)) {
        throw new SubmissionError(`"${path}" leaves the workspace through a link`);
      }
      return Deno.statSync(absolute);
    }
  }

  /**
   * Links that the author can have meant stay inside the workspace; one that leads out of it was
   * made by the graded work. A path that names something outside as it is written is the author's.
   */
  #refuseEscape(absolute: string, path: string): void {
    if (!isWithin(normalize(absolute), this.workspace)) return;
    if (!isWithin(Deno.realPathSync(absolute), this.workspace)) {
      throw new SubmissionError(`"${path}" leaves the workspace through a link`);
    }
  }
}

function refuseSpecial(info: Deno.FileInfo, path: string): void {
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

function readUpTo(file: Deno.FsFile, size: number, limit: number, path: string): Uint8Array {
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

/** A mistake in the declared permissions is the author's, whatever the workspace looks like. */
function rethrowIfNotCapable(error: unknown): void {
  if (error instanceof Deno.errors.NotCapable) throw error;
}

function submissionError(error: unknown, path: string): unknown {
  if (error instanceof SubmissionError || error instanceof Deno.errors.NotCapable) return error;
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
