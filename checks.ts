/**
 * What a check file gets when it imports Reward Kit: the built-in criteria, `criterion()` for its
 * own, and the errors and types that go with them.
 *
 * @module
 */

export {
  type CommandOptions,
  commandOutputContains,
  commandOutputMatches,
  commandOutputMatchesRegex,
  commandSucceeds,
} from "./criteria/commands.ts";
export { csvCellEquals, type CsvCellOptions } from "./criteria/csv.ts";
export {
  diffRatio,
  type DiffRatioOptions,
  fileContains,
  fileContainsRegex,
  fileExists,
  fileMatches,
  fileNotExists,
  filesEqual,
  type NormalForm,
  type TextOptions,
} from "./criteria/files.ts";
export {
  type HttpOptions,
  httpResponseContains,
  httpStatusEquals,
  type HttpStatusOptions,
} from "./criteria/http.ts";
export { imageSimilarity, imageSizeEquals } from "./criteria/images.ts";
export { type JsonEqualsOptions, jsonKeyEquals, jsonPathEquals } from "./criteria/json.ts";
export { sqliteQueryEquals, type SqliteValue } from "./criteria/sqlite.ts";
export {
  type ToolOptions,
  type ToolUsedOptions,
  type TrajectoryOptions,
  trajectoryToolNotUsed,
  trajectoryToolUsed,
  trajectoryTurnCount,
} from "./criteria/trajectory.ts";
export { xlsxCellEquals, type XlsxCellOptions, type XlsxValue } from "./criteria/xlsx.ts";
export {
  criterion,
  type CriterionDefinition,
  type CriterionFunction,
  type CriterionResult,
  type RegisterCriterion,
  type ScoredResult,
} from "./src/criterion/criterion.ts";
export type { Tolerance } from "./src/criterion/arguments.ts";
export type { CriterionOptions } from "./src/criterion/options.ts";
export type {
  RunOptions as ProgramOptions,
  RunResult,
  Workspace,
} from "./src/criterion/workspace.ts";
export { SubmissionError } from "./src/errors.ts";
