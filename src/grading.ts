// Grades one tests folder, from reading it to the score tree.

import { announcePlan, announceSuite, announceUnloadable, watcher } from "./announcements.ts";
import type { Declaration } from "./criterion/declaration.ts";
import { ConfigError, DiscoveryError } from "./errors.ts";
import { registeredAgents } from "../judges/agents/registry.ts";
import type { ReadyJudges } from "./judging.ts";
import { lazily } from "./lazy.ts";
import { fileUrl } from "./path.ts";
import { type FileResult, resultOf, resultOfUnloadable, type RunError } from "./results.ts";
import { likelyWorkers } from "./sandbox/ahead.ts";
import { type Collected, collectFiles } from "./sandbox/collect.ts";
import { ownRoots } from "./policy.ts";
import { gradeFiles, type Stranger } from "./sandbox/grade.ts";
import type { Roots } from "./sandbox/permissions.ts";
import { placeInStack } from "./sandbox/stack_place.ts";
import { mayImport } from "./sandbox/specifiers.ts";
import type { ScorePlan } from "./score/plan.ts";
import { scoreSuite, type SuiteScore } from "./score/tree.ts";
import type { Settings } from "./settings.ts";
import { configError, shownPlace } from "./shown_place.ts";
import { importMap, likelyPermissions, type Stage } from "./stage.ts";
import { readSuite, type SuiteOptions } from "./suite/discovery.ts";
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

