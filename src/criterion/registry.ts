// The list of criteria of the check file that is being loaded. One check file loads at a time.

import { CriterionError } from "../errors.ts";
import type { CommandDeclaration } from "./declaration.ts";
import type { Need } from "./needs.ts";
import type { CriterionOptions } from "./options.ts";
import type { Workspace } from "./workspace.ts";

/** What one call of a criterion says of it. */
export interface CriterionCall {
  /** Built-in: the name in JSON, such as `file_contains`. Custom: as the author named it. */
  criterion: string;
  /** Of a built-in: what its check function gets, in order; values that `values.ts` can encode. */
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

/** A criterion as it was registered, before its name and options are worked out. */
export interface Registration extends CriterionCall {
  kind: "builtin" | "custom";
  /** Custom criteria that do not say what they read. */
  readsByDefault?: boolean;
  /** Custom criteria only: computes the result. */
  compute?: (workspace: Workspace) => unknown;
  /** Set when an explicit call replaces it. */
  withdrawn?: boolean;
}

/** What a check file has declared so far. */
export interface Loading {
  registrations: Registration[];
  warnings: string[];
}

interface OpenLoading extends Loading {
  atEnd: (() => void)[];
}

let loading: OpenLoading | null = null;

/** Starts the list of another check file; ends when {@link endLoading} is called. */
export function beginLoading(): void {
  loading = { registrations: [], warnings: [], atEnd: [] };
}

/** Hands out the list; from then on nothing can be registered. */
export function endLoading(): Loading {
  if (loading === null) return { registrations: [], warnings: [] };
  for (const callback of loading.atEnd) callback();
  const { registrations, warnings } = loading;
  loading = null;
  return { registrations: registrations.filter(({ withdrawn }) => !withdrawn), warnings };
}

/** Adds to the list of the check file that is being loaded. */
export function register(registration: Registration): Registration {
  if (loading === null) {
    throw new CriterionError(
      `${registration.criterion}: criteria are declared while a check file loads, not later`,
      { hint: "Call it at the top level of the check file, not inside a criterion" },
    );
  }
  loading.registrations.push(registration);
  return registration;
}

/** Adds a warning about the check file that is being loaded. */
export function warnLoading(message: string): void {
  loading?.warnings.push(message);
}

/** Calls back when the check file that is being loaded has been loaded. */
export function onLoaded(callback: () => void): void {
  loading?.atEnd.push(callback);
}
