// The tree of scores before there are any: what will be combined, and how.

import type { Warning } from "../errors.ts";
import type { Scoring } from "./aggregate.ts";

/** Where a score comes from. */
export type InputKind = "programmatic" | "llm" | "agent";

/** A criterion that will be scored. */
export interface PlannedCriterion {
  name: string;
  weight: number;
  description?: string;
  /** The author's own key for a judge's criterion. */
  id?: string;
  negate?: boolean;
  optional?: boolean;
}

/** The criteria of one check file or judge file. */
export interface PlanLeaf {
  kind: InputKind;
  /** Path of the file from the tests folder, with "/"; the key of its results. */
  file: string;
  scoring: Scoring;
  criteria: readonly PlannedCriterion[];
  /** A judge whose guard finds an attempt to influence it scores at most 0. */
  penalize?: boolean;
}

/** Scores that are combined into one. */
export interface PlanGroup {
  kind: "group";
  /** How messages name it, such as `tests/correctness`. */
  place: string;
  scoring: Scoring;
  /** The aggregation as the author wrote it. */
  spelling: string;
  components: readonly PlanComponent[];
}

/** One input of a group. */
export interface PlanComponent {
  /** File name without extension, or folder name. */
  name: string;
  weight: number;
  node: PlanNode;
}

/** A file's criteria or a group. */
export type PlanNode = PlanLeaf | PlanGroup;

/** One number of `reward.json`. */
export interface PlannedReward {
  name: string;
  node: PlanNode;
  /** Whether `reward-details.json` shows it; totals over what it shows already are left out. */
  inDetails: boolean;
}

/** One scoring file, for listings. */
export interface PlannedInput {
  /** Folder and file name without extension, such as `correctness/files`. */
  name: string;
  /** Weight among the inputs of its folder. */
  weight: number;
  leaf: PlanLeaf;
}

/** All that a run needs to turn results into rewards. */
export interface ScorePlan {
  /** In the order of `reward.json`. */
  rewards: readonly PlannedReward[];
  /** Every scoring file, sorted by name. */
  inputs: readonly PlannedInput[];
  /** What is probably not meant. */
  warnings: readonly Warning[];
}
