// From many scores to one.

/** The ways to combine scores. */
export const AGGREGATIONS = [
  "weighted-mean",
  "weighted-sum",
  "all-pass",
  "any-pass",
  "threshold",
  "required-pass",
] as const;

/** How scores are combined into one. */
export type Aggregation = typeof AGGREGATIONS[number];

/** Threshold where a table sets none. */
export const DEFAULT_THRESHOLD = 0.5;

/** Gates compare with this much tolerance, so that ten tenths reach one. */
const TOLERANCE = 1e-9;

/** An aggregation and its numbers. */
export interface Scoring {
  aggregation: Aggregation;
  /** What the weighted mean has to reach; only of `threshold`. */
  threshold: number;
  /** Least score that counts as passed, in (0, 1]. Absent: everything greater than 0. */
  pass?: number;
}

/** One score on its way into an aggregate. */
export interface Weighted {
  /** Usually in [0, 1]; numbers of custom criteria may lie outside. */
  value: number;
  weight: number;
  /** Does not count for `required-pass`. */
  optional?: boolean;
}

/** The aggregation that a word names, in either spelling (`all-pass`, `all_pass`). */
export function parseAggregation(word: string): Aggregation | undefined {
  const name = word.replaceAll("_", "-");
  return AGGREGATIONS.find((aggregation) => aggregation === name);
}

/**
 * Combines scores. Sums are exact before they are rounded once (`Math.sumPrecise`), so their order
 * does not matter. A total weight of 0 gives 0.
 *
 * @returns The combined score, not rounded. Not finite where the numbers overflow: the caller makes
 * that an error.
 *
 * @example
 * ```ts
 * import { aggregate } from "./aggregate.ts";
 * import assert from "node:assert/strict";
 *
 * const scores = [{ value: 1, weight: 3 }, { value: 0, weight: 1 }];
 * assert.equal(aggregate(scores, { aggregation: "weighted-mean", threshold: 0.5 }), 0.75);
 * assert.equal(aggregate(scores, { aggregation: "all-pass", threshold: 0.5 }), 0);
 * ```
 */
export function aggregate(scores: readonly Weighted[], scoring: Scoring): number {
  switch (scoring.aggregation) {
    case "weighted-mean":
      return weightedMean(scores);
    case "weighted-sum":
      return weightedSum(scores);
    case "threshold":
      return weightedMean(scores) >= scoring.threshold - TOLERANCE ? 1 : 0;
    case "all-pass":
      return scores.every((score) => passes(score, scoring)) ? 1 : 0;
    case "any-pass":
      return scores.some((score) => passes(score, scoring)) ? 1 : 0;
    case "required-pass": {
      const required = scores.filter((score) => score.optional !== true);
      return required.every((score) => passes(score, scoring)) ? 1 : 0;
    }
  }
}

function passes({ value }: Weighted, { pass }: Scoring): boolean {
  return pass === undefined ? value > 0 : value >= pass - TOLERANCE;
}

function weightedSum(scores: readonly Weighted[]): number {
  // The sum of nothing is minus zero in JavaScript.
  return Math.sumPrecise(scores.map(({ value, weight }) => value * weight)) + 0;
}

function weightedMean(scores: readonly Weighted[]): number {
  const total = Math.sumPrecise(scores.map(({ weight }) => weight));
  if (total === 0) return 0;
  // Weights near the limit of doubles overflow in the sum only; a power of two changes no digit.
  const scale = Number.isFinite(total) ? 1 : 2 ** -64;
  const scaled = scores.map(({ value, weight }) => ({ value, weight: weight * scale }));
  return weightedSum(scaled) / Math.sumPrecise(scaled.map(({ weight }) => weight));
}
