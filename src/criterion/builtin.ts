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

/** What a check function may use beside its arguments. */
export interface CheckContext {
  /** Reads the workspace, guarded against links, devices and size. */
  readonly files: WorkspaceReader;
  /** Adds a warning to the results, under the criterion's name. */
  warn(message: string): void;
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