/** A stage whose tests folder has been read. */
export interface ReadStage extends Stage {
  suite: Suite;
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
  const { collected, plan } = await load(read, settings);
  const judges = await (preparing ?? prepare());
  const results = await withJudges(
    read,
    judges,
    settings,
    () => gradeLoaded(read, collected, settings),
  );
  // The processes take a while to be gone.
  const ending = stage.end();
  const score = scored(read.suite, plan, results, settings);
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

/**
 * Loads a tests folder without running any of it.
 *
 * @throws {DiscoveryError} As {@link gradeSuite}, and if a check file cannot be loaded.
 */
export async function loadSuite(
  stage: Stage,
  settings: Settings,
  options: LoadOptions = { permits: true },
): Promise<LoadedSuite> {
  return await loadRead(await readStage(stage, settings), settings, options);
}

/** How a tests folder is loaded. */
interface LoadOptions {
  /** Whether asking for more than strangers are allowed is refused. */
  permits: boolean;
}

/** As {@link loadSuite}, for a folder that has been read. */
export async function loadRead(
  read: ReadStage,
  settings: Settings,
  options: LoadOptions = { permits: true },
): Promise<LoadedSuite> {
  const { suite, roots } = read;
  const { collected, plan } = await load(read, settings, options);
  const problems = suite.checkFiles.flatMap((file) => {
    const found = collected.get(file.id)!;
    if (!("problem" in found)) return [];
    const { message, hint, stack } = found.problem;
    const place = placeInStack(stack, suite.testsDir);
    const shown = place === null ? { file: file.shown } : shownPlace(suite, place);
    return [configError(shown, message, hint)];
  });
  if (problems.length > 0) throw new DiscoveryError(problems);
  return { suite, collected, plan, roots };
}

/**
 * Reads the tests folder of a stage.
 *
 * @throws {UsageError} If it is not there.
 * @throws {DiscoveryError} If its configuration is wrong.
 */
export async function readStage(stage: Stage, settings: Settings): Promise<ReadStage> {
  const [link] = stage.sources.linksOut;
  if (settings.untrusted !== null && link !== undefined) {
    throw new DiscoveryError([
      new ConfigError(
        `${stage.testsDir}/${link} is a link that leads out of the ${
          settings.untrusted.sandbox === "deno" ? "folder it lies in" : "tests folder"
        }`,
        { hint: "--untrusted follows none; put a copy in its place" },
      ),
    ]);
  }
  const options = suiteOptions(settings);
  const { untrusted } = settings;
  const confined = untrusted === null ? {} : { templatesWithin: stage.roots.tests };
  return { ...stage, suite: await readSuite(stage.testsDir, { ...options, ...confined }) };
}

function suiteOptions({ suite, workspace }: Settings): SuiteOptions {
  return { ...suite, workspace, agents: registeredAgents() };
}

async function load(
  stage: ReadStage,
  settings: Settings,
  { permits }: LoadOptions = { permits: true },
): Promise<{ collected: Map<string, Collected>; plan: ScorePlan }> {
  const { suite } = stage;
  announceSuite(suite, settings.onEvent);
  const collected = await withNameHints(await collect(stage, settings));
  if (suite.judges.length === 0 && ![...collected.values()].some(declaresAny)) {
    await refuseSwapped(stage);
  }
  if (permits && settings.untrusted !== null) await refuseExcess(stage, collected, settings);
  const registered = new Map(
    suite.checkFiles.map((file) => [file.id, declared(file, collected.get(file.id)!)]),
  );
  const plan = planScores(suite, registered, {
    ...(settings.passMark !== undefined && { passMark: settings.passMark }),
  });
  announcePlan(suite, plan, settings.onEvent);
  if (stage.roots.workspace === stage.roots.tests) {
    const message = "is the workspace as well: its check files and the graded work are one folder";
    settings.onEvent({ type: "warning", file: suite.shown, message });
  }
  for (const warning of [...suite.warnings, ...plan.warnings]) {
    settings.onEvent({ type: "warning", ...warning });
  }
  return { collected, plan };
}

/** @throws {DiscoveryError} If strangers ask for more than they are allowed. */
async function refuseExcess(
  { suite, roots }: ReadStage,
  collected: ReadonlyMap<string, Collected>,
  { untrusted }: Settings,
): Promise<void> {
  const { excessProblems, listPermissions } = await lazily<typeof import("./permission_list.ts")>(
    "./permission_list.ts",
    import.meta.url,
  );
  const problems = excessProblems(listPermissions(suite, collected, roots, untrusted));
  if (problems.length > 0) throw new DiscoveryError(problems);
}

function declaresAny(file: Collected): boolean {
  return "declarations" in file && file.declarations.length > 0;
}

/** @throws {DiscoveryError} If it is the workspace that has checks, and not the tests folder. */
async function refuseSwapped({ suite, roots }: ReadStage): Promise<void> {
  const { checkIn } = await lazily<typeof import("./swapped.ts")>("./swapped.ts", import.meta.url);
  const found = checkIn(roots.workspace);
  if (found === undefined) return;
  throw new DiscoveryError([
    new ConfigError(`${suite.shown} has no checks, but the workspace has: ${found}`, {
      place: { file: suite.shown },
      hint: "They may be the wrong way round: the tests folder comes first, the graded work is " +
        "given with --workspace",
    }),
  ]);
}

/** With what names are called here, where a file uses others. */
async function withNameHints(found: Map<string, Collected>): Promise<Map<string, Collected>> {
  for (const [id, file] of found) {
    if (!("problem" in file) || file.problem.hint !== undefined) continue;
    const { nameHint } = await lazily<typeof import("./name_hints.ts")>(
      "./name_hints.ts",
      import.meta.url,
    );
    const hint = nameHint(file.problem.message);
    if (hint !== undefined) found.set(id, { problem: { ...file.problem, hint } });
  }
  return found;
}

async function collect(stage: ReadStage, settings: Settings): Promise<Map<string, Collected>> {
  const { suite, sources, cells, roots } = stage;
  const collected = await refusedImports(stage);
  const files = suite.checkFiles.filter(({ id }) => !collected.has(id));
  if (files.length === 0) return collected;
  const strangers = await strangersOf(stage, settings);
  const found = await collectFiles(
    cells,
    files.map(({ id, path }) => {
      const source = sources.texts.get(id) ?? "";
      const url = fileUrl(path);
      const stranger = strangers?.get(id);
      if (stranger !== undefined) {
        const { roots, modules } = stranger;
        return { id, url, needsOwnWorker: true, ahead: [], reads: roots.tests, modules };
      }
      // With more files the processors are busy anyway.
      const ahead = files.length === 1
        ? likelyWorkers({ source, url }, roots, settings.maxFileBytes)
        : [];
      return { id, url, needsOwnWorker: mayImport(source), ahead };
    }),
    {
      tests: roots.tests,
      cellPermissions: likelyPermissions(roots),
      loadTimeoutSec: settings.loadTimeoutSec,
      areStrangers: strangers !== null,
    },
  );
  return new Map([...collected, ...found]);
}

/** What each stranger's file may read beside the workspace; `null` where files are trusted. */
async function strangersOf(
  { suite, roots, sources, privateDir }: ReadStage,
  { untrusted }: Settings,
): Promise<Map<string, Stranger> | null> {
  if (untrusted === null) return null;
  const importing = suite.checkFiles.filter(({ id }) => mayImport(sources.texts.get(id) ?? ""));
  let imported = new Map<string, string[]>();
  if (importing.length > 0) {
    const { importedModules } = await lazily<typeof import("./sandbox/import_graph.ts")>(
      "./sandbox/import_graph.ts",
      import.meta.url,
    );
    imported = await importedModules({
      tests: roots.tests,
      files: importing.map(({ path }) => fileUrl(path)),
      importMap: importMap(sources),
      privateDir,
    });
  }
  return new Map(suite.checkFiles.map(({ id, path }) => [
    id,
    { roots: ownRoots(roots, path), modules: imported.get(fileUrl(path)) ?? [] },
  ]));
}

async function refusedImports(stage: ReadStage): Promise<Map<string, Collected>> {
  const { suite, sources, roots, privateDir } = stage;
  const refused = new Map<string, Collected>();
  if (sources.linksOut.length === 0) return refused;
  const { escapingImports } = await lazily<typeof import("./sandbox/import_graph.ts")>(
    "./sandbox/import_graph.ts",
    import.meta.url,
  );
  const escaping = await escapingImports({
    tests: roots.tests,
    files: suite.checkFiles.map(({ path }) => fileUrl(path)),
    importMap: importMap(sources),
    privateDir,
  });
  for (const { id, path } of suite.checkFiles) {
    const module = escaping.get(fileUrl(path));
    if (module === undefined) continue;
    refused.set(id, {
      problem: {
        fault: "check",
        message: `imports ${module}, which is a link out of the tests folder`,
        hint: "Put a copy into the tests folder",
      },
    });
  }
  return refused;
}

function declared({ stem }: CheckFile, collected: Collected): readonly DeclaredCriterion[] {
  return "problem" in collected ? [{ name: stem, weight: 1 }] : collected.declarations;
}

async function gradeLoaded(
  stage: ReadStage,
  collected: ReadonlyMap<string, Collected>,
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
      strangers: await strangersOf(stage, settings),
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
