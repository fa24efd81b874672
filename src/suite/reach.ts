// The highest score that is possible, to find thresholds that nothing can reach.

import type { Aggregation, Scoring } from "../score/aggregate.ts";
import type { Problems } from "./problems.ts";

/** The highest score of an input, and its weight. */
export interface Reach {
  /** Infinity where a custom criterion may return any number. */
  max: number;
  weight: number;
}

/** The highest weighted mean of the inputs; 0 if their weights add up to 0. */
export function meanReach(inputs: readonly Reach[]): number {
  const total = inputs.reduce((sum, { weight }) => sum + weight, 0);
  return total === 0 ? 0 : sumReach(inputs) / total;
}

/** The highest score that an aggregation of the inputs can give. */
export function reachOf(aggregation: Aggregation, inputs: readonly Reach[]): number {
  switch (aggregation) {
    case "weighted-mean":
      return meanReach(inputs);
    case "weighted-sum":
      return sumReach(inputs);
    default:
      return 1;
  }
}

/** An input with a negative weight gives most where it scores 0; a custom one may score less. */
function sumReach(inputs: readonly Reach[]): number {
  return inputs.reduce((sum, { max, weight }) => {
    if (weight === 0) return sum;
    return sum + (weight > 0 ? max * weight : max === Infinity ? Infinity : 0);
  }, 0);
}

/**
 * Refuses a threshold above what the inputs can reach, and warns of one that says nothing. Not
 * asked where all weights are 0: that is warned about on its own, whatever the threshold.
 */
export function checkThreshold(
  { aggregation, threshold }: Scoring,
  inputs: readonly Reach[],
  file: string,
  problems: Problems,
): void {
  if (aggregation !== "threshold" || inputs.every(({ weight }) => weight === 0)) return;
  const max = meanReach(inputs);
  if (max === Infinity && threshold > 1) {
    problems.warn(
      file,
      `the threshold ${threshold} is reached only by criteria that return more than 1`,
    );
  } else if (threshold > max + 1e-9) {
    problems.add(
      { file },
      `the threshold is ${threshold}, but the weighted mean cannot be more than ${max}`,
      `Choose a threshold of at most ${max}`,
    );
  } else if (threshold <= 0) {
    problems.warn(file, `the threshold ${threshold} is reached whatever the checks find`);
  }
}
