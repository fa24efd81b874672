// What a person sees when a run is over: the scores as a tree, then what is wrong, file by file.

import { printable } from "../report/printable.ts";
import { problemsText, type ShownProblem } from "../report/problems_text.ts";
import { treeText } from "../report/tree_text.ts";
import type { Grades } from "../whole_run.ts";

/** How it is shown. */
export interface OutcomeOptions {
  colours: boolean;
  /** Columns. */
  width: number;
  /** Stack traces too. */
  verbose: boolean;
}

/** Criteria of a file that a person looks at. */
const MAX_PASSED = 10;
const MAX_FAILED = 50;

/**
 * The tree, the problems by file, and a line that counts.
 *
 * @param warnings In the order in which they came up.
 */
export function outcomeText(
  { rewards, details, errors }: Grades,
  warnings: readonly ShownProblem[],
  { colours, width, verbose }: OutcomeOptions,
): string {
  const tree = treeText(rewards, details, {
    colours,
    width,
    maxPassed: MAX_PASSED,
    maxFailed: MAX_FAILED,
    notes: false,
  });
  const problems = [
    ...errors.map(({ stack, ...error }): ShownProblem => ({
      kind: "error",
      ...error,
      ...(verbose && stack !== undefined && { stack }),
    })),
    ...warnings,
  ];
  if (problems.length === 0) return tree;
  const safe = problems.map((problem) => {
    const entries = Object.entries(problem).map(([key, value]) => [
      key,
      typeof value === "string" ? printable(value) : value,
    ]);
    return Object.fromEntries(entries) as ShownProblem;
  });
  return `${tree}\n\n${problemsText(safe, { colours })}`;
}
