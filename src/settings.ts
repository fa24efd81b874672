// What a caller may set, and what holds where it does not. Times are seconds.

import { UsageError } from "./errors.ts";
import type { RunEvent } from "./events.ts";
import { resolvePath } from "./path.ts";
import { type Isolation, ISOLATIONS } from "./view/view.ts";
import { type Ceiling, PERMISSION_KINDS, type PermissionKind } from "./policy.ts";

/** Options of {@link run}, {@link runMany} and {@link discover}. */
export interface RunOptions {
  /** Folder with the graded work. Default `/app`. */
  workspace?: string;
  /**
   * Where the reward goes; `reward-details.json` goes beside it. `null` writes nothing. Default
   * `/logs/verifier/reward.json`.
   */
  output?: string | null;
  /**
   * Where a report for people goes, one HTML file that needs nothing else; also when errors allow no
   * reward. Default: none.
   */
  report?: string;
  /** Where a JUnit file for CI services goes; also when errors allow no reward. Default: none. */
  junit?: string;
  /** Criteria of check files computed at the same time; 0 is without limit. Default 8. */
  maxConcurrentProgrammatic?: number;
  /** Calls to models at the same time; 0 is without limit. Default 8. */
  maxConcurrentLlm?: number;
  /** Agents at the same time; 0 is without limit. Default 2. */
  maxConcurrentAgent?: number;
  /** Model or agent for every judge, in place of what the TOMLs say. */
  judge?: string;
  /** Model for every agent judge. */
  model?: string;
  /** Reasoning effort for every judge. */
  reasoningEffort?: string;
  /** Environment variables for judges only. */
  judgeEnv?: Readonly<Record<string, string>>;
  /** Lets several agents share the workspace. Default false. */
  yolo?: boolean;
  /** What counts as passed where no table says so: at least this, in (0, 1]. Default: above 0. */
  passMark?: number;
  /** `zero` scores a criterion that has an error 0 and writes the reward. Default `fail`. */
  onError?: "fail" | "zero";
  /** Seconds that a criterion may take when it has no limit of its own. Default 300, built-ins 60. */
  criterionTimeout?: number;
  /** Seconds that a check file may take to load. Default 30. */
  loadTimeout?: number;
  /** Largest file in bytes that is read from the workspace. Default 256 MiB. */
  maxFileBytes?: number;
  /** Seconds for all of it; 0 is without limit. Default 0. */
  timeout?: number;
  /** MiB that a process which runs check files may take, beside what every such process needs. */
  memoryLimit?: number;
  /**
   * The check files are strangers': each runs in a process of its own inside an operating system's
   * sandbox, and may read the workspace and its own folder, and nothing else. Default false.
   */
  untrusted?: boolean;
  /** What untrusted check files may ask for beyond that; `true` is everything of that kind. */
  allow?: Partial<Record<PermissionKind, readonly string[] | true>>;
  /** `deno` accepts that there is no operating system's sandbox. Default `os`. */
  sandbox?: "os" | "deno";
  /**
   * How isolated criteria get views of the workspace. Default `auto`: the cheapest way that can be
   * had. Any other is an error where the system does not allow it.
   */
  isolation?: Isolation;
  /** Whether {@link check} checks the types of check files, which takes a second or two. Default true. */
  types?: boolean;
  /**
   * Nothing but this run goes on in this process: when it ends, every process that descends from this
   * one, or was left by one that does, is killed, whatever it has done to hide (on Linux, with the
   * permission `ffi`). The command line does so. Without it what moves to a session of its own and
   * empties its environment as well is not found. Default false.
   */
  ownsProcess?: boolean;
  /**
   * Told what happens while it happens. What it throws is an uncaught error of the program, as in
   * any listener.
   */
  onEvent?: (event: RunEvent) => void;
  /** Ends the run: everything that it started is killed and it rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** How check files of strangers are kept. */
export interface Untrusted {
  /** What they may ask for at most beside the workspace and their own folder; paths are absolute. */
  allow: Ceiling;
  sandbox: "os" | "deno";
}

/** Options with every default filled in. */
export interface Settings {
  workspace: string;
  output: string | null;
  /** Absolute path; `null`: none is asked for. */
  report: string | null;
  /** Absolute path; `null`: none is asked for. */
  junit: string | null;
  maxConcurrentProgrammatic: number;
  maxConcurrentLlm: number;
  maxConcurrentAgent: number;
  /** What judges get to see of the environment: everything, keys included. */
  judgeEnvironment: Readonly<Record<string, string>>;
  suite: { judge?: string; model?: string; reasoningEffort?: string; yolo: boolean };
  passMark?: number;
  onError: "fail" | "zero";
  builtinTimeoutSec: number;
  customTimeoutSec: number;
  loadTimeoutSec: number;
  maxFileBytes: number;
  timeoutSec: number;
  memoryLimitMiB: number;
  /** `null`: they are trusted. */
  untrusted: Untrusted | null;
  checksTypes: boolean;
  isolation: Isolation;
  ownsProcess: boolean;
  onEvent: (event: RunEvent) => void;
  signal?: AbortSignal;
}

/** Default place of the workspace and of the reward; Harbor's conventions. */
export const DEFAULT_WORKSPACE = "/app";
export const DEFAULT_OUTPUT = "/logs/verifier/reward.json";

/** Largest file that is read: 256 MiB. */
const DEFAULT_MAX_FILE_BYTES = 256 * 1024 * 1024;

/** Room for a text of the largest size that is read. */
const DEFAULT_MEMORY_LIMIT_MIB = 1024;

const CUSTOM_TIMEOUT_SEC = 300;
const BUILTIN_TIMEOUT_SEC = 60;
const LOAD_TIMEOUT_SEC = 30;

/**
 * Fills in defaults, from the environment (`REWARDKIT_JUDGE`, `REWARDKIT_MODEL`,
 * `REWARDKIT_REASONING_EFFORT`, `REWARDKIT_PASS_MARK`) where that has any.
 *
 * @throws {UsageError} If an option is out of range.
 */
export function settingsFrom(options: RunOptions): Settings {
  const judgeEnvironment = { ...Deno.env.toObject(), ...options.judgeEnv };
  const passMark = options.passMark ?? passMarkFromEnvironment();
  if (passMark !== undefined && !(passMark > 0 && passMark <= 1)) {
    throw new UsageError(`The pass mark is ${passMark}, expected a number above 0 and up to 1`);
  }
  requireChoice("onError", options.onError, ["fail", "zero"]);
  requireChoice("sandbox", options.sandbox, ["os", "deno"]);
  for (const key of COUNTS) requireCount(key, options[key]);
  for (const key of POSITIVES) requirePositive(key, options[key]);
  return {
    workspace: options.workspace ?? DEFAULT_WORKSPACE,
    output: options.output === undefined ? DEFAULT_OUTPUT : options.output,
    report: filePath("report", options.report),
    junit: filePath("junit", options.junit),
    maxConcurrentProgrammatic: options.maxConcurrentProgrammatic ?? 8,
    maxConcurrentLlm: options.maxConcurrentLlm ?? 8,
    maxConcurrentAgent: options.maxConcurrentAgent ?? 2,
    judgeEnvironment,
    suite: {
      ...setting("judge", options.judge ?? judgeEnvironment.REWARDKIT_JUDGE),
      ...setting("model", options.model ?? judgeEnvironment.REWARDKIT_MODEL),
      ...setting(
        "reasoningEffort",
        options.reasoningEffort ?? judgeEnvironment.REWARDKIT_REASONING_EFFORT,
      ),
      yolo: options.yolo ?? false,
    },
    ...(passMark !== undefined && { passMark }),
    onError: options.onError ?? "fail",
    builtinTimeoutSec: options.criterionTimeout ?? BUILTIN_TIMEOUT_SEC,
    customTimeoutSec: options.criterionTimeout ?? CUSTOM_TIMEOUT_SEC,
    loadTimeoutSec: options.loadTimeout ?? LOAD_TIMEOUT_SEC,
    maxFileBytes: options.maxFileBytes ?? DEFAULT_MAX_FILE_BYTES,
    timeoutSec: options.timeout ?? 0,
    memoryLimitMiB: options.memoryLimit ?? DEFAULT_MEMORY_LIMIT_MIB,
    untrusted: untrustedFrom(options),
    checksTypes: options.types ?? true,
    isolation: isolationFrom(options),
    ownsProcess: options.ownsProcess ?? false,
    onEvent: safely(options.onEvent),
    ...(options.signal && { signal: options.signal }),
  };
}

/** What a listener throws must not tear what tells it: a run half ended would leave processes. */
function safely(listen: RunOptions["onEvent"]): (event: RunEvent) => void {
  if (listen === undefined) return () => {};
  return (event) => {
    try {
      listen(event);
    } catch (error) {
      reportError(error);
    }
  };
}

function filePath(name: string, path: string | undefined): string | null {
  if (path === undefined) return null;
  if (path !== "") return resolvePath(Deno.cwd(), path);
  throw new UsageError(`${name} is "", expected the path of a file`);
}

function isolationFrom({ isolation = "auto" }: RunOptions): Isolation {
  if (ISOLATIONS.includes(isolation)) return isolation;
  throw new UsageError(`isolation is "${isolation}", expected one of ${ISOLATIONS.join(", ")}`);
}

function untrustedFrom({ untrusted, allow = {}, sandbox }: RunOptions): Untrusted | null {
  const kinds = Object.keys(allow) as PermissionKind[];
  if (untrusted !== true) {
    const [kind] = kinds;
    const given = kind === undefined ? sandbox && "--sandbox" : `--allow-${kind}`;
    if (given === undefined) return null;
    throw new UsageError(`${given} is for check files of strangers`, {
      hint: "Add --untrusted; without it every check file gets what it declares",
    });
  }
  const ceiling = Object.fromEntries(
    PERMISSION_KINDS.map((kind) => [kind, allowed(kind, allow[kind] ?? [])]),
  );
  return { allow: ceiling as Ceiling, sandbox: sandbox ?? "os" };
}

function allowed(kind: PermissionKind, values: readonly string[] | true): readonly string[] | true {
  if (values === true || (kind !== "read" && kind !== "write")) return values;
  return values.map((path) => resolvePath(Deno.cwd(), path));
}

const COUNTS = [
  "maxConcurrentProgrammatic",
  "maxConcurrentLlm",
  "maxConcurrentAgent",
  "timeout",
] as const;
const POSITIVES = ["criterionTimeout", "loadTimeout", "maxFileBytes", "memoryLimit"] as const;

function requireCount(name: string, value: number | undefined): void {
  if (value === undefined || (Number.isInteger(value) && value >= 0)) return;
  throw new UsageError(`${name} is ${value}, expected a whole number, 0 being without limit`);
}

function requireChoice(name: string, value: string | undefined, allowed: readonly string[]): void {
  if (value === undefined || allowed.includes(value)) return;
  throw new UsageError(`${name} is "${value}", expected ${allowed.join(" or ")}`);
}

function requirePositive(name: string, value: number | undefined): void {
  if (value === undefined || (Number.isFinite(value) && value > 0)) return;
  throw new UsageError(`${name} is ${value}, expected a number above 0`);
}

function setting(key: string, value: string | undefined): Record<string, string> {
  return value === undefined || value === "" ? {} : { [key]: value };
}

function passMarkFromEnvironment(): number | undefined {
  const text = Deno.env.get("REWARDKIT_PASS_MARK");
  return text === undefined || text === "" ? undefined : Number(text);
}
