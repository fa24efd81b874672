// The cases of fixtures/cases: what lies in each folder, and what must come of it.

import type { Reply } from "../model_server.ts";

/** A case, as its `case.json` describes it. */
export interface Case {
  /** The folder's name. */
  id: string;
  /** What happens. */
  what: string;
  /** The right outcome, for people. */
  right: string;
  /** Shell script run before grading; finds `$WORKSPACE`, `$TESTS` and `$OUTPUT`. */
  setup?: string;
  /** Shell script run after grading, and what it must print. */
  probe?: { command: string; prints: string };
  /** Arguments of the command line beside the folders. */
  args?: string[];
  env?: Record<string, string>;
  /** Where the command line is called. Default: where the tests are. */
  cwd?: string;
  /** What the models of judges answer; every judge of OpenAI and Anthropic is led to a stand-in. */
  model?: Reply[];
  /** Standard input of the command line. Default `null`: nothing. */
  stdin?: "null" | "open";
  /** Program and arguments in front of the command line. */
  wrapper?: string[];
  /** Shell commands; the case is left out where one of them fails. */
  needs?: string[];
  expected: Expected;
}

/** What must come of a case. */
export interface Expected {
  exit: number;
  /** Content of `reward.json`; `null`: it is not there. */
  reward: Record<string, number> | null;
  /** Every criterion, in the order of the details. Left out when there are no details. */
  criteria?: ExpectedCriterion[];
  /** Texts that must be part of standard error. */
  stderr?: string[];
  /** Texts that must be part of warnings of a file; with criteria of their own, see there. */
  warnings?: string[];
  /** Requests to models. */
  calls?: number;
  /** Texts that must, and that must not, be part of the requests, as JSON. */
  sent?: string[];
  notSent?: string[];
  /** Texts that must not be part of anything that is printed or written. */
  never?: string[];
  /** Seconds that grading may take. Default 15. */
  maxSeconds?: number;
  /** What the processes of the run may have in memory at their peaks, all together, in MiB. */
  maxRssMiB?: number;
}

/** Outcome of one criterion: a value, perhaps with a warning about it, or an error. */
export interface ExpectedCriterion {
  name: string;
  value?: number;
  /** Part of a warning about this criterion. Left out: there is none. */
  warning?: string;
  /** Part of the error's message. */
  error?: string;
}

const FOLDER = new URL("../../fixtures/cases/", import.meta.url).pathname;

/** Every case, sorted by its name. */
export function readCases(): Case[] {
  return Array.from(Deno.readDirSync(FOLDER))
    .filter(({ isDirectory }) => isDirectory)
    .map(({ name }) => JSON.parse(Deno.readTextFileSync(`${FOLDER}${name}/case.json`)) as Case)
    .sort((a, b) => a.id < b.id ? -1 : 1);
}

/** The folder of a case; not to be written to. */
export function folderOf({ id }: Case): string {
  return `${FOLDER}${id}`;
}
