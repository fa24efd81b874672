// The compressions of TIFF 6.0 that do not depend on what the bytes mean.

import { inflateSync } from "node:zlib";
import { SubmissionError } from "../../src/errors.ts";

/**
 * Unpacks a strip or tile to exactly `size` bytes, which the caller may change.
 *
 * @param compression Value of the field 259.
 * @throws {SubmissionError} If it is damaged, breaks off, or is of another compression.
 */
export function unpackBlock(compression: number, packed: Uint8Array, size: number): Uint8Array {
  const unpack = UNPACK[compression];
  if (unpack === undefined) {
    throw new SubmissionError(`TIFF with compression ${compression} is not supported`);
  }
  let content: Uint8Array;
  try {
    content = unpack(packed, size);
  } catch (error) {
    throw new SubmissionError("its TIFF pixels are damaged", { cause: error });
  }
  if (content.length < size) throw new SubmissionError("its TIFF pixels break off");
  return content;
}

const deflate = (packed: Uint8Array, size: number): Uint8Array =>
  inflateSync(packed, { maxOutputLength: size + 1 });

const UNPACK: Record<number, (packed: Uint8Array, size: number) => Uint8Array> = {
  1: (packed, size) => packed.slice(0, size),
  5: unpackLzw,
  8: deflate,
  32_773: unpackBits,
  32_946: deflate,
};

function unpackBits(packed: Uint8Array, size: number): Uint8Array {
  const content = new Uint8Array(size);
  let length = 0;
  for (let at = 0; at < packed.length && length < size;) {
    const control = packed[at++]!;
    if (control < 128) {
      const run = packed.subarray(at, at + Math.min(control + 1, size - length));
      content.set(run, length);
      length += run.length;
      at += control + 1;
    } else if (control > 128) {
      content.fill(packed[at++] ?? 0, length, length + 257 - control);
      length += 257 - control;
    }
  }
  return content.subarray(0, Math.min(length, size));
}

const CLEAR = 256;
const END = 257;
const FIRST_FREE = 258;
const MAX_CODES = 4096;

/** LZW with the highest bit first; codes grow one entry early, as the specification has it. */
function unpackLzw(packed: Uint8Array, size: number): Uint8Array {
  const content = new Uint8Array(size);
  // Each entry is a run of what was put out before: where it starts and how long it is.
  const starts = new Uint32Array(MAX_CODES);
  const lengths = new Uint32Array(MAX_CODES);
  let next = FIRST_FREE;
  let width = 9;
  let previous = -1;
  let previousStart = 0;
  let previousLength = 0;
  let length = 0;
  let bits = 0;
  let bitCount = 0;
  for (let at = 0; length < size;) {
    while (bitCount < width && at < packed.length) {
      bits = (bits << 8 | packed[at++]!) & 0xffffff;
      bitCount += 8;
    }
    if (bitCount < width) break;
    const code = bits >> bitCount - width & (1 << width) - 1;
    bitCount -= width;
    if (code === END) break;
    if (code === CLEAR) {
      next = FIRST_FREE;
      width = 9;
      previous = -1;
      continue;
    }
    const start = length;
    if (previous !== -1 && next < MAX_CODES) {
      // The entry is the run before and the first byte of this one, which follows it right away.
      starts[next] = previousStart;
      lengths[next] = previousLength + 1;
      next++;
    }
    if (code < CLEAR) content[length++] = code;
    else {
      if (code >= next || code < FIRST_FREE) throw new RangeError("unknown code");
      for (let index = 0; index < lengths[code]! && length < size; index++) {
        content[length++] = content[starts[code]! + index]!;
      }
    }
    previous = code;
    previousStart = start;
    previousLength = length - start;
    if (next + 1 >= 1 << width && width < 12) width++;
  }
  return content.subarray(0, length);
}
