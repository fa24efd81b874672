// The API: run, runMany and discover.

import { deadline } from "./deadline.ts";
import { RewardKitError, UsageError } from "./errors.ts";
import type { GradedSuite, LoadedSuite } from "./grading.ts";
import { lazily } from "./lazy.ts";
import { nameOf, normalize } from "./path.ts";
import { Outputs } from "./report/outputs.ts";
import type { JudgeSummary } from "./judging.ts";
import type { ListedPermissions } from "./permission_list.ts";
import type { RunError } from "./results.ts";
import { permissionsFor } from "./sandbox/permissions.ts";
import type { ScoreNode } from "./score/tree.ts";
import { type RunOptions, type Settings, settingsFrom } from "./settings.ts";
import { withStage } from "./stage.ts";
import type { ListedReward } from "./suite/listing.ts";

/** Scores by reward name, each rounded to 4 decimals. */
export type Scores = Record<string, number>;

/** Errors while grading: there is no reward, but there are details. */
export class GradingError extends RewardKitError {
  readonly errors: readonly RunError[];

  constructor(errors: readonly RunError[]) {
    const count = errors.length === 1 ? "1 error" : `${errors.length} errors`;
    super(`No reward: ${count} while grading\n${errors.map(describeError).join("\n")}`);
    this.errors = errors;
  }
}

/** File, criterion and message on one line. */
export function describeError({ file, criterion, message }: RunError): string {
  return criterion === undefined ? `${file}: ${message}` : `${file}: ${criterion}: ${message}`;
}

/** What a run made, with the explanation of each score. */
export interface Grades {
  /** `null` when errors allow no reward. */
  rewards: Scores | null;
  details: Record<string, ScoreNode>;
  errors: RunError[];
}

/**
 * Grades the workspace with a tests folder, and writes `reward.json` and `reward-details.json`.
 *
 * @param testsDir The tests folder.
 * @returns The scores, as in `reward.json`.
 * @throws {UsageError} If a folder is not there, an option is out of range or the output cannot be
 * written.
 * @throws {DiscoveryError} If the tests folder is wrong; nothing has been run then.
 * @throws {GradingError} If a criterion has an error; the details are written, the reward is not.
 *
 * @example Grading, and following what happens
 * ```ts
 * import { run } from "@rewardkit/cli";
 * import assert from "node:assert/strict";
 *
 * const tests = await Deno.makeTempDir();
 * await Deno.writeTextFile(
 *   `${tests}/checks.ts`,
 *   'import * as rk from "@rewardkit/cli"; rk.fileExists("answer.txt");',
 * );
 * const workspace = await Deno.makeTempDir();
 * await Deno.writeTextFile(`${workspace}/answer.txt`, "42");
 *
 * const finished: string[] = [];
 * const scores = await run(tests, {
 *   workspace,
 *   output: null,
 *   onEvent: (event) => {
 *     if (event.type === "criterionFinished") finished.push(`${event.criterion}: ${event.score}`);
 *   },
 * });
 * assert.deepEqual(scores, { reward: 1 });
 * assert.deepEqual(finished, ["file_exists:answer.txt: 1"]);
 * ```
 *
 * @example Ending a run
 * ```ts
 * import { run } from "@rewardkit/cli";
 * import assert from "node:assert/strict";
 *
 * const ending = new AbortController();
 * ending.abort(new Error("no longer needed"));
 * const running = run("/tests", { output: null, signal: ending.signal });
 * await assert.rejects(running, /no longer needed/);
 * ```
 */
export async function run(testsDir: string, options: RunOptions = {}): Promise<Scores> {
  return scoresOf(await gradeAll([testsDir], options));
}

/**
 * Grades the workspace with several tests folders, each on its own, and writes one pair of files
 * whose keys have the folder's name in front (`v1/correctness`).
 *
 * @returns The scores of each folder, by the folder's name.
 * @throws As {@link run}, and a {@link UsageError} if two folders have one name.
 */
export async function runMany(
  testsDirs: readonly string[],
  options: RunOptions = {},
): Promise<Record<string, Scores>> {
  const names = suiteNames(testsDirs);
  const scores = scoresOf(await gradeAll(testsDirs, options));
  return Object.fromEntries(names.map((name) => [
    name,
    testsDirs.length === 1 ? scores : scoresWithin(name, scores),
  ]));
}

/** The scores of one folder among those of several. */
export function scoresWithin(name: string, scores: Scores): Scores {
  const prefix = `${name}/`;
  return Object.fromEntries(
    Object.entries(scores).filter(([key]) => key.startsWith(prefix))
      .map(([key, score]) => [key.slice(prefix.length), score]),
  );
}

