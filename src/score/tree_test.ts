import assert from "node:assert/strict";
import type { Aggregation } from "./aggregate.ts";
import type { CriterionScore } from "./criterion_score.ts";
import type { PlanGroup, PlanLeaf, PlanNode, ScorePlan } from "./plan.ts";
import { type InputResult, scoreSuite } from "./tree.ts";

function leaf(file: string, names: string[], rest: Partial<PlanLeaf> = {}): PlanLeaf {
  return {
    kind: "programmatic",
    file,
    scoring: { aggregation: "weighted-mean", threshold: 0.5 },
    criteria: names.map((name) => ({ name, weight: 1, description: `checks ${name}` })),
    ...rest,
  };
}

function group(nodes: PlanNode[], aggregation: Aggregation, threshold = 0.5): PlanGroup {
  return {
    kind: "group",
    place: "tests",
    scoring: { aggregation, threshold },
    spelling: aggregation,
    components: nodes.map((node, index) => ({ name: `n${index}`, weight: 1, node })),
  };
}

function planOf(node: PlanNode, leaves: PlanLeaf[]): ScorePlan {
  return {
    rewards: [{ name: "reward", node, inDetails: true }],
    inputs: leaves.map((leaf) => ({ name: leaf.file, weight: 1, leaf })),
    warnings: [],
  };
}

function result(name: string, value: number, rest: Partial<CriterionScore> = {}): CriterionScore {
  return { name, value, raw: value, weight: 1, ...rest };
}

function resultsOf(entries: Record<string, CriterionScore[] | InputResult>) {
  return new Map(
    Object.entries(entries).map(([file, found]) => [
      file,
      Array.isArray(found) ? { criteria: found } : found,
    ]),
  );
}

Deno.test("scoreSuite() takes weights and descriptions from the plan, values from the results", () => {
  const checks = leaf("a.ts", ["x", "y"]);
  const score = scoreSuite(
    planOf(checks, [checks]),
    resultsOf({ "a.ts": [result("x", 1, { weight: 1000 }), result("y", 0)] }),
  );
  assert.deepEqual(score, {
    rewards: { reward: 0.5 },
    details: {
      reward: {
        score: 0.5,
        criteria: [
          { name: "x", value: 1, raw: 1, weight: 1, description: "checks x" },
          { name: "y", value: 0, raw: 0, weight: 1, description: "checks y" },
        ],
        kind: "programmatic",
      },
    },
    errors: [],
    warnings: [],
  });
});

Deno.test("scoreSuite() compares gates with scores that are not rounded", () => {
  const checks = leaf("a.ts", ["x"]);
  const inner = group([checks], "weighted-mean");
  const outer = group([inner], "threshold", 0.8);
  const plan = planOf(outer, [checks]);
  const missed = scoreSuite(plan, resultsOf({ "a.ts": [result("x", 0.79996)] }));
  assert.deepEqual(missed.rewards, { reward: 0 });
  const node = missed.details.reward!;
  assert.ok(node.kind === "group");
  assert.equal(node.threshold, 0.8);
  assert.equal(node.components[0]!.detail.score, 0.8);
  const met = scoreSuite(plan, resultsOf({ "a.ts": [result("x", 0.8)] }));
  assert.deepEqual(met.rewards, { reward: 1 });
});

Deno.test("scoreSuite() gives no reward where a criterion has an error, unless errors score 0", () => {
  const checks = leaf("a.ts", ["x", "y"]);
  const plan = planOf(checks, [checks]);
  const results = resultsOf({
    "a.ts": [result("x", 1), result("y", 1, { raw: null, error: "it threw: boom" })],
  });
  const failed = scoreSuite(plan, results);
  assert.equal(failed.rewards, null);
  assert.deepEqual(failed.errors, [{ file: "a.ts", criterion: "y", message: "it threw: boom" }]);
  const node = failed.details.reward!;
  assert.ok(node.kind !== "group");
  assert.equal(node.criteria[1]!.value, 0);
  assert.equal(node.criteria[1]!.error, "it threw: boom");
  assert.deepEqual(node.errors, failed.errors);

  const zero = scoreSuite(plan, results, { onError: "zero" });
  assert.deepEqual(zero.rewards, { reward: 0.5 });
  assert.deepEqual(zero.errors, failed.errors);
});

