// Rounding of scores for output.

/**
 * Rounds to 4 decimals as Python's `round(x, 4)` does: to the nearest on the exact binary value,
 * ties to the even digit. Minus zero becomes zero; infinities and NaN stay.
 *
 * @example
 * ```ts
 * import { round4 } from "./round.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(round4(2 / 3), 0.6667);
 * assert.equal(round4(0.03125), 0.0312);
 * assert.equal(round4(0.09375), 0.0938);
 * ```
 */
export function round4(x: number): number {
  // toFixed() looks at the exact binary value too, but takes ties away from zero. A tie is an odd
  // multiple of 1/20000 that a double can hold, so an odd multiple of 1/32; there, an odd last
  // digit went the wrong way, and taking one off it needs no borrowing.
  const fixed = x.toFixed(4);
  const isTie = Math.abs((x * 32) % 2) === 1;
  const last = Number(fixed.at(-1));
  return Number(isTie && last % 2 === 1 ? fixed.slice(0, -1) + (last - 1) : fixed) + 0;
}
