// How a built-in criterion is declared (in the collecting Worker) and checked (in the built-ins Worker).

import { type CriterionCall, register } from "./registry.ts";
import type { WorkspaceReader } from "./reader.ts";

/** Puts one call of a built-in criterion on the list of the check file that is being loaded. */
export function registerBuiltin(call: CriterionCall): void {
  register({ kind: "builtin", ...call });
}

/** Result of a shell command. */
export interface CommandResult {
  /** Exit code; 128 + n after signal n. */
  code: number;
  stdout: string;
  stderr: string;
  /** The time limit was reached and the process group was killed. */
  timedOut: boolean;
  /** stdout or stderr went past the limit; what is here is the beginning. */
  truncated: boolean;
}

/** Why a check failed. */
export interface Mismatch {
  /** `within`: the expected was looked for in the found. */
  how: "equal" | "within";
  expected: unknown;
  found: unknown;
}

/** What a check function may use beside its arguments. */
export interface CheckContext {
  /** Reads the workspace, guarded against links, devices and size. */
  readonly files: WorkspaceReader;
  /** Adds a warning to the results, under the criterion's name. */
  warn(message: string): void;
  /**
   * Keeps for the report what was expected and what was found instead, should the criterion not score
   * 1. Gives `false`, so that a check can end with it.
   */
  mismatch(how: Mismatch["how"], expected: unknown, found: unknown): false;
  /** Runs the command that this criterion declared; the coordinator does it. */
  command(): Promise<CommandResult>;
}

/** Fraction in [0, 1], or passed and failed. */
export type CheckResult = boolean | number;

/**
 * Computes a criterion. Throw {@link SubmissionError} where the graded work is at fault: it scores
 * 0 with that message as a warning. Anything else that is thrown is an error of the run.
 */
// deno-lint-ignore no-explicit-any
export type Check = (context: CheckContext, ...args: any[]) => CheckResult | Promise<CheckResult>;

/** Names of the built-in criteria as they stand in JSON, in the order of the documentation. */
export const BUILTIN_NAMES: readonly string[] = [
  "file_exists",
  "file_not_exists",
  "file_contains",
  "file_contains_regex",
  "file_matches",
  "files_equal",
  "diff_ratio",
  "command_succeeds",
  "command_output_contains",
  "command_output_matches",
  "command_output_matches_regex",
  "json_key_equals",
  "json_path_equals",
  "csv_cell_equals",
  "xlsx_cell_equals",
  "sqlite_query_equals",
  "http_status_equals",
  "http_response_contains",
  "image_size_equals",
  "image_similarity",
  "trajectory_tool_used",
  "trajectory_tool_not_used",
  "trajectory_turn_count",
];

/** `file_exists` as the function that authors call: `fileExists`. */
export function functionNameOf(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
