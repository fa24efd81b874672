// reward.toml: how the scores of a folder are combined.

import { readScoring, type ScoringTable } from "./scoring_table.ts";
import type { Place } from "../errors.ts";
import type { Table } from "./table.ts";

/** One `[[reward]]` table. */
export interface RewardTable extends ScoringTable {
  /** Always set in the tests folder itself, never below it. */
  name?: string;
  /** By file stem or folder name; inputs that are not listed keep their own weight. */
  weights: ReadonlyMap<string, number>;
  /** Where each weight stands. */
  weightPlaces?: ReadonlyMap<string, Place>;
}

/** What a `reward.toml` says. */
export interface RewardToml {
  rewards: RewardTable[];
  /** By the stem of a check file. */
  scoring: Map<string, ScoringTable>;
}

/** Reads `reward.toml`. What is wrong with it becomes problems of the table. */
export function readRewardToml(top: Table, isRoot: boolean): RewardToml {
  const tables = top.tables("reward") ?? [];
  const rewards = tables.map((table) => readReward(table, isRoot));
  if (!isRoot && tables.length > 1) {
    top.problem(
      `has ${tables.length} [[reward]] tables, expected at most one`,
      "A folder below the tests folder has one score; more can be defined in the tests folder's own reward.toml",
    );
  }
  rewards.forEach(({ name }, index) => {
    const isRepeated = rewards.slice(0, index).some((earlier) => earlier.name === name);
    if (isRoot && name !== undefined && isRepeated) {
      tables[index]!.problemAt(["name"], `the name "${name}" is used by an earlier [[reward]]`);
    }
  });

  const scoring = new Map<string, ScoringTable>();
  for (const [stem, value] of Object.entries(top.entries("scoring") ?? {})) {
    const table = top.below(`[scoring.${stem}]`, ["scoring", stem], value);
    if (table === undefined) continue;
    scoring.set(stem, readScoring(table));
    table.finish();
  }
  top.finish();
  return { rewards, scoring };
}

function readReward(table: Table, isRoot: boolean): RewardTable {
  const hasName = table.has("name");
  const name = table.text("name");
  if (isRoot && (!hasName || name === "")) {
    table.problem("has no name", 'Name the score it makes, such as name = "reward"');
  }
  if (!isRoot && hasName) {
    table.problemAt(
      ["name"],
      "has a name, which only the tests folder's own tables have",
      "Remove the name: the folder's name is the name of its score",
    );
  }
  const scoring = readScoring(table);
  const weights = new Map<string, number>();
  const weightPlaces = new Map<string, Place>();
  const given = table.entries("weights") ?? {};
  const numbers = table.below(`${table.where} weights`, ["weights"], given)!;
  for (const input of Object.keys(given)) {
    const weight = numbers.number(input);
    if (weight !== undefined) weights.set(input, weight);
    weightPlaces.set(input, numbers.place([input]));
  }
  table.finish();
  return { ...scoring, ...(isRoot && name !== undefined ? { name } : {}), weights, weightPlaces };
}
