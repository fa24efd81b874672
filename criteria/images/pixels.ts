// Pixels of a decoded image, and how many of them two images share.

import { SubmissionError } from "../../src/errors.ts";

/** Most pixels that are decoded; each takes four bytes. */
export const MAX_PIXELS = 100_000_000;

/**
 * Refuses an image that claims to be larger than that.
 *
 * @throws {SubmissionError} If it does.
 */
export function requireFewPixels({ width, height }: { width: number; height: number }): void {
  if (width * height > MAX_PIXELS) {
    throw new SubmissionError(
      `it has ${width} x ${height} pixels, more than ${MAX_PIXELS} are not compared`,
    );
  }
}

/** A decoded image. */
export interface Pixels {
  width: number;
  height: number;
  /** Red, green, blue and alpha of each pixel, row by row, not premultiplied. */
  rgba: Uint8Array;
}

/**
 * Fraction of pixels that are the same in all four channels, in [0, 1]; 0 for different sizes.
 * Colour counts even where nothing of it is seen.
 *
 * @example
 * ```ts
 * import { sharedFraction } from "./pixels.ts";
 * import assert from "node:assert/strict";
 *
 * const one = { width: 2, height: 1, rgba: Uint8Array.of(1, 2, 3, 255, 0, 0, 0, 0) };
 * const other = { width: 2, height: 1, rgba: Uint8Array.of(1, 2, 3, 255, 9, 0, 0, 0) };
 * assert.equal(sharedFraction(one, other), 0.5);
 * ```
 */
export function sharedFraction(one: Pixels, other: Pixels): number {
  if (one.width !== other.width || one.height !== other.height) return 0;
  const left = words(one.rgba);
  const right = words(other.rgba);
  let shared = 0;
  for (let index = 0; index < left.length; index++) if (left[index] === right[index]) shared++;
  return left.length === 0 ? 0 : shared / left.length;
}

function words(rgba: Uint8Array): Uint32Array {
  const aligned = rgba.byteOffset % 4 === 0 ? rgba : rgba.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2);
}
