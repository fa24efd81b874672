// Grades one tests folder, from reading it to the score tree.

import { announceUnloadable, watcher } from "./announcements.ts";
import type { Declaration } from "./criterion/declaration.ts";
import type { ReadyJudges } from "./judging.ts";
import { lazily } from "./lazy.ts";
import { load, type Loaded, type ReadStage, readStage, suiteOptions } from "./loading.ts";
import { fileUrl } from "./path.ts";
import { type FileResult, resultOf, resultOfUnloadable, type RunError } from "./results.ts";
import { gradeFiles } from "./sandbox/grade.ts";
import type { ScorePlan } from "./score/plan.ts";
import { scoreSuite, type SuiteScore } from "./score/tree.ts";
import type { Settings } from "./settings.ts";
import type { Stage } from "./stage.ts";
import { readSuite } from "./suite/discovery.ts";
import { compareFingerprints, takeFingerprint } from "./suite/fingerprint.ts";
import type { CheckFile, Suite } from "./suite/suite.ts";

/** What grading a tests folder gave. */
export interface GradedSuite extends Omit<SuiteScore, "errors"> {
  /** Empty exactly when there is nothing wrong, whatever `onError` makes of it. */
  errors: RunError[];
}

/**
 * Grades a tests folder.
 *
 * @throws {UsageError} If the tests folder is not there.
 * @throws {DiscoveryError} If the tests folder is wrong; nothing has been run then.
 */
export async function gradeSuite(stage: Stage, settings: Settings): Promise<GradedSuite> {
  const read = await readStage(stage, settings);
  const { testsDir } = read.suite;
  const before = takeFingerprint(testsDir);
  before.catch(() => {});
  const prepare = () => readyJudges(read, settings, { install: true });
  // For strangers nothing is read or installed before it is known that they may ask for it.
  const preparing = settings.untrusted === null ? prepare() : null;
  preparing?.catch(() => {});
  const loaded = await load(read, settings);
  const judges = await (preparing ?? prepare());
  const results = await withJudges(
    read,
    judges,
    settings,
    () => gradeLoaded(read, loaded, settings),
  );
  // The processes take a while to be gone.
  const ending = stage.end();
  const score = scored(read.suite, loaded.plan, results, settings);
  const left = await ending;
  const changes = compareFingerprints(await before, await takeFingerprint(testsDir));
  return withRunErrors(score, [
    ...changes.map((change) => changeError(read.suite, change)),
    ...(left.length === 0 ? [] : [leftError(read.suite, left)]),
  ]);
}

/**
 * Reads tests folders that will be graded one after the other: what is wrong with the last one should
 * be told before the judges of the first one are paid for.
 *
 * @throws {UsageError} If a folder is not there.
 * @throws {DiscoveryError} If a folder's configuration is wrong, or a judge lacks its model, its
 * program or its key.
 */
export async function requireSuites(
  testsDirs: readonly string[],
  settings: Settings,
): Promise<void> {
  for (const testsDir of testsDirs) {
    const { judges } = await readSuite(testsDir, suiteOptions(settings));
    if (judges.length > 0) await (await lazyJudging()).requireJudges(judges, settings);
  }
}

async function gradeLoaded(
  stage: ReadStage,
  { collected, strangers }: Loaded,
  settings: Settings,
): Promise<Map<string, FileResult>> {
  const { suite, roots, cells, groups } = stage;
  const results = new Map<string, FileResult>();
  const loaded: {
    file: CheckFile;
    declarations: readonly Declaration[];
    warnings: readonly string[];
  }[] = [];
  for (const file of suite.checkFiles) {
    const found = collected.get(file.id)!;
    if ("problem" in found) {
      results.set(file.id, resultOfUnloadable(file.shown, file.stem, found.problem));
      announceUnloadable(file, found.problem.message, settings.onEvent);
    } else if (found.declarations.length > 0) loaded.push({ file, ...found });
    else {
      for (const warning of found.warnings) {
        settings.onEvent({ type: "warning", file: file.shown, message: warning });
      }
    }
  }
  const graded = await gradeFiles(
    cells,
    loaded.map(({ file, declarations }) => ({
      id: file.id,
      url: fileUrl(file.path),
      declarations,
    })),
    {
      roots,
      views: stage.views,
      groups,
      maxFileBytes: settings.maxFileBytes,
      maxConcurrent: settings.maxConcurrentProgrammatic,
      loadTimeoutSec: settings.loadTimeoutSec,
      builtinTimeoutSec: settings.builtinTimeoutSec,
      strangers,
      confine: stage.confine,
      customTimeoutSec: settings.customTimeoutSec,
      watch: watcher(suite, settings.onEvent),
    },
  );
  for (const { file, declarations, warnings } of loaded) {
    results.set(
      file.id,
      resultOf(file.shown, declarations, warnings, graded.get(file.id)!, stage.sandbox),
    );
  }
  return results;
}

