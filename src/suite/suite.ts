// What a tests folder holds: plain data, read once.

import type { Warning } from "../errors.ts";
import type { JudgeConfig } from "../judge_config.ts";
import type { RewardTable } from "./reward_toml.ts";
import type { ScoringTable } from "./scoring_table.ts";

/** A file of checks. */
export interface CheckFile {
  /** Absolute. */
  path: string;
  /** From the tests folder, with "/" on every system. */
  id: string;
  /** As a person would type it: the tests folder as it was given, and the id. */
  shown: string;
  /** File name without its extension: the name of its score. */
  stem: string;
  /** The id of its folder; "" is the tests folder itself. */
  folder: string;
}

/** A TOML file that configures a judge. */
export interface JudgeFile extends CheckFile {
  config: JudgeConfig;
}

/** A folder of the tests folder, and what scores in it. */
export interface Folder {
  /** From the tests folder, with "/"; "" is the tests folder itself. */
  id: string;
  /** As a person would type it. */
  shown: string;
  name: string;
  checkFiles: readonly CheckFile[];
  judges: readonly JudgeFile[];
  folders: readonly Folder[];
  /** The `[[reward]]` tables of its `reward.toml`. */
  rewards: readonly RewardTable[];
  /** The `[scoring.…]` tables of its `reward.toml`, by the stem they name. */
  scoring: ReadonlyMap<string, ScoringTable>;
}

/** A tests folder as discovery found it. */
export interface Suite {
  /** Absolute, all links resolved. */
  testsDir: string;
  /** As it was given. */
  shown: string;
  /** Every check file, sorted by id. */
  checkFiles: readonly CheckFile[];
  /** Every judge file, sorted by id. */
  judges: readonly JudgeFile[];
  /** The tests folder itself, with everything below. */
  root: Folder;
  /** Ids of TOML files that configure nothing. */
  ignored: readonly string[];
  warnings: readonly Warning[];
}
