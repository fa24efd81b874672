// The list of criteria of the check file that is being loaded. One check file loads at a time.

import { CriterionError } from "../errors.ts";
import type { CommandDeclaration } from "./declaration.ts";
import type { Need } from "./needs.ts";
import type { CriterionOptions } from "./options.ts";
import type { Workspace } from "./workspace.ts";

/** A criterion as it was registered, before its name and options are worked out. */
export interface Registration {
  kind: "builtin" | "custom";
  criterion: string;
  args: readonly unknown[];
  options?: CriterionOptions;
  /** Names of options beside those of every criterion. */
  ownOptions?: readonly string[];
  description: string;
  needs?: readonly Need[];
  /** Custom criteria that do not say what they read. */
  readsByDefault?: boolean;
  command?: CommandDeclaration;
  timeoutSec?: number;
  validate?: () => void | Promise<void>;
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
