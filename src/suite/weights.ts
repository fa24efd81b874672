// Rules about weights, the same for criteria and for the inputs of a group.

import type { Aggregation } from "../score/aggregate.ts";
import type { PlanLeaf } from "../score/plan.ts";
import type { Problems } from "./problems.ts";
import { show } from "./table.ts";

interface Named {
  name: string;
  weight: number;
}

/** Weights are finite, and not negative unless they are summed. */
export function checkWeights(
  aggregation: Aggregation,
  inputs: readonly Named[],
  file: string,
  problems: Problems,
): void {
  for (const { name, weight } of inputs) {
    if (!Number.isFinite(weight)) {
      problems.add({ file }, `"${name}" has the weight ${show(weight)}, expected a finite number`);
    } else if (weight < 0 && aggregation !== "weighted-sum") {
      problems.add(
        { file },
        `"${name}" has the negative weight ${weight}, which ${aggregation} does not take`,
        'Set aggregation = "weighted-sum", or a weight of at least 0',
      );
    }
  }
}

/** Where weights count, at least one of them should. */
export function warnOfZeroWeights(
  aggregation: Aggregation,
  inputs: readonly Named[],
  file: string,
  problems: Problems,
): void {
  if (aggregation.endsWith("-pass") || !inputs.every(({ weight }) => weight === 0)) return;
  problems.warn(file, "all weights are 0, so the score is 0 whatever the checks find");
}

/**
 * Weights count inside their file only, which surprises authors who spread them over files: warns
 * where somebody set some, and they add up differently in files that count the same.
 */
export function warnOfLostWeights(
  aggregation: Aggregation,
  files: readonly PlanLeaf[],
  folder: string,
  problems: Problems,
): void {
  const means = files.filter(({ scoring }) => isMean(scoring.aggregation));
  const totals = means.map(({ criteria }) => Math.sumPrecise(criteria.map((c) => c.weight)));
  const isWeighted = means.some(({ criteria }) => criteria.some(({ weight }) => weight !== 1));
  if (!isMean(aggregation) || !isWeighted || new Set(totals).size <= 1) return;
  const list = means.map(({ file }, index) => `${file}: ${totals[index]}`).join(", ");
  problems.warn(
    folder,
    `the weights of its files' criteria add up differently (${list}), but every file counts the ` +
      "same; weights in a [[reward]] table of reward.toml say how much each should count",
  );
}

function isMean(aggregation: Aggregation): boolean {
  return aggregation === "weighted-mean" || aggregation === "threshold";
}
