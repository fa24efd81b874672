// What a judge found, ready to be scored.

import type { CriterionScore, JsonValue } from "../src/score/criterion_score.ts";

/** Something that kept a judge from a verdict and is not the graded work's fault. */
export interface JudgeError {
  /** Names of the criteria that have no score for this reason; none: the judge as a whole. */
  criteria: readonly string[];
  message: string;
  /** The way out. */
  hint?: string;
}

/** Results of one judge TOML. */
export interface JudgeResult {
  /** In the order of the TOML; `negate` has been applied. */
  criteria: CriterionScore[];
  warnings: string[];
  errors: JudgeError[];
  /** Every answer as text. */
  judge_output: string;
  usage?: JsonValue;
  /** What made the views that agents worked in. */
  isolation?: string;
  /** Paths of what agents recorded and printed. */
  judge_logs?: string[];
  guard?: { [key: string]: JsonValue };
  durationSec: number;
}
