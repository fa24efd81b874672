// The command line: from arguments to an exit code.

import { DiscoveryError, RewardKitError, UsageError } from "../errors.ts";
import { lazily } from "../lazy.ts";
import type { RunEvent } from "../events.ts";
import type { RunOptions } from "../settings.ts";
import { type Command, parseArguments } from "./arguments.ts";
import type { CliSettings } from "./flags.ts";
import type { GithubActions } from "./github_actions.ts";
import { Printer } from "./printer.ts";
import { SUBCOMMANDS } from "./subcommands.ts";
import { gradeAll, type Grades, type Scores, scoresWithin, suiteNames } from "../whole_run.ts";

/** Exit codes, as documented in the help. */
const OK = 0;
const ERRORS_WHILE_GRADING = 1;
const WRONG_INPUT = 2;
const BELOW_MINIMUM = 4;
const INTERRUPTED = 130;

/**
 * Runs the command line.
 *
 * @param args Without the name of the program.
 * @returns The exit code.
 */
export async function main(args: readonly string[]): Promise<number> {
  const exitCode = await execute(args);
  const isGrading = args.length > 0 && !SUBCOMMANDS.some(({ name }) => name === args[0]);
  if (exitCode === WRONG_INPUT && isGrading) await forgetEarlierReward(args);
  return exitCode;
}

async function forgetEarlierReward(args: readonly string[]): Promise<void> {
  const { removeEarlierReward } = await lazily<typeof import("./earlier_reward.ts")>(
    "./earlier_reward.ts",
    import.meta.url,
  );
  const printer = new Printer({
    verbose: false,
    quiet: ["--quiet", "-q"].some((flag) => args.includes(flag)),
  });
  for (const message of removeEarlierReward(args)) printer.event({ type: "warning", message });
  printer.release();
}

async function execute(args: readonly string[]): Promise<number> {
  // Known before the arguments are, so that a mistake in them is shown in full as well.
  const verbose = args.includes("--verbose");
  const interruption = new AbortController();
  const interrupt = () => interruption.abort(new Interrupted());
  for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, interrupt);
  try {
    const parsed = await parseArguments(args);
    if (parsed.command === "explained") return parsed.exitCode;
    if ("operands" in parsed) return await write(parsed);
    parsed.settings.options.signal = interruption.signal;
    const { command, testsDirs, settings } = parsed;
    if (settings.watch) return await watchAll(command, testsDirs, settings);
    switch (command) {
      case "grade":
        return await grade(testsDirs, settings);
      case "discover":
        return await list(testsDirs, settings);
      case "check":
        return await checkAll(testsDirs, settings);
      case "permissions":
        return await listPermissions(testsDirs, settings);
    }
  } catch (error) {
    if (error instanceof Interrupted) return INTERRUPTED;
    const shown = error instanceof UsageError ? await withSubcommand(error, args) : error;
    return showFailure(shown, new Printer({ verbose, quiet: false }));
  }
}

/** What other programs of this kind call grading. */
const GRADING = ["grade", "run", "test", "eval"];

/** A sub-command with a slip in it is taken for a tests folder that is not there. */
async function withSubcommand(error: UsageError, [first = ""]: readonly string[]): Promise<Error> {
  if (isThere(first) || SUBCOMMANDS.some(({ name }) => name === first)) return error;
  if (GRADING.includes(first)) {
    return new UsageError(`Tests folder not found: ${first}`, {
      hint: "Grading has no sub-command: rewardkit TESTS",
    });
  }
  const { nearest } = await lazily<typeof import("../nearest.ts")>(
    "../nearest.ts",
    import.meta.url,
  );
  const meant = nearest(first, SUBCOMMANDS.map(({ name }) => name));
  if (meant === undefined) return error;
  return new UsageError(`Tests folder not found: ${first}`, {
    hint: `Did you mean the sub-command ${meant}?`,
  });
}

function isThere(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}

/** @returns The exit code. */
function showFailure(error: unknown, printer: Printer): number {
  if (error instanceof DiscoveryError) {
    for (const problem of error.problems) printer.error(problem);
    return WRONG_INPUT;
  }
  if (error instanceof RewardKitError) {
    printer.error(error);
    return WRONG_INPUT;
  }
  printer.bug(error);
  return ERRORS_WHILE_GRADING;
}

class Interrupted extends Error {}

async function grade(testsDirs: readonly string[], settings: CliSettings): Promise<number> {
  const printer = new Printer(settings);
  const github = await githubActions(settings, printer);
  try {
    const onEvent = (event: RunEvent) => {
      github?.event(event);
      printer.event(event);
    };
    const grades = await gradeAll(testsDirs, { ...settings.options, ownsProcess: true, onEvent })
      .finally(() => printer.close());
    await printer.outcome(grades);
    if (grades.rewards !== null) await printScores(testsDirs, grades, settings, printer);
    await github?.report(grades);
    return exitCode(testsDirs, grades, settings, printer);
  } catch (error) {
    if (!settings.options.signal?.aborted) printer.release();
    github?.refused(error);
    throw error;
  }
}