Deno.test("scoreSuite() makes a missing result an error, and lists given errors once", () => {
  const checks = leaf("a.ts", ["x", "y"]);
  const plan = planOf(checks, [checks]);
  const none = scoreSuite(plan, new Map());
  assert.equal(none.rewards, null);
  assert.deepEqual(
    none.errors.map(({ message }) => message),
    Array(2).fill("ended without a result"),
  );

  const crash = { file: "a.ts", criterion: "y", message: "boom" };
  const listed = scoreSuite(
    plan,
    resultsOf({
      "a.ts": {
        criteria: [result("x", 1), result("y", 0, { error: "boom" })],
        errors: [crash, { file: "a.ts", message: "the worker died" }],
      },
    }),
  );
  assert.deepEqual(listed.errors, [crash, { file: "a.ts", message: "the worker died" }]);
});

Deno.test("scoreSuite() refuses results in another order than planned", () => {
  const checks = leaf("a.ts", ["x", "y"]);
  assert.throws(
    () =>
      scoreSuite(
        planOf(checks, [checks]),
        resultsOf({ "a.ts": [result("y", 1), result("x", 1)] }),
      ),
    /Results of a\.ts are out of order: "y" in place of "x"/,
  );
});

Deno.test("scoreSuite() makes what is not finite an error, never a reward", () => {
  const checks = leaf("a.ts", ["x", "y"], {
    scoring: { aggregation: "weighted-sum", threshold: 0.5 },
  });
  const plan = planOf(checks, [checks]);
  const nan = scoreSuite(plan, resultsOf({ "a.ts": [result("x", NaN), result("y", 1)] }));
  assert.equal(nan.rewards, null);
  assert.deepEqual(nan.errors, [{ file: "a.ts", criterion: "x", message: "the score is NaN" }]);

  const huge = resultsOf({ "a.ts": [result("x", 1.7e308), result("y", 1.7e308)] });
  const overflow = scoreSuite(plan, huge, { onError: "zero" });
  assert.deepEqual(overflow.rewards, { reward: 0 });
  assert.match(overflow.errors[0]!.message, /combined score is Infinity/);

  const big = leaf("b.ts", ["x"]);
  const other = leaf("c.ts", ["x"]);
  const sum = group([big, other], "weighted-sum");
  const group_ = scoreSuite(
    planOf(sum, [big, other]),
    resultsOf({ "b.ts": [result("x", 1.7e308)], "c.ts": [result("x", 1.7e308)] }),
  );
  assert.equal(group_.rewards, null);
  assert.deepEqual(group_.details.reward!.errors, group_.errors);
});

Deno.test("scoreSuite() warns of a custom number outside 0 to 1 and keeps it", () => {
  const checks = leaf("a.ts", ["x"]);
  const score = scoreSuite(
    planOf(checks, [checks]),
    resultsOf({ "a.ts": { criteria: [result("x", 1.5)], warnings: ["first"] } }),
  );
  assert.deepEqual(score.rewards, { reward: 1.5 });
  assert.deepEqual(score.warnings, [
    { file: "a.ts", message: "first" },
    { file: "a.ts", message: '"x" returned 1.5, which is outside 0 to 1; it is kept' },
  ]);
});

Deno.test("scoreSuite() shows what a judge found, and penalizes what its guard flagged", () => {
  const criteria = [{ name: "x", weight: 1, id: "R1", negate: true, optional: true }];
  const judge = leaf("q.toml", [], { kind: "llm", criteria, penalize: true });
  const found = result("x", 0.7, {
    raw: 3,
    reasoning: "r",
    samples: [3, 3, 4],
    agreement: 2 / 3,
  });
  const notes = { judge: { model: "m" }, judge_output: "o", usage: { input_tokens: 1 } };
  const plan = planOf(judge, [judge]);
  const clean = scoreSuite(
    plan,
    resultsOf({ "q.toml": { criteria: [found], ...notes, guard: { flagged: false } } }),
  );
  assert.deepEqual(clean.details.reward, {
    score: 0.7,
    criteria: [{
      id: "R1",
      name: "x",
      value: 0.7,
      raw: 3,
      weight: 1,
      reasoning: "r",
      negate: true,
      optional: true,
      samples: [3, 3, 4],
      agreement: 0.6667,
    }],
    kind: "llm",
    ...notes,
    guard: { flagged: false },
  });
  const flagged = scoreSuite(
    plan,
    resultsOf({ "q.toml": { criteria: [found], guard: { flagged: true } } }),
  );
  assert.deepEqual(flagged.rewards, { reward: 0 });
});

Deno.test('scoreSuite() keeps a score that is called "__proto__"', () => {
  const checks = leaf("__proto__.ts", ["x"]);
  const plan: ScorePlan = {
    ...planOf(checks, [checks]),
    rewards: [{ name: "__proto__", node: checks, inDetails: true }],
  };
  const score = scoreSuite(plan, resultsOf({ "__proto__.ts": [result("x", 1)] }));
  assert.equal(JSON.stringify(score.rewards), '{"__proto__":1}');
});
