// The text of a UTF-8 file, piece by piece.

import { SubmissionError } from "../../src/errors.ts";

const CHUNK_BYTES = 1 << 16;
const BYTE_ORDER_MARK = 0xfeff;

/**
 * Decodes a file while it is read, without its byte order mark. What lies before the first bad byte
 * is given out first, so a reader that finds what it wants there never meets the bad one.
 *
 * @param file Open for reading, at its start; stays open.
 * @param name How the message names the file.
 * @param maxBytes More bytes than this are refused; a file may grow while it is read.
 * @throws {SubmissionError} If the bytes are not UTF-8, or too many.
 */
export function* textChunks(
  file: { readSync(buffer: Uint8Array): number | null },
  name: string,
  maxBytes: number,
): Generator<string, void, undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const buffer = new Uint8Array(CHUNK_BYTES);
  let offset = 0;
  let kept = 0;
  while (true) {
    const count = file.readSync(buffer.subarray(kept));
    const filled = kept + (count ?? 0);
    const end = count === null ? filled : wholeCharacters(buffer.subarray(0, filled));
    if (offset + filled > maxBytes) throw new SubmissionError(`"${name}" is too large`);
    let text: string;
    try {
      text = decoder.decode(buffer.subarray(0, end));
    } catch {
      const good = goodPrefix(buffer.subarray(0, end));
      yield withoutMark(good.text, offset);
      throw new SubmissionError(
        `"${name}" is not UTF-8: bad byte at offset ${offset + good.length}`,
      );
    }
    yield withoutMark(text, offset);
    if (count === null) return;
    buffer.copyWithin(0, end, filled);
    kept = filled - end;
    offset += end;
  }
}

function withoutMark(text: string, offset: number): string {
  return offset === 0 && text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

/** Length without the beginning of a character whose other bytes are still to come. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function goodPrefix(bytes: Uint8Array): { text: string; length: number } {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let text = "";
  for (let length = 0; length < bytes.length; length++) {
    try {
      text += decoder.decode(bytes.subarray(length, length + 1), { stream: true });
    } catch {
      return { text, length };
    }
  }
  return { text, length: bytes.length };
}
