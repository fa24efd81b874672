// Whether an outcome is the recorded one, or the one that the list of differences says.

import { isDeepStrictEqual } from "node:util";
import { round4 } from "../../src/score/round.ts";
import type { CriterionOutcome } from "./criteria.ts";
import type { Given } from "./difference.ts";
import type { LayoutOutcome } from "./layouts.ts";
import type { CriterionCase, LayoutCase } from "./recorded.ts";

/** What is not as recorded, but for what `given` says; empty if all is. */
export function criterionProblems(
  { expected, warned, after }: CriterionCase,
  outcome: CriterionOutcome,
  given: Given = {},
): string[] {
  const { error, warnings } = outcome;
  const isError = given.refused !== undefined ||
    (expected.error !== undefined && given.score === undefined);
  if (isError !== (error !== undefined)) {
    return [error === undefined ? `scores ${outcome.value}, expected an error` : `error: ${error}`];
  }
  if (isError) {
    const isSo = given.refused?.test(error!) ?? true;
    return isSo ? [] : [`error: ${error}, expected one like ${given.refused}`];
  }
  // Values are rounded for output, raw results are not.
  const value = given.score ?? round4(expected.value!);
  const raw = given.raw ?? (given.score === undefined ? expected.raw : given.score > 0);
  const name = given.name ?? outcome.expectedName ?? outcome.name;
  const isWarned = given.warning === undefined
    ? (warnings.length > 0) === warned
    : warnings.some((warning) => given.warning!.test(warning));
  return [
    ...different("value", outcome.value, value),
    ...different("raw", outcome.raw, raw),
    ...different("name", outcome.name, name),
    ...(isWarned
      ? []
      : [`warnings: ${JSON.stringify(warnings)}, expected ${given.warning ?? warned}`]),
    ...different("files afterwards", outcome.exists, after?.exists ?? {}),
  ];
}

/** Likewise, for a tests folder. */
export function layoutProblems(
  { expected, after }: LayoutCase,
  outcome: LayoutOutcome,
  given: Given = {},
): string[] {
  const { code, reward, details, discovered, stderr } = outcome;
  if (given.refused !== undefined) {
    return [
      ...ending(outcome, 2),
      ...different("details", details, null),
      ...said(stderr, given.refused),
    ];
  }
  if (given.failed !== undefined) return [...ending(outcome, 1), ...said(stderr, given.failed)];
  if (given.names !== undefined || given.kinds !== undefined) {
    const kinds = discovered?.map(({ kind }) => kind);
    const names = discovered?.flatMap(({ criteria }) => criteria)?.map(({ name }) => name);
    return [
      ...different("kinds", kinds, given.kinds ?? kinds),
      ...different("names", names, given.names ?? names),
    ];
  }
  if (expected.error !== undefined) {
    if (!expected.chain!.startsWith("ExceptionGroup")) {
      return code === 0 ? [`succeeds, expected ${expected.error}`] : ending(outcome, code);
    }
    const isTold = JSON.stringify(details).includes('"errors":[{');
    return [...ending(outcome, 1), ...(isTold ? [] : ["no error in the details"])];
  }
  const warning = (expected.warnings ?? 0) > 0 ? said(stderr, /^warning: /m) : [];
  if (expected.discovered !== undefined) {
    return [
      ...different("discovered", discovered?.map(comparable), expected.discovered),
      ...warning,
    ];
  }
  return [
    ...different("reward", reward, expected.reward),
    ...different("order", Object.keys(reward ?? {}), Object.keys(expected.reward!)),
    ...different("details", recordedPart(details), expected.details_shape),
    ...different(
      "files afterwards",
      outcome.exists,
      after === undefined ? {} : expected.after_exists,
    ),
    ...different("comparison", rows(outcome.stdout), rows(expected.comparison ?? "")),
    ...warning,
  ];
}

/** Ended with this exit code and without a reward. */
function ending({ code, reward, stderr }: LayoutOutcome, expected: number): string[] {
  return [
    ...(code === expected ? [] : [`exit code ${code}, expected ${expected}: ${stderr}`]),
    ...different("reward", reward, null),
  ];
}

function said(stderr: string, expected: RegExp): string[] {
  return expected.test(stderr) ? [] : [`says ${JSON.stringify(stderr)}, expected ${expected}`];
}

function different(what: string, found: unknown, expected: unknown): string[] {
  if (isDeepStrictEqual(found, expected)) return [];
  return [`${what}: ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`];
}

/** Keys that were not recorded: what we add, and descriptions. */
const NOT_RECORDED = new Set(
  [
    "description",
    "permissions",
    "isolation",
    "duration_sec",
    "errors",
    "warnings",
    "expected",
    "found",
  ],
);

function recordedPart(details: unknown): unknown {
  return JSON.parse(
    JSON.stringify(details, (key, value) => NOT_RECORDED.has(key) ? undefined : value),
  );
}

/** The recorded listings leave out the default model and effort, and what is absent. */
// deno-lint-ignore no-explicit-any -- an entry of `discover --json`
function comparable({ judge, ...rest }: any): unknown {
  const { model: _model, reasoning_effort: _effort, ...settings } = judge ?? {};
  if (settings.mcp_servers?.length === 0) delete settings.mcp_servers;
  return recordedPart({ ...rest, ...(judge === undefined ? {} : { judge: settings }) });
}

/** The rows of a comparison as numbers, however it is laid out. */
function rows(text: string): [name: string, ...scores: number[]][] {
  return text.split("\n").flatMap((line): [string, ...number[]][] => {
    const [, name, numbers] = /^[│\s]*(\w+)((?:[│\s]+[+-]?[\d.]+)+)[│\s]*$/.exec(line) ?? [];
    if (name === undefined) return [];
    return [[name, ...numbers!.split(/[│\s]+/).filter((cell) => cell !== "").map(Number)]];
  });
}
