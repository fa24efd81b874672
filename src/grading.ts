// Grades one tests folder, from reading it to the score tree.

import { ProcessGroups } from "./command/groups.ts";
import type { Declaration } from "./criterion/declaration.ts";
import { DiscoveryError, RewardKitError, UsageError } from "./errors.ts";
import { fileUrl } from "./path.ts";
import {
  type FileResult,
  resultOf,
  resultOfJudge,
  resultOfUnloadable,
  type RunError,
} from "./results.ts";
import { Cells } from "./sandbox/cells.ts";
import { type Collected, collectFiles } from "./sandbox/collect.ts";
import { gradeFiles } from "./sandbox/grade.ts";
import { noPermissions, permissionsFor, type Roots, union } from "./sandbox/permissions.ts";
import type { WorkerPermissions } from "./sandbox/protocol.ts";
import { mayImport, readSources, type Sources } from "./sandbox/specifiers.ts";
import type { ScorePlan } from "./score/plan.ts";
import { scoreSuite, type SuiteScore } from "./score/tree.ts";
import type { Settings } from "./settings.ts";
import { readSuite } from "./suite/discovery.ts";
import { compareFingerprints, takeFingerprint } from "./suite/fingerprint.ts";
import { type DeclaredCriterion, planScores } from "./suite/score_plan.ts";
import type { CheckFile, Suite } from "./suite/suite.ts";

/** What grading a tests folder gave. */
export interface GradedSuite extends Omit<SuiteScore, "errors"> {
  /** Empty exactly when there is nothing wrong, whatever `onError` makes of it. */
  errors: RunError[];
}

/** A tests folder whose check files have been loaded and whose scores are planned. */
export interface LoadedSuite {
  suite: Suite;
  collected: ReadonlyMap<string, Collected>;
  plan: ScorePlan;
  roots: Roots;
}

/** Largest heap of a Worker in MiB: room for a text of the largest size that is read. */
const HEAP_MIB = 1024;

/**
 * Grades a tests folder.
 *
 * @throws {UsageError} If the tests folder or the workspace is not there.
 * @throws {DiscoveryError} If the tests folder is wrong; nothing has been run then.
 */
export async function gradeSuite(testsDir: string, settings: Settings): Promise<GradedSuite> {
  return await withCells(testsDir, settings, async (stage) => {
    const before = takeFingerprint(stage.suite.testsDir);
    before.catch(() => {});
    const { collected, plan } = await load(stage, settings);
    const results = await gradeLoaded(stage, collected, settings);
    await stage.end();
    const changed = compareFingerprints(
      await before,
      await takeFingerprint(stage.suite.testsDir),
    );
    return scored(
      plan,
      results,
      changed.map((change) => changeError(stage.suite, change)),
      settings,
    );
  });
}

/**
 * Loads a tests folder without running any of it.
 *
 * @throws {DiscoveryError} As {@link gradeSuite}, and if a check file cannot be loaded.
 */
export async function loadSuite(testsDir: string, settings: Settings): Promise<LoadedSuite> {
  return await withCells(testsDir, settings, async (stage) => {
    const { collected, plan } = await load(stage, settings);
    const problems = stage.suite.checkFiles.flatMap((file) => {
      const found = collected.get(file.id)!;
      if (!("problem" in found)) return [];
      const { message, hint } = found.problem;
      return [new RewardKitError(`${file.shown}: ${message}`, hint === undefined ? {} : { hint })];
    });
    if (problems.length > 0) throw new DiscoveryError(problems);
    return { suite: stage.suite, collected, plan, roots: stage.roots };
  });
}

/** What a run needs from the time its folders are known until its processes are gone. */
interface Stage {
  suite: Suite;
  roots: Roots;
  sources: Sources;
  cells: Cells;
  groups: ProcessGroups;
  privateDir: string;
  end(): Promise<void>;
}

async function withCells<T>(
  testsDir: string,
  settings: Settings,
  work: (stage: Stage) => Promise<T>,
): Promise<T> {
  const { signal } = settings;
  signal?.throwIfAborted();
  const roots = { workspace: realWorkspace(settings.workspace), tests: realTests(testsDir) };
  const sources = readSources(roots.tests);
  const privateDir = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "rewardkit-" }));
  const cells = new Cells({
    privateDir,
    importMap: importMap(sources),
    heapMiB: HEAP_MIB,
    onOutput: outputTap(settings),
  });
  const groups = new ProcessGroups();
  const end = async () => {
    await cells.end();
    await groups.endAll();
  };
  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => {});
  const abort = () => aborted.reject(signal!.reason);
  signal?.addEventListener("abort", abort);
  try {
    // It starts while the folder is read.
    if (sources.texts.size > 0) cells.shared(likelyPermissions(roots));
    const suite = await readSuite(testsDir, { ...settings.suite, workspace: settings.workspace });
    const stage = { suite, roots, sources, cells, groups, privateDir, end };
    return await Promise.race([work(stage), aborted.promise]);
  } finally {
    signal?.removeEventListener("abort", abort);
    await end();
    await Deno.remove(privateDir, { recursive: true }).catch(() => {});
  }
}

function realWorkspace(workspace: string): string {
  try {
    const real = Deno.realPathSync(workspace);
    if (Deno.statSync(real).isDirectory) return real;
  } catch (error) {
    const reason = error instanceof Deno.errors.NotFound
      ? "not found"
      : `cannot be read: ${(error as Error).message}`;
    throw new UsageError(`Workspace ${reason}: ${workspace}`, {
      hint: "Give the folder with the graded work with --workspace",
      cause: error,
    });
  }
  throw new UsageError(`The workspace ${workspace} is not a folder`, {
    hint: "Give the folder with the graded work with --workspace",
  });
}

