// The API: run, runMany and discover.

import { RewardKitError } from "./errors.ts";
import { lazily } from "./lazy.ts";
import type { LoadedSuite } from "./loading.ts";
import type { JudgeSummary } from "./judging.ts";
import type { ListedPermissions } from "./permission_list.ts";
import type { RunError } from "./results.ts";
import { permissionsFor } from "./sandbox/permissions.ts";
import { type RunOptions, type Settings, settingsFrom } from "./settings.ts";
import { withStage } from "./stage.ts";
import type { ListedReward } from "./suite/listing.ts";
import { gradeAll, type Grades, type Scores, scoresWithin, suiteNames } from "./whole_run.ts";

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
    const { loadSuite } = await lazyLoading();
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
        const { loadSuite } = await lazyLoading();
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

function lazyLoading(): Promise<typeof import("./loading.ts")> {
  return lazily("./loading.ts", import.meta.url);
}

function scoresOf({ rewards, errors }: Grades): Scores {
  if (rewards === null) throw new GradingError(errors);
  return rewards;
}
