// The flags of the command line: one table for parsing, for help and for messages.

import { UsageError } from "../errors.ts";
import { PERMISSION_KINDS, type PermissionKind } from "../policy.ts";
import type { RunOptions } from "../settings.ts";
import { ISOLATIONS } from "../view/view.ts";

/** A flag. */
export interface Flag {
  /** Spellings; the first is shown in messages. */
  names: readonly string[];
  /** What stands for its value in help; absent: it takes none. */
  value?: string;
  /** The value may be left out, and is given with "=" only. */
  isOptional?: true;
  help: string;
  /** Takes the value over. Throws a UsageError when the value is no good. */
  set(settings: CliSettings, value: string): void;
}

/** What the command line says. */
export interface CliSettings {
  options: RunOptions;
  verbose: boolean;
  quiet: boolean;
  json: boolean;
  watch?: boolean;
  /** Least reward that is good enough. */
  minReward?: number;
  /** Whether GitHub is told with workflow commands. */
  github?: true;
}

const COUNT_VALUE = "<n>";

/** What permission flags take, in Deno's own spelling. */
const VALUES: Readonly<Record<PermissionKind, string>> = {
  read: "<path,…>",
  write: "<path,…>",
  net: "<host,…>",
  run: "<program,…>",
  env: "<name,…>",
};

/** Every flag, in the order of the help. */
export const FLAGS: readonly Flag[] = [
  {
    names: ["--workspace", "-w"],
    value: "<folder>",
    help: "folder with the graded work (default /app)",
    set: ({ options }, value) => options.workspace = value,
  },
  {
    names: ["--output", "-o"],
    value: "<file>",
    help: "where the reward goes; reward-details.json goes beside it " +
      "(default /logs/verifier/reward.json)",
    set: ({ options }, value) => options.output = value,
  },
  {
    names: ["--max-concurrent-programmatic", "--mcp"],
    value: COUNT_VALUE,
    help: "criteria of check files at the same time, 0 = unlimited (default 8)",
    set: ({ options }, value) =>
      options.maxConcurrentProgrammatic = count("--max-concurrent-programmatic", value),
  },
  {
    names: ["--max-concurrent-llm", "--mcl"],
    value: COUNT_VALUE,
    help: "calls to models at the same time, 0 = unlimited (default 8)",
    set: ({ options }, value) => options.maxConcurrentLlm = count("--max-concurrent-llm", value),
  },
  {
    names: ["--max-concurrent-agent", "--mca"],
    value: COUNT_VALUE,
    help: "agents at the same time, 0 = unlimited (default 2)",
    set: ({ options }, value) =>
      options.maxConcurrentAgent = count("--max-concurrent-agent", value),
  },
  {
    names: ["--judge", "-j"],
    value: "<judge>",
    help: "model or agent for every judge [env: REWARDKIT_JUDGE]",
    set: ({ options }, value) => options.judge = value,
  },
  {
    names: ["--model", "-m"],
    value: "<model>",
    help: "model for every agent judge [env: REWARDKIT_MODEL]",
    set: ({ options }, value) => options.model = value,
  },
  {
    names: ["--reasoning-effort", "--effort"],
    value: "<effort>",
    help: "reasoning effort for every judge [env: REWARDKIT_REASONING_EFFORT]",
    set: ({ options }, value) => options.reasoningEffort = value,
  },
  {
    names: ["--judge-env", "--je"],
    value: "<KEY=VALUE>",
    help: "environment variable for judges only; may be repeated",
    set: ({ options }, value) =>
      options.judgeEnv = { ...options.judgeEnv, ...variable("--judge-env", value) },
  },
  {
    names: ["--yolo"],
    help: "let several agent judges share the workspace",
    set: ({ options }) => options.yolo = true,
  },
  {
    names: ["--pass-mark"],
    value: COUNT_VALUE,
    help: "least score that counts as passed, above 0 and up to 1; without it any score above 0 " +
      "does [env: REWARDKIT_PASS_MARK]",
    set: ({ options }, value) => options.passMark = number("--pass-mark", value),
  },
  {
    names: ["--on-error"],
    value: "<fail|zero>",
    help: "what a criterion with an error means: no reward, or a score of 0 (default fail)",
    set: ({ options }, value) => {
      options.onError = choice("--on-error", value, ["fail", "zero"]);
    },
  },
  {
    names: ["--criterion-timeout"],
    value: "<seconds>",
    help: "time for a criterion without a limit of its own (default 300, built-ins 60)",
    set: ({ options }, value) => options.criterionTimeout = number("--criterion-timeout", value),
  },
  {
    names: ["--load-timeout"],
    value: "<seconds>",
    help: "time for loading a check file (default 30)",
    set: ({ options }, value) => options.loadTimeout = number("--load-timeout", value),
  },
  {
    names: ["--max-file-size"],
    value: "<MiB>",
    help: "largest file that is read from the workspace (default 256)",
    set: ({ options }, value) =>
      options.maxFileBytes = Math.round(number("--max-file-size", value) * 1024 * 1024),
  },
  {
    names: ["--timeout"],
    value: "<seconds>",
    help: "time for the whole run, 0 = unlimited (default 0)",
    set: ({ options }, value) => options.timeout = count("--timeout", value),
  },
  {
    names: ["--memory-limit"],
    value: "<MiB>",
    help: "memory of a process that runs check files (default 1024)",
    set: ({ options }, value) => options.memoryLimit = number("--memory-limit", value),
  },
  {
    names: ["--untrusted"],
    help: "the check files are strangers': sandbox each, and let it read the workspace and its " +
      "own folder alone",
    set: ({ options }) => options.untrusted = true,
  },
  ...PERMISSION_KINDS.map((kind): Flag => ({
    names: [`--allow-${kind}`],
    value: VALUES[kind],
    isOptional: true,
    help: `what untrusted check files may ask for beyond that; without a value, everything`,
    set: ({ options }, value) => options.allow = { ...options.allow, ...allowing(kind, value) },
  })),
  {
    names: ["--sandbox"],
    value: "<os|deno>",
    help: "deno: accept that untrusted check files have no operating system's sandbox (default os)",
    set: ({ options }, value) => options.sandbox = choice("--sandbox", value, ["os", "deno"]),
  },
  {
    names: ["--isolation"],
    value: "<way>",
    help:
      "how isolated criteria get views of the workspace: auto, overlay, fuse or copy (default " +
      "auto: the first of them that can be had)",
    set: ({ options }, value) => options.isolation = choice("--isolation", value, ISOLATIONS),
  },
  {
    names: ["--no-types"],
    help: "check: leave the types of check files alone, which take a second or two",
    set: ({ options }) => options.types = false,
  },
  {
    names: ["--watch"],
    help: "grade again whenever the tests folder or the workspace changes",
    set: (settings) => settings.watch = true,
  },
  {
    names: ["--min-reward"],
    value: COUNT_VALUE,
    help:
      "exit with 4 when the reward is lower, for CI; without a score called reward, when any is",
    set: (settings, value) => settings.minReward = minReward(value),
  },
  {
    names: ["--report"],
    value: "<file>",
    help: "write a report for people, one HTML file that needs no network",
    set: ({ options }, value) => options.report = filePath("--report", value),
  },
  {
    names: ["--junit"],
    value: "<file>",
    help: "write a JUnit file, for CI",
    set: ({ options }, value) => options.junit = filePath("--junit", value),
  },
  {
    names: ["--github"],
    help: "annotate files with workflow commands of GitHub Actions, and write the step's summary",
    set: (settings) => settings.github = true,
  },
  {
    names: ["--json"],
    help: "print the scores, or what was discovered, as JSON",
    set: (settings) => settings.json = true,
  },
  {
    names: ["--quiet", "-q"],
    help: "no progress, no warnings, no tree and no output of check files",
    set: (settings) => settings.quiet = true,
  },
  {
    names: ["--verbose"],
    help:
      "stack traces of errors; also in a log, the tree of scores and a line for each check file",
    set: (settings) => settings.verbose = true,
  },
];