/** A reward that a tests folder would give, and what its check file would be allowed. */
export interface DiscoveredReward extends ListedReward {
  /** Only of check files: read, write, net, run and env of its Workers. */
  permissions?: Record<string, string[] | true>;
}

/**
 * Says what a tests folder would grade, without running any of it. The check files are loaded, with
 * no permission but to read the tests folder.
 *
 * @throws {UsageError} If a folder is not there.
 * @throws {DiscoveryError} If the tests folder is wrong or a check file cannot be loaded; holds every
 * problem.
 */
export async function discover(
  testsDir: string,
  options: RunOptions = {},
): Promise<DiscoveredReward[]> {
  const settings = settingsFrom(options);
  const loaded = await withStage(testsDir, settings, async (stage) => {
    const { loadSuite } = await lazyGrading();
    return await loadSuite(stage, settings);
  });
  return await discovered(loaded);
}

async function discovered(loaded: LoadedSuite): Promise<DiscoveredReward[]> {
  const { listRewards } = await lazily<typeof import("./suite/listing.ts")>(
    "./suite/listing.ts",
    import.meta.url,
  );
  const files = loaded.plan.inputs.map(({ leaf }) => leaf.file);
  return listRewards(loaded.suite, loaded.plan).map((reward, index) => ({
    ...reward,
    ...permissionsOf(loaded, files[index]!),
  }));
}

/**
 * Says what every criterion and judge of a tests folder asks for, and what of it goes beyond what
 * `untrusted` and `allow` grant. Nothing is run.
 *
 * @throws As {@link discover}.
 */
export async function permissions(
  testsDir: string,
  options: RunOptions = {},
): Promise<ListedPermissions[]> {
  const settings = settingsFrom(options);
  const { suite, collected, roots } = await withWorkspace(
    settings,
    (settings) =>
      withStage(testsDir, settings, async (stage) => {
        const { loadSuite } = await lazyGrading();
        return await loadSuite(stage, settings, { permits: false });
      }),
  );
  const { listPermissions } = await lazily<typeof import("./permission_list.ts")>(
    "./permission_list.ts",
    import.meta.url,
  );
  return listPermissions(suite, collected, roots, settings.untrusted);
}

/** What a tests folder would grade, and what its judges would be sent. */
export interface CheckedSuite {
  rewards: DiscoveredReward[];
  /** By the path of the judge's TOML. */
  judges: Record<string, JudgeSummary>;
  /** Ids of TOML files that configure nothing. */
  ignored: readonly string[];
}

/**
 * Looks for everything that would keep a tests folder from grading, and says what its judges would
 * be sent. Nothing is run, and no model is called. The workspace need not be there yet.
 *
 * @throws {UsageError} If the tests folder is not there.
 * @throws {DiscoveryError} As {@link discover}, and if a judge lacks its model, key or reference;
 * holds every problem.
 */
export async function check(testsDir: string, options: RunOptions = {}): Promise<CheckedSuite> {
  const settings = settingsFrom(options);
  const { loaded, judges } = await withWorkspace(
    settings,
    (settings) =>
      withStage(testsDir, settings, async (stage) => {
        const { checkSuite } = await lazily<typeof import("./checking.ts")>(
          "./checking.ts",
          import.meta.url,
        );
        return await checkSuite(stage, settings);
      }),
  );
  return { rewards: await discovered(loaded), judges, ignored: loaded.suite.ignored };
}

/** With an empty folder for a workspace that is yet to be made. */
async function withWorkspace<T>(
  settings: Settings,
  work: (settings: Settings) => Promise<T>,
): Promise<T> {
  try {
    Deno.statSync(settings.workspace);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    settings.onEvent({
      type: "warning",
      message: `the workspace ${settings.workspace} is not there yet: its files are not looked at`,
    });
    const workspace = await Deno.makeTempDir({ prefix: "rewardkit-" });
    try {
      return await work({ ...settings, workspace });
    } finally {
      await Deno.remove(workspace, { recursive: true });
    }
  }
  return await work(settings);
}

function permissionsOf(
  { collected, roots }: LoadedSuite,
  file: string,
): Pick<DiscoveredReward, "permissions"> {
  const found = collected.get(file);
  if (found === undefined || "problem" in found) return {};
  const granted = permissionsFor(found.declarations, roots);
  const kinds = ["read", "write", "net", "run", "env"] as const;
  const shown = kinds.map((kind) => [kind, granted[kind]] as const)
    .filter((entry): entry is [typeof entry[0], string[] | true] =>
      entry[1] === true || (Array.isArray(entry[1]) && entry[1].length > 0)
    );
  return { permissions: Object.fromEntries(shown) };
}