/** `null` if it is not told. */
async function githubActions(
  { github, options }: CliSettings,
  printer: Printer,
): Promise<GithubActions | null> {
  if (github === undefined) return null;
  const { GithubActions } = await lazily<typeof import("./github_actions.ts")>(
    "./github_actions.ts",
    import.meta.url,
  );
  return new GithubActions(options, printer);
}

function exitCode(
  testsDirs: readonly string[],
  { rewards }: Grades,
  { minReward }: CliSettings,
  printer: Printer,
): number {
  if (rewards === null) return ERRORS_WHILE_GRADING;
  if (minReward === undefined) return OK;
  const low = mainScores(testsDirs, rewards).filter(([, score]) => score < minReward);
  for (const [name, score] of low) printer.belowMinimum(name, score, minReward);
  return low.length === 0 ? OK : BELOW_MINIMUM;
}

/** Of each tests folder the score called `reward`; where there is none, all of them. */
function mainScores(testsDirs: readonly string[], rewards: Scores): [string, number][] {
  const folders = testsDirs.length === 1
    ? [["", rewards] as const]
    : suiteNames(testsDirs).map((name) => [`${name}/`, scoresWithin(name, rewards)] as const);
  return folders.flatMap(([prefix, scores]) => {
    const all = Object.entries(scores);
    const main = all.filter(([name]) => name === "reward");
    return (main.length > 0 ? main : all)
      .map(([name, score]): [string, number] => [prefix + name, score]);
  });
}

/** Grades again and again until it is interrupted. */
async function watchAll(
  command: string,
  testsDirs: readonly string[],
  settings: CliSettings,
): Promise<number> {
  if (command !== "grade") throw new UsageError(`--watch is for grading, not for ${command}`);
  const { gradeOnChange } = await lazily<typeof import("./grade_on_change.ts")>(
    "./grade_on_change.ts",
    import.meta.url,
  );
  const printer = new Printer(settings);
  await gradeOnChange(testsDirs, settings, printer, async (signal) => {
    try {
      await grade(testsDirs, { ...settings, options: { ...settings.options, signal } });
    } catch (error) {
      if (!signal.aborted) showFailure(error, printer);
    }
  });
  return INTERRUPTED;
}

async function write(
  { command, operands, settings }: Extract<Command, { operands: string[] }>,
): Promise<number> {
  const { write } = await lazily<typeof import("./writing.ts")>("./writing.ts", import.meta.url);
  new Printer(settings).line(await write(command, operands, settings));
  return OK;
}

async function printScores(
  testsDirs: readonly string[],
  { rewards }: Grades,
  { json }: CliSettings,
  printer: Printer,
): Promise<void> {
  if (json) return printer.line(JSON.stringify(rewards, null, 2));
  for (const [name, score] of Object.entries(rewards!)) printer.line(`${name}: ${score}`);
  if (testsDirs.length === 1) return;
  const { comparisonTable } = await lazily<typeof import("../report/comparison.ts")>(
    "../report/comparison.ts",
    import.meta.url,
  );
  const table = comparisonTable(suiteNames(testsDirs), rewards!);
  if (table !== null) printer.line(table);
}

async function list(testsDirs: readonly string[], settings: CliSettings): Promise<number> {
  const { listing } = await lazily<typeof import("../report/listing.ts")>(
    "../report/listing.ts",
    import.meta.url,
  );
  const { discover } = await lazyApi();
  return await describeEach(testsDirs, settings, discover, listing);
}

async function checkAll(testsDirs: readonly string[], settings: CliSettings): Promise<number> {
  const { checkText } = await lazily<typeof import("../report/check_text.ts")>(
    "../report/check_text.ts",
    import.meta.url,
  );
  const { check } = await lazyApi();
  return await describeEach(testsDirs, settings, check, checkText);
}

async function listPermissions(
  testsDirs: readonly string[],
  settings: CliSettings,
): Promise<number> {
  const { permissionsText } = await lazily<typeof import("../report/permissions_text.ts")>(
    "../report/permissions_text.ts",
    import.meta.url,
  );
  const { permissions } = await lazyApi();
  return await describeEach(testsDirs, settings, permissions, permissionsText);
}

function lazyApi(): Promise<typeof import("../run.ts")> {
  return lazily("../run.ts", import.meta.url);
}

/** Prints what is found out about each folder, without grading it. */
async function describeEach<T>(
  testsDirs: readonly string[],
  settings: CliSettings,
  find: (testsDir: string, options: RunOptions) => Promise<T>,
  describe: (found: T) => string,
): Promise<number> {
  const printer = new Printer(settings);
  const onEvent = printer.event.bind(printer);
  const found = await Promise.all(
    testsDirs.map((testsDir) => find(testsDir, { ...settings.options, onEvent })),
  );
  if (settings.json) {
    const named = testsDirs.length === 1
      ? found[0]
      : Object.fromEntries(suiteNames(testsDirs).map((name, index) => [name, found[index]]));
    printer.line(JSON.stringify(named, null, 2));
  } else printer.line(found.map((one) => describe(one)).join("\n\n"));
  return OK;
}
