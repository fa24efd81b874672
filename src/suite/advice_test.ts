import assert from "node:assert/strict";
import type { PlanLeaf, ScorePlan } from "../score/plan.ts";
import { adviceOn } from "./advice.ts";
import type { Suite } from "./suite.ts";

const FILES = ["a.ts", "b.ts", "q.toml"].map((id) => ({
  path: `/t/${id}`,
  id,
  shown: `t/${id}`,
  stem: id.split(".")[0]!,
  folder: "",
}));

const SUITE = { checkFiles: FILES.slice(0, 2), judges: FILES.slice(2) } as unknown as Suite;

function leaf(file: string, aggregation: string, ...criteria: [string, number][]): PlanLeaf {
  return {
    kind: "programmatic",
    file,
    scoring: { aggregation: aggregation as "all-pass", threshold: 0.5 },
    criteria: criteria.map(([name, weight]) => ({ name, weight })),
  };
}

function plan(leaves: [PlanLeaf, number][], aggregation?: "weighted-mean" | "any-pass"): ScorePlan {
  const inputs = leaves.map(([leaf, weight]) => ({ name: leaf.file, weight, leaf }));
  const components = leaves.map(([node, weight]) => ({ name: node.file, weight, node }));
  const nodes = aggregation === undefined
    ? leaves.map(([leaf]) => leaf)
    : [{ ...leaf("", aggregation), kind: "group" as const, place: "t", spelling: "", components }];
  const rewards = nodes.map((node, index) => ({ name: `${index}`, node, inDetails: true }));
  return { rewards, inputs, warnings: [] };
}

Deno.test("adviceOn() finds weights that never count and names that are used twice", () => {
  const silent = leaf("a.ts", "weighted-mean", ["x", 1], ["x", 2], ["y", 0]);
  const gate = leaf("b.ts", "required-pass", ["x", 2]);
  const advice = adviceOn(SUITE, plan([[silent, 1], [gate, 1]], "weighted-mean"));
  assert.deepEqual(advice.map((message) => message.slice(0, 42)), [
    't/a.ts: 2 criteria are called "x" and cann',
    't/a.ts: "y" has the weight 0 and never cou',
    "t/b.ts: the weights of its criteria never ",
  ]);
});

Deno.test("adviceOn() knows where a judge's weight counts", () => {
  const [check, judge] = [
    leaf("a.ts", "weighted-mean", ["x", 1]),
    leaf("q.toml", "threshold", ["y", 1]),
  ];
  const of = (found: ScorePlan) => adviceOn(SUITE, found).map((message) => message.slice(0, 26));
  const said = ["t/q.toml: the weight in [ju"].map((text) => text.slice(0, 26));
  assert.deepEqual(of(plan([[check, 1], [judge, 2]], "weighted-mean")), []);
  assert.deepEqual(of(plan([[check, 1], [judge, 2]], "any-pass")), said);
  assert.deepEqual(of(plan([[check, 1], [judge, 2]])), said);
  assert.deepEqual(of(plan([[judge, 2]], "weighted-mean")), said);
  assert.deepEqual(of(plan([[check, 1], [judge, 1]])), []);
});

Deno.test("adviceOn() leaves alone what is said elsewhere: that no weight counts at all", () => {
  const zero = leaf("a.ts", "weighted-mean", ["x", 0], ["y", 0]);
  assert.deepEqual(adviceOn(SUITE, plan([[zero, 1]], "weighted-mean")), []);
});
