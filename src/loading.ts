// Loads one tests folder: what it holds, what its check files declare, and what its scores will be.

import { announcePlan, announceSuite } from "./announcements.ts";
import { ConfigError, DiscoveryError } from "./errors.ts";
import { registeredAgents } from "../judges/agents/registry.ts";
import { lazily } from "./lazy.ts";
import { fileUrl } from "./path.ts";
import { ownRoots } from "./policy.ts";
import { likelyWorkers } from "./sandbox/ahead.ts";
import { type Collected, collectFiles } from "./sandbox/collect.ts";
import type { Stranger } from "./sandbox/grade.ts";
import type { Roots } from "./sandbox/permissions.ts";
import { mayImport } from "./sandbox/specifiers.ts";
import { placeInStack } from "./sandbox/stack_place.ts";
import type { ScorePlan } from "./score/plan.ts";
import type { Settings } from "./settings.ts";
import { configError, shownPlace } from "./shown_place.ts";
import { importMap, likelyPermissions, type Stage } from "./stage.ts";
import { readSuite, type SuiteOptions } from "./suite/discovery.ts";
import { type DeclaredCriterion, planScores } from "./suite/score_plan.ts";
import type { CheckFile, Suite } from "./suite/suite.ts";

/** A stage whose tests folder has been read. */
export interface ReadStage extends Stage {
  suite: Suite;
}

/** What a tests folder's check files declare, and what its scores will be. */
export interface Loaded {
  collected: ReadonlyMap<string, Collected>;
  plan: ScorePlan;
  /** What each stranger's file may read beside the workspace; `null` where files are trusted. */
  strangers: ReadonlyMap<string, Stranger> | null;
}

/** A tests folder whose check files have been loaded and whose scores are planned. */
export interface LoadedSuite extends Loaded {
  suite: Suite;
  roots: Roots;
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
  const loaded = await load(read, settings, options);
  const problems = suite.checkFiles.flatMap((file) => {
    const found = loaded.collected.get(file.id)!;
    if (!("problem" in found)) return [];
    const { message, hint, stack } = found.problem;
    const place = placeInStack(stack, suite.testsDir);
    const shown = place === null ? { file: file.shown } : shownPlace(suite, place);
    return [configError(shown, message, hint)];
  });
  if (problems.length > 0) throw new DiscoveryError(problems);
  return { suite, roots, ...loaded };
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

/** How a tests folder is read. */
export function suiteOptions({ suite, workspace }: Settings): SuiteOptions {
  return { ...suite, workspace, agents: registeredAgents() };
}

/** Loads what has been read; a check file that cannot be loaded is one that has a problem. */
export async function load(
  stage: ReadStage,
  settings: Settings,
  { permits }: LoadOptions = { permits: true },
): Promise<Loaded> {
  const { suite } = stage;
  announceSuite(suite, settings.onEvent);
  const strangers = await strangersOf(stage, settings);
  const collected = await withNameHints(await collect(stage, settings, strangers));
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
  return { collected, plan, strangers };
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

async function collect(
  stage: ReadStage,
  settings: Settings,
  strangers: Loaded["strangers"],
): Promise<Map<string, Collected>> {
  const { suite, sources, cells, roots } = stage;
  const collected = await refusedImports(stage);
  const files = suite.checkFiles.filter(({ id }) => !collected.has(id));
  if (files.length === 0) return collected;
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

async function strangersOf(
  { suite, roots, sources, privateDir }: ReadStage,
  { untrusted }: Settings,
): Promise<Loaded["strangers"]> {
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
