// What a tests folder may have and probably does not mean: told to whoever checks it, not when grading.

import type { PlanGroup, PlanLeaf, PlanNode, ScorePlan } from "../score/plan.ts";
import type { CheckFile, Suite } from "./suite.ts";

/** Finds weights that never count and criteria of one name; each with its file in front. */
export function adviceOn(suite: Suite, plan: ScorePlan): string[] {
  const files: readonly CheckFile[] = [...suite.checkFiles, ...suite.judges];
  const shown = new Map(files.map(({ id, shown }) => [id, shown]));
  const combined = combinedLeaves(plan);
  return plan.inputs.flatMap(({ weight, leaf }) =>
    [
      ...ofNames(leaf),
      ...ofWeights(leaf),
      ...(weight === 1 || combined.has(leaf.file)
        ? []
        : ["the weight in [judge] never counts: nothing is combined with this judge's score"]),
    ].map((message) => `${shown.get(leaf.file)}: ${message}`)
  );
}

/** Says of a file that it is there for nothing. */
export function unusedAdvice({ shown }: CheckFile): string {
  return `${shown}: registers no criteria, and no check file imports it`;
}

function ofNames({ criteria }: PlanLeaf): string[] {
  const byName = Map.groupBy(criteria, ({ name }) => name);
  return [...byName].filter(([, all]) => all.length > 1).map(([name, { length }]) =>
    `${length} criteria are called "${name}" and cannot be told apart in the results; ` +
    "give each a name of its own"
  );
}

function ofWeights({ criteria, scoring: { aggregation } }: PlanLeaf): string[] {
  if (aggregation.endsWith("-pass")) {
    return criteria.some(({ weight }) => weight !== 1)
      ? [`the weights of its criteria never count with ${aggregation}`]
      : [];
  }
  const silent = criteria.filter(({ weight }) => weight === 0);
  // That none counts is warned about in any case.
  if (silent.length === criteria.length) return [];
  return silent.map(({ name }) => `"${name}" has the weight 0 and never counts`);
}

/** Files of leaves that are combined with something, by a table or a folder where weights count. */
function combinedLeaves({ rewards }: ScorePlan): Set<string> {
  const found = new Set<string>();
  const visit = (node: PlanNode) => {
    if (node.kind !== "group") return;
    for (const { node: inner } of node.components) {
      if (inner.kind !== "group" && weighs(node)) found.add(inner.file);
      visit(inner);
    }
  };
  for (const { node } of rewards) visit(node);
  return found;
}

function weighs({ components, scoring: { aggregation } }: PlanGroup): boolean {
  return components.length > 1 && !aggregation.endsWith("-pass");
}