/** An empty value is none: everything of that kind. */
function allowing(kind: PermissionKind, value: string): NonNullable<RunOptions["allow"]> {
  return { [kind]: value === "" ? true : value.split(",").filter((item) => item !== "") };
}

/** Named by a flag's first spelling, so that it can be found in the help. */
function count(flag: string, value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new UsageError(`${flag} is "${value}", expected a whole number, 0 being without limit`);
}

function number(flag: string, value: string): number {
  const parsed = value.trim() === "" ? NaN : Number(value);
  if (Number.isFinite(parsed) && parsed > 0) return parsed;
  throw new UsageError(`${flag} is "${value}", expected a number above 0`);
}

/** Any number: weighted sums go below 0 and above 1. */
function minReward(value: string): number {
  const parsed = value.trim() === "" ? NaN : Number(value);
  if (Number.isFinite(parsed)) return parsed;
  throw new UsageError(`--min-reward is "${value}", expected a number such as 0.8`);
}

function filePath(flag: string, value: string): string {
  if (value !== "") return value;
  throw new UsageError(`${flag} is "", expected the path of a file`);
}

function choice<const T extends string>(flag: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((name) => name === value);
  if (found !== undefined) return found;
  throw new UsageError(`${flag} is "${value}", expected ${allowed.join(" or ")}`);
}

function variable(flag: string, value: string): Record<string, string> {
  const equals = value.indexOf("=");
  if (equals > 0) return { [value.slice(0, equals)]: value.slice(equals + 1) };
  throw new UsageError(`${flag} is "${value}", expected KEY=VALUE`);
}
