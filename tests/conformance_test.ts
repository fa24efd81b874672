// Every recorded case of the original through the command line: it agrees, or it is on the list of
// differences and gives exactly what that says.

import assert from "node:assert/strict";
import { agentDifferences } from "./conformance/agent_differences.ts";
import { criterionProblems, layoutProblems } from "./conformance/agreement.ts";
import { gradeCriteria } from "./conformance/criteria.ts";
import type { Difference, Given } from "./conformance/difference.ts";
import { differences } from "./conformance/differences.ts";
import { judgeDifferences } from "./conformance/judge_differences.ts";
import { gradeLayouts, type Run } from "./conformance/layouts.ts";
import { criterionCases, type LayoutCase, layoutCases } from "./conformance/recorded.ts";

const byCase: ReadonlyMap<string, Difference> = new Map(
  differences.flatMap((difference) => difference.cases.map((id) => [id, difference])),
);

function given(id: string): Given | undefined {
  return byCase.get(id)?.gives;
}

Deno.test("the list of differences names recorded cases, each once", () => {
  const known = new Set([...criterionCases, ...layoutCases].map(({ id }) => id));
  const listed = differences.flatMap(({ cases }) => cases);
  assert.deepEqual(listed.filter((id) => !known.has(id)), []);
  assert.equal(listed.length, new Set(listed).size);
});

Deno.test("docs/differences.md has a row for every kind of difference, and only for these", () => {
  const text = Deno.readTextFileSync(new URL("../docs/differences.md", import.meta.url));
  const rows = text.split("\n").filter((line) => line.startsWith("| **"));
  const kinds = rows.map((row) => /^\| \*\*(.+?)\*\* \|/.exec(row)![1]);
  const listed = [...differences, ...judgeDifferences, ...agentDifferences].map(({ kind }) => kind);
  assert.deepEqual(kinds.toSorted(), [...new Set(listed)].sort());
});

Deno.test("every recorded criterion scores as in the original, or differs as listed", async () => {
  assert.equal(criterionCases.length, 919);
  const refused = new Set(
    criterionCases.filter(({ id, expected }) =>
      given(id)?.refused !== undefined ||
      (expected.error !== undefined && given(id)?.score === undefined)
    ).map(({ id }) => id),
  );
  const outcomes = await gradeCriteria(criterionCases, refused);
  report(criterionCases, (one, gives) => criterionProblems(one, outcomes.get(one.id)!, gives));
});

Deno.test("every recorded tests folder ends as in the original, or differs as listed", async () => {
  assert.equal(layoutCases.length, 270);
  const outcomes = await gradeLayouts(layoutCases, runOf);
  report(layoutCases, (one, gives) => layoutProblems(one, outcomes.get(one.id)!, gives));
});

function runOf({ id, mode, suites, workspace, expected }: LayoutCase): Run {
  const gives = given(id);
  if (gives?.refused !== undefined || gives?.failed !== undefined) return "alone";
  if (suites !== undefined || typeof workspace === "object") return "alone";
  // Whose warning it is can be told of a run of its own only.
  if (expected.warnings !== undefined) return "alone";
  if (expected.chain?.startsWith("ExceptionGroup")) return "failing";
  if (expected.error !== undefined && gives === undefined) return "alone";
  return mode === "discover" ? "listed" : "scored";
}

/** Fails with all problems at once, and with each case that is listed without need. */
function report<Case extends { id: string }>(
  cases: readonly Case[],
  problemsOf: (one: Case, gives: Given | undefined) => string[],
): void {
  const problems: string[] = [];
  const counts = new Map<string, number>();
  for (const one of cases) {
    const difference = byCase.get(one.id);
    problems.push(
      ...problemsOf(one, difference?.gives).map((problem) => `${one.id}: ${problem}`),
    );
    if (difference !== undefined && problemsOf(one, undefined).length === 0) {
      problems.push(`${one.id}: agrees, but is listed under "${difference.kind}"`);
    }
    const key = difference?.kind ?? "agree";
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const shown = [...counts].sort(([, one], [, other]) => other - one)
    .map(([kind, count]) => `${kind}: ${count}`);
  console.log(`${cases.length} cases: ${shown.join(", ")}`);
  assert.equal(problems.join("\n"), "");
}
