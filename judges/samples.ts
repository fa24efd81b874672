// Several samples of one verdict: which one counts, and how much they agree.

/**
 * The middle one by value. Of an even number the lower or the upper of the two in the middle, so
 * that the result is a verdict that was given, with its own reasoning.
 *
 * @throws {Error} If there is none.
 *
 * @example
 * ```ts
 * import { medianSample } from "./samples.ts";
 * import assert from "node:assert/strict";
 *
 * const samples = [{ value: 1 }, { value: 0 }];
 * assert.equal(medianSample(samples, "lower").value, 0);
 * assert.equal(medianSample(samples, "upper").value, 1);
 * ```
 */
export function medianSample<Sample extends { value: number }>(
  samples: readonly Sample[],
  middle: "lower" | "upper",
): Sample {
  const sorted = [...samples].sort((a, b) => a.value - b.value);
  const index = middle === "lower"
    ? Math.floor((sorted.length - 1) / 2)
    : Math.floor(sorted.length / 2);
  const median = sorted[index];
  if (median === undefined) throw new Error("There is no sample to take the median of");
  return median;
}

/**
 * How much samples agree, in [0, 1]: 1 less their mean distance from the lower median.
 *
 * @param values Scores in [0, 1]; at least one.
 */
export function agreementOf(values: readonly number[]): number {
  const median = medianSample(values.map((value) => ({ value })), "lower").value;
  const distances = values.map((value) => Math.abs(value - median));
  return 1 - Math.sumPrecise(distances) / values.length;
}
