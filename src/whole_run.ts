// A whole run: one tests folder after the other, within the run's time, and what is written of it.

import { deadline } from "./deadline.ts";
import { UsageError } from "./errors.ts";
import type { GradedSuite } from "./grading.ts";
import { lazily } from "./lazy.ts";
import { nameOf, normalize } from "./path.ts";
import { Outputs } from "./report/outputs.ts";
import type { RunError } from "./results.ts";
import type { ScoreNode } from "./score/tree.ts";
import { type RunOptions, type Settings, settingsFrom } from "./settings.ts";
import { withStage } from "./stage.ts";

/** Scores by reward name, each rounded to 4 decimals. */
export type Scores = Record<string, number>;

/** What a run made, with the explanation of each score. */
export interface Grades {
  /** `null` when errors allow no reward. */
  rewards: Scores | null;
  details: Record<string, ScoreNode>;
  errors: RunError[];
}

/**
 * Grades with one or several tests folders and writes the files.
 *
 * @throws As `run`, but errors while grading are returned.
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

/** The scores of one folder among those of several. */
export function scoresWithin(name: string, scores: Scores): Scores {
  const prefix = `${name}/`;
  return Object.fromEntries(
    Object.entries(scores).filter(([key]) => key.startsWith(prefix))
      .map(([key, score]) => [key.slice(prefix.length), score]),
  );
}
