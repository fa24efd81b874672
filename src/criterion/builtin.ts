// How a built-in criterion is declared (in the collecting Worker) and checked (in the built-ins Worker).

import type { CommandDeclaration } from "./declaration.ts";
import type { Need } from "./needs.ts";
import type { CriterionOptions } from "./options.ts";
import { register } from "./registry.ts";
import type { WorkspaceReader } from "./reader.ts";

/** What a family module passes on for one call of one of its criteria. */
export interface BuiltinCall {
  /** Name in JSON and in the results, such as `file_contains`. */
  criterion: string;
  /** What the check function gets, in order; values that `values.ts` can encode. */
  args: readonly unknown[];
  /** The options that the author gave, with any of the criterion's own in it. */
  options?: CriterionOptions;
  /** Option names beside `weight`, `name` and `isolated`; any other name is refused. */
  ownOptions?: readonly string[];
  /** What it looks at, as a sentence without a final period. */
  description: string;
  /** The only source of permissions of the Worker that runs the check. */
  needs?: readonly Need[];
  command?: CommandDeclaration;
  /** Seconds after which the check is stopped; default: the run's limit. */
  timeoutSec?: number;
  /** Looks for mistakes in the arguments that need a library to be found; run before any check. */
  validate?: () => void | Promise<void>;
}

/** Puts one call of a built-in criterion on the list of the check file that is being loaded. */
export function registerBuiltin(call: BuiltinCall): void {
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