function lazyJudging(): Promise<typeof import("./judging.ts")> {
  return lazily("./judging.ts", import.meta.url);
}

/** Makes the judges of a tests folder ready; `null` where there are none. */
export async function readyJudges(
  { suite, roots }: ReadStage,
  settings: Settings,
  options: { install: boolean },
): Promise<ReadyJudges | null> {
  if (suite.judges.length === 0) return null;
  const { prepareJudges } = await lazyJudging();
  return await prepareJudges(suite.judges, roots.workspace, settings, options);
}

/** Asks the judges while check files are graded, and stops them if that fails. */
async function withJudges(
  { roots, groups, privateDir, views }: ReadStage,
  judges: ReadyJudges | null,
  settings: Settings,
  gradeFiles: () => Promise<Map<string, FileResult>>,
): Promise<Map<string, FileResult>> {
  if (judges === null) return await gradeFiles();
  const { askJudges } = await lazyJudging();
  const stop = new AbortController();
  const { signal: interrupted } = settings;
  const signal = interrupted === undefined
    ? stop.signal
    : AbortSignal.any([stop.signal, interrupted]);
  try {
    const checksDone = gradeFiles();
    const courtroom = { workspace: roots.workspace, groups, privateDir, views, checksDone, signal };
    const [files, judged] = await Promise.all([
      checksDone,
      askJudges(judges, settings, courtroom),
    ]);
    return new Map([...files, ...judged]);
  } finally {
    stop.abort();
  }
}

function changeError(suite: Suite, change: string): RunError {
  return {
    file: suite.shown,
    message: `${change} while the checks ran, so the scores cannot be trusted`,
    hint: "Keep the tests folder out of reach of what is graded, or grade with other rights",
  };
}

function leftError(suite: Suite, left: readonly number[]): RunError {
  return {
    file: suite.shown,
    message: `what the checks have started does not end (process ${left.join(", ")}) and could ` +
      "change the reward",
    hint: "Grade as a user who may kill it",
  };
}

function scored(
  { checkFiles, judges }: Suite,
  plan: ScorePlan,
  results: ReadonlyMap<string, FileResult>,
  { onError, onEvent }: Settings,
): GradedSuite {
  const inputs = new Map([...results].map(([id, { input }]) => [id, input]));
  const { errors, ...score } = scoreSuite(plan, inputs, { onError });
  const shown = new Map([...checkFiles, ...judges].map((file) => [file.id, file.shown]));
  for (const { file, message } of score.warnings) {
    onEvent({ type: "warning", file: shown.get(file)!, message });
  }
  const known = [...results.values()].flatMap(({ errors }) => errors);
  // Errors that scoring finds, such as a combined score that is not finite, are not known before.
  const found = errors.filter(({ message }) => !known.some((error) => error.message === message));
  return { ...score, errors: [...known, ...found] };
}

/** Errors of the run as a whole: nothing that it computed counts, but it is kept in the details. */
function withRunErrors(score: GradedSuite, runErrors: readonly RunError[]): GradedSuite {
  if (runErrors.length === 0) return score;
  for (const node of Object.values(score.details)) {
    node.errors = [
      ...node.errors ?? [],
      ...runErrors.map(({ file, message }) => ({ file, message })),
    ];
  }
  return { ...score, rewards: null, errors: [...runErrors, ...score.errors] };
}