/** The folder's real path; what is wrong with it is told by {@link readSuite}. */
function realTests(testsDir: string): string {
  try {
    return Deno.realPathSync(testsDir);
  } catch {
    return testsDir;
  }
}

function importMap({ ownSpecifiers }: Sources): Record<string, string> {
  const checks = new URL("../checks.ts", import.meta.url).href;
  return {
    ...Object.fromEntries([...ownSpecifiers].map((name) => [name, checks])),
    ...CODEC_PACKAGES,
  };
}

/**
 * Packages that built-ins load. A cell has no `deno.json`, so a checkout's bare names would mean
 * nothing to it; in a published package they are written out.
 */
const CODEC_PACKAGES = { "@jsquash/jpeg/": "npm:/@jsquash/jpeg@1.6.0/" };

/** Most bytes of what check files print that are passed on: a log must not be filled. */
const MAX_OUTPUT_BYTES = 64 * 1024;

function outputTap({ onNotice }: Settings): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder();
  let left = MAX_OUTPUT_BYTES;
  return (bytes) => {
    if (left <= 0) return;
    onNotice({ type: "output", text: decoder.decode(bytes.subarray(0, left), { stream: true }) });
    left -= bytes.length;
    if (left > 0) return;
    onNotice({ type: "output", text: "\n" });
    onNotice({
      type: "warning",
      message: `check files print more than the ${MAX_OUTPUT_BYTES / 1024} KiB that are shown`,
    });
  };
}

async function load(
  stage: Stage,
  settings: Settings,
): Promise<{ collected: Map<string, Collected>; plan: ScorePlan }> {
  const { suite, sources, cells, roots } = stage;
  const collected = suite.checkFiles.length === 0
    ? new Map<string, Collected>()
    : await collectFiles(
      cells,
      suite.checkFiles.map(({ id, path }) => ({
        id,
        url: fileUrl(path),
        needsOwnWorker: mayImport(sources.texts.get(id) ?? ""),
      })),
      {
        tests: roots.tests,
        cellPermissions: likelyPermissions(roots),
        loadTimeoutSec: settings.loadTimeoutSec,
      },
    );
  const registered = new Map(
    suite.checkFiles.map((file) => [file.id, declared(file, collected.get(file.id)!)]),
  );
  const plan = planScores(suite, registered, {
    ...(settings.passMark !== undefined && { passMark: settings.passMark }),
  });
  for (const message of [...suite.warnings, ...plan.warnings]) {
    settings.onNotice({ type: "warning", message });
  }
  return { collected, plan };
}

/** What most check files need, so that one cell can load and run them. */
function likelyPermissions(roots: Roots): WorkerPermissions {
  return union(noPermissions(), permissionsFor([{ needs: [], readsByDefault: true }], roots));
}

function declared({ stem }: CheckFile, collected: Collected): readonly DeclaredCriterion[] {
  return "problem" in collected ? [{ name: stem, weight: 1 }] : collected.declarations;
}

async function gradeLoaded(
  { suite, roots, cells, groups, privateDir }: Stage,
  collected: ReadonlyMap<string, Collected>,
  settings: Settings,
): Promise<Map<string, FileResult>> {
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
    } else if (found.declarations.length > 0) loaded.push({ file, ...found });
    else {
      for (const warning of found.warnings) {
        settings.onNotice({ type: "warning", message: `${file.shown}: ${warning}` });
      }
    }
  }
  const viewsDir = `${privateDir}/views`;
  await Deno.mkdir(viewsDir);
  const graded = await gradeFiles(
    cells,
    loaded.map(({ file, declarations }) => ({
      id: file.id,
      url: fileUrl(file.path),
      declarations,
    })),
    {
      roots,
      viewsDir,
      groups,
      maxFileBytes: settings.maxFileBytes,
      maxConcurrent: settings.maxConcurrentProgrammatic,
      loadTimeoutSec: settings.loadTimeoutSec,
      builtinTimeoutSec: settings.builtinTimeoutSec,
      customTimeoutSec: settings.customTimeoutSec,
    },
  );
  for (const { file, declarations, warnings } of loaded) {
    results.set(file.id, resultOf(file.shown, declarations, warnings, graded.get(file.id)!));
  }
  for (const judge of suite.judges) results.set(judge.id, resultOfJudge(judge));
  return results;
}

function changeError(suite: Suite, change: string): RunError {
  return {
    file: suite.shown,
    message: `${change} while the checks ran, so the scores cannot be trusted`,
    hint: "Keep the tests folder out of reach of what is graded, or grade with other rights",
  };
}

function scored(
  plan: ScorePlan,
  results: ReadonlyMap<string, FileResult>,
  runErrors: readonly RunError[],
  { onError, onNotice }: Settings,
): GradedSuite {
  const inputs = new Map([...results].map(([id, { input }]) => [id, input]));
  const { rewards, details, errors, warnings } = scoreSuite(plan, inputs, { onError });
  for (const message of warnings) onNotice({ type: "warning", message });
  for (const node of Object.values(details)) {
    const own = runErrors.map(({ file, message }) => ({ file, message }));
    if (own.length > 0) node.errors = [...node.errors ?? [], ...own];
  }
  const known = [...results.values()].flatMap(({ errors }) => errors);
  const all = [...runErrors, ...known, ...errors.filter((error) => !isKnown(error, known))];
  return { rewards: runErrors.length > 0 ? null : rewards, details, errors: all, warnings };
}

/** Errors that scoring finds, such as a combined score that is not finite, are not known before. */
function isKnown(error: RunError, known: readonly RunError[]): boolean {
  return known.some(({ message }) => message === error.message);
}
