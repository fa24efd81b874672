// Rows of packed samples to one byte a sample.

/**
 * Unpacks samples of 1, 2, 4, 8 or 16 bits. Small ones keep their value; of 16 bits, high byte
 * first, the high byte is kept. With 8 bits the row itself is returned.
 *
 * @example
 * ```ts
 * import { unpackSamples } from "./samples.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(unpackSamples(Uint8Array.of(0b11_00_01_10), 3, 2), Uint8Array.of(3, 0, 1));
 * ```
 */
export function unpackSamples(row: Uint8Array, count: number, depth: number): Uint8Array {
  if (depth === 8) return row;
  const samples = new Uint8Array(count);
  if (depth === 16) {
    for (let index = 0; index < count; index++) samples[index] = row[index * 2]!;
    return samples;
  }
  const mask = (1 << depth) - 1;
  for (let index = 0; index < count; index++) {
    const bit = index * depth;
    samples[index] = row[bit >> 3]! >> (8 - depth - (bit & 7)) & mask;
  }
  return samples;
}
