// Every recorded judge of the original through the command line, against a stand-in for its models:
// it agrees, or it is on the list of differences and gives exactly what that says.

import assert from "node:assert/strict";
import { judgeProblems } from "./conformance/judge_agreement.ts";
import { type GivenByJudge, judgeDifferences } from "./conformance/judge_differences.ts";
import { gradeJudge, type JudgeCase, judgeCases, type JudgeOutcome } from "./conformance/judges.ts";

const given: ReadonlyMap<string, GivenByJudge> = new Map(
  judgeDifferences.flatMap(({ cases }) => Object.entries(cases)),
);

/** Runs at the same time. */
const AT_ONCE = 3;

Deno.test("the list of differences names recorded judges, each once", () => {
  const known = new Set(judgeCases.map(({ id }) => id));
  const listed = judgeDifferences.flatMap(({ cases }) => Object.keys(cases));
  assert.deepEqual(listed.filter((id) => !known.has(id)), []);
  assert.equal(listed.length, given.size);
});

Deno.test("every recorded judge ends as in the original, or differs as listed", async () => {
  assert.equal(judgeCases.length, 239);
  const waiting = [...judgeCases];
  const problems: string[] = [];
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      problems.push(...problemsOf(one, await gradeJudge(one)));
    }
  }));
  console.log(`${judgeCases.length - given.size} of ${judgeCases.length} recorded judges agree`);
  assert.deepEqual(problems, []);
});

function problemsOf(one: JudgeCase, outcome: JudgeOutcome): string[] {
  const problems = judgeProblems(one, outcome);
  const gives = given.get(one.id);
  if (gives === undefined) {
    return problems.map((problem) => `${one.id}: ${problem}\n${outcome.stderr.slice(0, 500)}`);
  }
  if (problems.length === 0) return [`${one.id}: agrees, but is listed`];
  const { code, reward, requests } = outcome;
  const found = { exit: code, reward: reward?.reward ?? null, calls: requests.length };
  if (JSON.stringify(found) === JSON.stringify(gives)) return [];
  return [`${one.id}: gives ${JSON.stringify(found)}, listed ${JSON.stringify(gives)}`];
}
