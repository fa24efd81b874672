// Bytes of the graded work to text: checked UTF-8, no byte order mark, universal newlines.

import { SubmissionError } from "../errors.ts";

/**
 * Decodes UTF-8 like Python's `Path.read_text`, except that a byte order mark at the start is not
 * part of the content.
 *
 * @param bytes Overwritten where CR or CRLF become LF, so that a large file is not held twice:
 * pass what nobody else reads.
 * @param name How the message names the file.
 * @throws {SubmissionError} If the bytes are not UTF-8; names the offset of the first bad one.
 *
 * @example
 * ```ts
 * import { decodeText } from "./text.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(decodeText(new TextEncoder().encode("a\r\nb\r"), "a.txt"), "a\nb\n");
 * ```
 */
export function decodeText(bytes: Uint8Array, name: string): string {
  const firstReturn = bytes.indexOf(CARRIAGE_RETURN);
  if (firstReturn === -1) {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      // It is not UTF-8, or longer than the engine's longest string; told apart below.
    }
  }
  // Looked for before anything is folded, so that the offset is one of the file's own.
  const bad = badOffset(bytes);
  if (bad !== null) throw new SubmissionError(`"${name}" is not UTF-8: bad byte at offset ${bad}`);
  try {
    return new TextDecoder().decode(firstReturn === -1 ? bytes : foldNewlines(bytes, firstReturn));
  } catch (cause) {
    throw new SubmissionError(`"${name}" is too large to be read as text`, { cause });
  }
}

const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;

/** Bytes that are checked in one go, so that a large file is not held as text just for that. */
const CHUNK_BYTES = 1 << 16;

function foldNewlines(bytes: Uint8Array, from: number): Uint8Array {
  let write = from;
  for (let read = from; read < bytes.length; read++) {
    const byte = bytes[read]!;
    bytes[write++] = byte === CARRIAGE_RETURN ? LINE_FEED : byte;
    if (byte === CARRIAGE_RETURN && bytes[read + 1] === LINE_FEED) read++;
  }
  return bytes.subarray(0, write);
}

/**
 * Index of the first byte that no UTF-8 text could have there; the length if the text breaks off;
 * `null` if nothing is wrong.
 */
function badOffset(bytes: Uint8Array): number | null {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    try {
      decoder.decode(bytes.subarray(at, at + CHUNK_BYTES), { stream: true });
    } catch {
      return badOffsetWithin(bytes, at);
    }
  }
  try {
    decoder.decode();
    return null;
  } catch {
    return bytes.length;
  }
}

/** By halving the chunk that starts at `at`; all before it is good, but may end in a character. */
function badOffsetWithin(bytes: Uint8Array, at: number): number {
  let start = Math.max(at - 1, 0);
  while (start > 0 && (bytes[start]! & 0xc0) === 0x80) start--;
  let good = at;
  let bad = Math.min(at + CHUNK_BYTES, bytes.length);
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isPrefixOfUtf8(bytes.subarray(start, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

function isPrefixOfUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
