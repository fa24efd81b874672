// Every case of fixtures/cases through the real command line: inputs that broke graders before.

import assert from "node:assert/strict";
import { type Case, type Expected, type ExpectedCriterion, readCases } from "./cases/case.ts";
import { gradeCase, type GradedCase } from "./cases/grade_case.ts";

for (const test of readCases()) {
  Deno.test({
    name: `${test.id}: ${test.what}`,
    ignore: !(test.needs ?? []).every(holds),
    fn: async () => {
      const graded = await gradeCase(test);
      try {
        compare(test, graded);
      } catch (error) {
        console.error(`${test.id} should end so: ${test.right}\n${graded.stderr}${graded.details}`);
        throw error;
      }
    },
  });
}

function compare({ expected, probe }: Case, graded: GradedCase): void {
  assert.equal(graded.exit, expected.exit, "exit code");
  assert.deepEqual(JSON.parse(graded.reward ?? "null"), expected.reward, "reward.json");
  assert.equal(graded.details === null, expected.criteria === undefined, "reward-details.json");
  const { criteria, warnings } = flatten(JSON.parse(graded.details ?? "{}"));
  assert.deepEqual(
    criteria.map(({ name }) => name),
    (expected.criteria ?? []).map(({ name }) => name),
    "criteria",
  );
  criteria.forEach((found, index) => {
    compareCriterion(found, warnings, expected.criteria![index]!);
  });
  for (const text of expected.warnings ?? []) includes(warnings.join("\n"), text);
  compareSent(expected, graded.sent);
  for (const text of expected.stderr ?? []) includes(graded.stderr, text);
  for (const text of expected.never ?? []) {
    for (const place of ["stdout", "stderr", "reward", "details"] as const) {
      assert.ok(!graded[place]?.includes(text), `${place} holds ${text}`);
    }
  }
  if (probe !== undefined) assert.equal(graded.probed, probe.prints, probe.command);
  // Far above what any takes on a busy machine: it tells a run that hangs from one that ends.
  const { maxSeconds = 60, maxRssMiB = Infinity } = expected;
  assert.ok(graded.seconds < maxSeconds, `took ${graded.seconds} s`);
  assert.ok(graded.rssMiB < maxRssMiB, `took ${graded.rssMiB} MiB`);
}

function compareCriterion(
  { name, value, error }: ScoredCriterion,
  warnings: readonly string[],
  expected: ExpectedCriterion,
): void {
  if (expected.error === undefined) {
    assert.equal(error, undefined, name);
    assert.equal(value, expected.value, name);
  } else {
    includes(error ?? "no error", expected.error);
    assert.equal(value, 0, name);
  }
  const own = warnings.filter((warning) => warning.startsWith(`${name}: `));
  if (expected.warning !== undefined) includes(own.join("\n"), expected.warning);
  else assert.deepEqual(own, [], name);
}

function compareSent({ calls = 0, sent = [], notSent = [] }: Expected, found: string[]): void {
  assert.equal(found.length, calls, "calls of a model");
  for (const text of sent) includes(found.join("\n"), text);
  for (const text of notSent) {
    assert.ok(!found.some((request) => request.includes(text)), `${text} was sent`);
  }
}

function includes(text: string, part: string): void {
  assert.ok(text.includes(part), `${JSON.stringify(part)} is not in ${JSON.stringify(text)}`);
}

interface ScoredCriterion {
  name: string;
  value: number;
  error?: string;
}

/** A node of the details; either `criteria` or `components`. */
interface Node {
  criteria?: ScoredCriterion[];
  components?: { detail: Node }[];
  warnings?: string[];
}

function flatten(details: Record<string, Node>): {
  criteria: ScoredCriterion[];
  warnings: string[];
} {
  const nodes = Object.values(details).flatMap(withInner);
  return {
    criteria: nodes.flatMap(({ criteria = [] }) => criteria),
    warnings: nodes.flatMap(({ warnings = [] }) => warnings),
  };
}

function withInner(node: Node): Node[] {
  return [node, ...(node.components ?? []).flatMap(({ detail }) => withInner(detail))];
}

function holds(condition: string): boolean {
  const args = ["-c", condition];
  return new Deno.Command("sh", { args, stdout: "null", stderr: "null" }).outputSync().success;
}
