// Estimates that a few disturbed runs do not move.

/** A measurement `y` at a size `x`. */
export interface Point {
  x: number;
  y: number;
}

/**
 * The middle value; the mean of the two in the middle of an even number of values.
 *
 * @throws {RangeError} If there is no value.
 *
 * @example
 * ```ts
 * import { median } from "./statistics.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(median([3, 100, 1]), 3);
 * ```
 */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError("median() got no value, expected at least one");
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/**
 * The growth of `y` per unit of `x`: the median of the slopes between all pairs of points that
 * differ in `x`, which is the Theil-Sen estimator.
 *
 * @throws {RangeError} If no two points differ in `x`.
 *
 * @example
 * ```ts
 * import { slope } from "./statistics.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(slope([{ x: 1, y: 12 }, { x: 2, y: 14 }, { x: 11, y: 32 }]), 2);
 * ```
 */
export function slope(points: readonly Point[]): number {
  const slopes: number[] = [];
  for (const [i, a] of points.entries()) {
    for (const b of points.slice(i + 1)) if (a.x !== b.x) slopes.push((b.y - a.y) / (b.x - a.x));
  }
  return median(slopes);
}
