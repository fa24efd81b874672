// What a check file declares when it is loaded: plain data, sent from the Worker to the coordinator.

import type { Need } from "./needs.ts";

/** A shell command that a built-in criterion asks the coordinator to run. */
export interface CommandDeclaration {
  /** Handed to `sh -c` as it is. */
  command: string;
  /** Working folder; relative ones start at the workspace. Default: the workspace. */
  cwd?: string;
  /** Seconds after which the command and everything it started is killed. */
  timeoutSec: number;
}

/** One criterion of a check file. */
export interface Declaration {
  /** Position in the check file's list of criteria, from 0. */
  index: number;
  kind: "builtin" | "custom";
  /** Built-in: the name in JSON (`file_contains`). Custom: as the author named it. */
  criterion: string;
  /** Name in the results. */
  name: string;
  description: string;
  weight: number;
  isolated: boolean;
  needs: readonly Need[];
  /** A custom criterion that does not say what it reads: the workspace, and what the run allows. */
  readsByDefault?: true;
  /** Seconds; absent means the run's default. */
  timeoutSec?: number;
  /** Only of built-ins that run a command. */
  command?: CommandDeclaration;
  /** Arguments of a built-in, encoded by `values.ts`; the coordinator only passes them on. */
  args?: string;
}
