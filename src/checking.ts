// Looks at a tests folder without grading with it: its checks, its judges, its types.

import { DiscoveryError, type RewardKitError } from "./errors.ts";
import { readyJudges } from "./grading.ts";
import { type LoadedSuite, loadRead, type ReadStage, readStage } from "./loading.ts";
import type { JudgeSummaries } from "./judging.ts";
import { lazily } from "./lazy.ts";
import { fileUrl } from "./path.ts";
import type { Collected } from "./sandbox/collect.ts";
import type { Settings } from "./settings.ts";
import { configError, shownPlace } from "./shown_place.ts";
import { importMap, type Stage } from "./stage.ts";

/**
 * Loads a tests folder and makes its judges ready, and says what they would be sent.
 *
 * @throws {DiscoveryError} As {@link loadRead}, and if a judge lacks its model, key or reference.
 */
export async function checkSuite(
  stage: Stage,
  settings: Settings,
): Promise<{ loaded: LoadedSuite; judges: JudgeSummaries }> {
  const problems: RewardKitError[] = [];
  const collect = async <T>(work: Promise<T>): Promise<T | null> => {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof DiscoveryError)) throw error;
      problems.push(...error.problems);
      return null;
    }
  };
  const read = await readStage(stage, settings);
  const [loaded, judges] = await Promise.all([
    collect(loadRead(read, settings)),
    collect(summaries(read, settings)),
    collect(requireTypes(read, settings)),
  ]);
  if (loaded === null || judges === null || problems.length > 0) throw new DiscoveryError(problems);
  await advise(read, loaded, settings);
  return { loaded, judges };
}

/** @throws {DiscoveryError} If the types of check files are wrong. */
async function requireTypes(stage: ReadStage, settings: Settings): Promise<void> {
  const { suite, roots, sources, groups, osSandbox } = stage;
  const files = suite.checkFiles.map(({ path }) => path);
  if (!settings.checksTypes || files.length === 0) return;
  const { checkTypes } = await lazily<typeof import("./sandbox/typing.ts")>(
    "./sandbox/typing.ts",
    import.meta.url,
  );
  const { mistakes, failure } = await checkTypes({
    tests: roots.tests,
    files,
    importMap: importMap(sources),
    groups,
    memoryMiB: settings.memoryLimitMiB,
    areStrangers: settings.untrusted !== null,
    osSandbox,
    ...(settings.signal !== undefined && { signal: settings.signal }),
  });
  if (failure !== undefined) {
    const message = `${suite.shown}: the types are not checked: ${failure}`;
    settings.onEvent({ type: "warning", message });
  }
  const problems = mistakes.map((mistake) =>
    configError(shownPlace(suite, mistake), mistake.message)
  );
  if (problems.length > 0) throw new DiscoveryError(problems);
}

/** Tells what is allowed and probably not meant. */
async function advise(
  { suite, sources, roots, privateDir }: ReadStage,
  { collected, plan }: LoadedSuite,
  { onEvent }: Settings,
): Promise<void> {
  const { adviceOn, unusedAdvice } = await lazily<typeof import("./suite/advice.ts")>(
    "./suite/advice.ts",
    import.meta.url,
  );
  const advice = adviceOn(suite, plan);
  const silent = suite.checkFiles.filter(({ id }) => declarationsOf(collected.get(id)) === 0);
  if (silent.length > 0) {
    const { importedModules } = await lazily<typeof import("./sandbox/import_graph.ts")>(
      "./sandbox/import_graph.ts",
      import.meta.url,
    );
    const imported = await importedModules({
      tests: roots.tests,
      files: suite.checkFiles.map(({ path }) => fileUrl(path)),
      importMap: importMap(sources),
      privateDir,
    });
    const used = new Set([...imported.values()].flat());
    advice.push(...silent.filter(({ path }) => !used.has(path)).map(unusedAdvice));
  }
  for (const message of advice) onEvent({ type: "warning", message });
}

function declarationsOf(collected: Collected | undefined): number {
  return collected === undefined || "problem" in collected ? 0 : collected.declarations.length;
}

async function summaries(read: ReadStage, settings: Settings): Promise<JudgeSummaries> {
  const ready = await readyJudges(read, settings, { install: false });
  if (ready === null) return {};
  const { summarizeJudges } = await lazily<typeof import("./judging.ts")>(
    "./judging.ts",
    import.meta.url,
  );
  return await summarizeJudges(ready);
}