/**
 * Grades with one or several tests folders and writes the files.
 *
 * @throws As {@link run}, but errors while grading are returned.
 */
export async function gradeAll(
  testsDirs: readonly string[],
  options: RunOptions,
): Promise<Grades> {
  const limit = runLimit(options);
  const settings = { ...settingsFrom(options), ...limit.settings };
  const names = suiteNames(testsDirs);
  const outputs = await Outputs.open(settings);
  const { workspace, passMark } = settings;
  const run = {
    workspace,
    testsDirs,
    names,
    startedAt: new Date(),
    ...(passMark !== undefined && { passMark }),
  };
  const suites: GradedSuite[] = [];
  try {
    if (testsDirs.length > 1) {
      const { requireSuites } = await lazyGrading();
      await requireSuites(testsDirs, settings);
    }
    for (const testsDir of testsDirs) suites.push(await grade(testsDir, settings));
  } catch (error) {
    outputs.discard();
    if (!limit.isOver(error)) throw error;
    const grades = overdue(testsDirs, settings);
    await outputs.writeFurther({ ...run, ...grades });
    return grades;
  } finally {
    limit.lift();
  }
  const grades = testsDirs.length === 1 ? suites[0]! : joined(names, suites);
  await outputs.write({ ...run, ...grades });
  settings.onEvent({ type: "done", rewards: grades.rewards, errors: grades.errors });
  return grades;
}

/** The time for the whole run: when it is up, everything ends as if it were interrupted. */
function runLimit({ signal, timeout = 0 }: RunOptions) {
  if (timeout === 0) return { settings: {}, isOver: () => false, lift: () => {} };
  const ending = new AbortController();
  const reason = new Error("the time of the run is up");
  const limit = deadline(timeout, () => ending.abort(reason));
  const signals = signal === undefined ? [ending.signal] : [ending.signal, signal];
  return {
    settings: { signal: AbortSignal.any(signals) },
    isOver: (error: unknown) => error === reason,
    lift: () => limit.cancel(),
  };
}

/** No reward and no details: what was computed is not all. */
function overdue(testsDirs: readonly string[], { timeoutSec }: Settings): Grades {
  const message = `the run took longer than ${timeoutSec} s and was ended`;
  const hint = "Raise --timeout, or give the criteria that take long a limit of their own";
  return { rewards: null, details: {}, errors: [{ file: testsDirs.join(" "), message, hint }] };
}

async function grade(testsDir: string, settings: Settings): Promise<GradedSuite> {
  return await withStage(testsDir, settings, async (stage) => {
    const { gradeSuite } = await lazyGrading();
    return await gradeSuite(stage, settings);
  });
}

/** Loaded when the first cell is on its way: both take their time. */
function lazyGrading(): Promise<typeof import("./grading.ts")> {
  return lazily("./grading.ts", import.meta.url);
}

function joined(names: readonly string[], suites: readonly GradedSuite[]): Grades {
  const prefixed = <T>(index: number, values: Readonly<Record<string, T>>) =>
    Object.entries(values).map(([key, value]) => [`${names[index]}/${key}`, value] as const);
  const details = suites.flatMap(({ details }, index) => prefixed(index, details));
  const rewards = suites.flatMap(({ rewards }, index) => prefixed(index, rewards ?? {}));
  return {
    rewards: suites.some(({ rewards }) => rewards === null) ? null : Object.fromEntries(rewards),
    details: Object.fromEntries(details),
    errors: suites.flatMap(({ errors }) => errors),
  };
}

/**
 * Base names of the tests folders, which stand in front of their scores.
 *
 * @throws {UsageError} If there is none, or two have one name.
 */
export function suiteNames(testsDirs: readonly string[]): string[] {
  if (testsDirs.length === 0) throw new UsageError("There is no tests folder to grade with");
  const seen = new Map<string, string>();
  return testsDirs.map((testsDir) => {
    const name = nameOf(
      normalize(testsDir.startsWith("/") ? testsDir : `${Deno.cwd()}/${testsDir}`),
    );
    const other = seen.get(name);
    if (other !== undefined) {
      throw new UsageError(`Two tests folders are called "${name}": ${other} and ${testsDir}`, {
        hint: "Their scores could not be told apart; rename one",
      });
    }
    seen.set(name, testsDir);
    return name;
  });
}

function scoresOf({ rewards, errors }: Grades): Scores {
  if (rewards === null) throw new GradingError(errors);
  return rewards;
}
