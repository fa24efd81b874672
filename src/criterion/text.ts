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
  try {
    if (firstReturn === -1) return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    // Checked before it is folded, so that the offset in the message is one of the file's own.
    if (isUtf8(bytes)) return new TextDecoder().decode(foldNewlines(bytes, firstReturn));
  } catch (error) {
    // A text longer than the engine's longest string is a RangeError, not bad UTF-8.
    if (!(error instanceof TypeError)) {
      throw new SubmissionError(`"${name}" is too large to be read as text`, { cause: error });
    }
  }
  throw new SubmissionError(`"${name}" is not UTF-8: bad byte at offset ${badOffset(bytes)}`);
}

const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;
const CHUNK_BYTES = 1 << 16;

function isUtf8(bytes: Uint8Array): boolean {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      decoder.decode(bytes.subarray(at, at + CHUNK_BYTES), { stream: true });
    }
    decoder.decode();
    return true;
  } catch {
    return false;
  }
}

function foldNewlines(bytes: Uint8Array, from: number): Uint8Array {
  let write = from;
  for (let read = from; read < bytes.length; read++) {
    const byte = bytes[read]!;
    bytes[write++] = byte === CARRIAGE_RETURN ? LINE_FEED : byte;
    if (byte === CARRIAGE_RETURN && bytes[read + 1] === LINE_FEED) read++;
  }
  return bytes.subarray(0, write);
}

/** Index of the first byte that no UTF-8 text could have there; the length if the text breaks off. */
function badOffset(bytes: Uint8Array): number {
  let good = 0;
  let bad = bytes.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isPrefixOfUtf8(bytes.subarray(0, middle))) good = middle;
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
