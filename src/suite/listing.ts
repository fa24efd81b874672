// What a tests folder would score, without running it.

import type { JsonValue } from "../score/criterion_score.ts";
import type { InputKind, ScorePlan } from "../score/plan.ts";
import { type JudgeCriterion, settingsOf } from "../judge_config.ts";
import type { Suite } from "./suite.ts";

/** A criterion that was found. */
export interface ListedCriterion {
  name: string;
  weight: number;
  description?: string;
  /** Only of judges, as are all that follow. */
  type?: "binary" | "likert" | "numeric" | "rubric";
  points?: number;
  min?: number;
  max?: number;
  levels?: string[];
  files?: string[];
  id?: string;
  negate?: boolean;
  optional?: boolean;
}

/** A scoring file that was found. */
export interface ListedReward {
  /** Folder and file name without extension, such as `correctness/files`. */
  name: string;
  kind: InputKind;
  /** Weight among the inputs of its folder. */
  reward_weight: number;
  aggregation: string;
  /** Only of `threshold`. */
  threshold?: number;
  criteria: ListedCriterion[];
  /** Settings of a judge. */
  judge?: { [key: string]: JsonValue };
  has_prompt_template?: boolean;
}

/** Lists every scoring file of a plan, with its criteria; keys as the original names them. */
export function listRewards(suite: Suite, plan: ScorePlan): ListedReward[] {
  const judges = new Map(suite.judges.map((judge) => [judge.id, judge.config]));
  return plan.inputs.map(({ name, weight, leaf }) => {
    const { aggregation, threshold } = leaf.scoring;
    const config = judges.get(leaf.file);
    return {
      name,
      kind: leaf.kind,
      reward_weight: weight,
      aggregation,
      ...(aggregation === "threshold" ? { threshold } : {}),
      criteria: config === undefined
        ? leaf.criteria.map(({ name, weight, description }) => ({ name, weight, description }))
        : config.criteria.map(listCriterion),
      ...(config === undefined ? {} : {
        judge: settingsOf(config),
        has_prompt_template: config.promptTemplate !== undefined,
      }),
    };
  });
}

function listCriterion(criterion: JudgeCriterion): ListedCriterion {
  const { name, weight, description, scale, files, id, negate, optional } = criterion;
  return {
    name,
    weight,
    description,
    type: scale.type,
    ...(scale.type === "likert" ? { points: scale.points } : {}),
    ...(scale.type === "numeric" ? { min: scale.min, max: scale.max } : {}),
    ...(scale.type === "rubric" ? { levels: [...scale.levels] } : {}),
    ...(files === undefined ? {} : { files: [...files] }),
    ...(id === undefined ? {} : { id }),
    ...(negate ? { negate } : {}),
    ...(optional ? { optional } : {}),
  };
}
