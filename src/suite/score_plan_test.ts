import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { DiscoveryError } from "../errors.ts";
import type { ScorePlan } from "../score/plan.ts";
import { scoreSuite } from "../score/tree.ts";
import { readSuite } from "./discovery.ts";
import { type DeclaredCriterion, type PlanOptions, planScores } from "./score_plan.ts";

type Declared = [string, DeclaredCriterion[]][];

function criteria(...weights: number[]): DeclaredCriterion[] {
  return weights.map((weight, index) => ({ name: `c${index}`, weight, kind: "builtin" }));
}

const CRITERION = '[[criterion]]\ndescription = "d"\n';

/** Plans a folder of check files, given as what they declare, and TOML files, given as text. */
async function plan(
  files: Record<string, DeclaredCriterion[] | string>,
  options?: PlanOptions,
): Promise<ScorePlan> {
  const folder = await Deno.makeTempDir();
  const declared: Declared = [];
  try {
    for (const [name, content] of Object.entries(files)) {
      await Deno.mkdir(dirname(join(folder, name)), { recursive: true });
      await Deno.writeTextFile(join(folder, name), typeof content === "string" ? content : "");
      if (typeof content !== "string") declared.push([name, content]);
    }
    return planScores(await readSuite(folder), new Map(declared), options);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function problems(files: Record<string, DeclaredCriterion[] | string>): Promise<string[]> {
  try {
    await plan(files);
  } catch (error) {
    assert.ok(error instanceof DiscoveryError, String(error));
    return error.problems.map(({ message }) => message.replaceAll(/\/tmp\/[^/:]*(\/|: )/g, ""));
  }
  return assert.fail("the plan has no problem");
}

async function warnings(files: Record<string, DeclaredCriterion[] | string>): Promise<string[]> {
  return (await plan(files)).warnings.map(({ file, message }) =>
    `${file}: ${message}`.replaceAll(/\/tmp\/[^/:]*(\/|: )/g, "")
  );
}

Deno.test("planScores() lists every problem at once", async () => {
  const found = await problems({
    "a.ts": criteria(-1, NaN),
    "b.ts": criteria(1),
    "b.js": criteria(1),
    "silent.ts": [],
    "q.toml": `[scoring]\naggregation = "required-pass"\n${CRITERION}optional = true\n`,
    "one/c.ts": criteria(1),
    "reward.toml": '[[reward]]\nname = "one"\nweights = { silent = 1, on = 2 }\n' +
      "[scoring.q]\n[scoring.silent]\n[scoring.one]\n[scoring.aa]\n",
  });
  assert.deepEqual(found.sort(), [
    'a.ts: "c0" has the negative weight -1, which weighted-mean does not take',
    'a.ts: "c1" has the weight NaN, expected a finite number',
    'b.ts: its score is called "b", as is that of b.js',
    "q.toml: every criterion is optional, and required-pass needs one that is not",
    'reward.toml:1:1: the [[reward]] name "one" is also the name of a score',
    'reward.toml:3:13: "weights" names "silent", which has no score: silent.ts registers no criteria',
    'reward.toml:3:25: "weights" names "on", which has no score',
    'reward.toml:4:1: [scoring.q]: "q" is a judge',
    'reward.toml:5:1: [scoring.silent]: "silent" registers no criteria',
    'reward.toml:6:1: [scoring.one]: "one" is a folder',
    'reward.toml:7:1: [scoring.aa]: "aa" is no check file beside it',
  ]);
});

Deno.test("planScores() refuses a tests folder without criteria and names its files", async () => {
  assert.deepEqual(await problems({ "a.ts": [], "x.toml": "y = 1\n" }), [
    "no criteria: these files declare none: a.ts, x.toml",
  ]);
  assert.deepEqual(await problems({ "test.sh": "" }), [
    "no criteria: it has no check file and no judge TOML",
  ]);
});

Deno.test("planScores() lets a helper share its name with a judge or folder that scores", async () => {
  const { rewards } = await plan({ "a.ts": [], "a.toml": CRITERION, "lib/x.ts": [] });
  assert.deepEqual(rewards.map(({ name }) => name), ["reward"]);
});

Deno.test("planScores() refuses a threshold that nothing can reach", async () => {
  const high = 'aggregation = "threshold"\nthreshold = 1.5\n';
  assert.deepEqual(await problems({ "q.toml": `[scoring]\n${high}${CRITERION}` }), [
    "q.toml: the threshold is 1.5, but the weighted mean cannot be more than 1",
  ]);
  assert.deepEqual(await problems({ "a.ts": criteria(1), "reward.toml": `[scoring.a]\n${high}` }), [
    "a.ts: the threshold is 1.5, but the weighted mean cannot be more than 1",
  ]);
  const custom: DeclaredCriterion[] = [{ name: "c", weight: 1, kind: "custom" }];
  assert.deepEqual(await warnings({ "a.ts": custom, "reward.toml": `[scoring.a]\n${high}` }), [
    "a.ts: the threshold 1.5 is reached only by criteria that return more than 1",
  ]);
  const sums = '[[reward]]\nname = "reward"\naggregation = "threshold"\nthreshold = 2.5\n' +
    '[scoring.a]\naggregation = "weighted-sum"\n';
  await plan({ "a.ts": criteria(3, 2), "reward.toml": sums });
  assert.deepEqual(await problems({ "a.ts": criteria(2, -2), "reward.toml": sums }), [
    "reward.toml: the threshold is 2.5, but the weighted mean cannot be more than 2",
  ]);
  const none = '[scoring.a]\naggregation = "threshold"\nthreshold = 0\n';
  assert.deepEqual(await warnings({ "a.ts": criteria(1), "reward.toml": none }), [
    "a.ts: the threshold 0 is reached whatever the checks find",
  ]);
});

Deno.test("planScores() warns of weights that are all 0", async () => {
  assert.deepEqual(await warnings({ "a.ts": criteria(0, 0) }), [
    "a.ts: all weights are 0, so the score is 0 whatever the checks find",
  ]);
  const gate = '[scoring.a]\naggregation = "all-pass"\n';
  assert.deepEqual(await warnings({ "a.ts": criteria(0), "reward.toml": gate }), []);
});

Deno.test("planScores() warns of dimensions without a score called reward", async () => {
  const dimensions = { "one/a.ts": criteria(1), "two/a.ts": criteria(1) };
  assert.match((await warnings(dimensions))[0]!, /no score is called "reward"/);
  const total = '[[reward]]\nname = "reward"\n';
  assert.deepEqual(await warnings({ ...dimensions, "reward.toml": total }), []);
  assert.deepEqual(await warnings({ "reward/a.ts": criteria(1), "b.ts": criteria(1) }), []);
});

Deno.test("planScores() warns of weights that were spread over files", async () => {
  const files = { "a.ts": criteria(10), "b.ts": criteria(1) };
  const found = await warnings(files);
  assert.equal(found.length, 1);
  assert.match(found[0]!, /add up differently \(a\.ts: 10, b\.ts: 1\), but every file counts/);
  const said = '[[reward]]\nname = "reward"\nweights = { a = 10 }\n';
  assert.deepEqual(await warnings({ ...files, "reward.toml": said }), []);
  // Counting checks is no statement about weights.
  assert.deepEqual(await warnings({ "a.ts": criteria(1, 1, 1), "b.ts": criteria(1) }), []);
  assert.deepEqual(await warnings({ "a.ts": criteria(2), "b.ts": criteria(1, 1) }), []);
});

Deno.test("planScores() resolves the pass mark: table first, then the run", async () => {
  const toml = '[scoring.a]\naggregation = "all-pass"\npass = 0.4\n' +
    '[scoring.b]\naggregation = "all-pass"\n';
  const files = { "a.ts": criteria(1), "b.ts": criteria(1), "reward.toml": toml };
  async function passes(options?: PlanOptions): Promise<(number | undefined)[]> {
    return (await plan(files, options)).inputs.map(({ leaf }) => leaf.scoring.pass);
  }
  assert.deepEqual(await passes(), [0.4, undefined]);
  assert.deepEqual(await passes({ passMark: 1 }), [0.4, 1]);
});

Deno.test("planScores() never lets weights inside a folder out of it", async () => {
  const found = await plan({
    "dim/sub/q.toml": `[judge]\nweight = 9\n${CRITERION}`,
    "dim/a.ts": criteria(1),
  });
  const dim = found.rewards[0]!.node;
  assert.ok(dim.kind === "group");
  assert.deepEqual(dim.components.map(({ name, weight }) => [name, weight]), [
    ["a", 1],
    ["sub", 1],
  ]);
  assert.deepEqual(found.inputs.map(({ name, weight }) => [name, weight]), [
    ["dim/a", 1],
    ["dim/sub/q", 9],
  ]);
});

Deno.test("planScores() and scoreSuite() score the quick start's dimensions", async () => {
  const found = await plan({
    "correctness/files.ts": criteria(3, 1),
    "structure/files.ts": criteria(1),
    "quality/judge.toml": CRITERION,
    "reward.toml": '[[reward]]\nname = "reward"\naggregation = "weighted-mean"\n' +
      "weights = { correctness = 2.0, structure = 1.0, quality = 1.0 }\n",
  });
  const values: Record<string, number[]> = {
    "correctness/files.ts": [1, 0],
    "structure/files.ts": [1],
    "quality/judge.toml": [0.6],
  };
  const results = new Map(found.inputs.map(({ leaf }) => [leaf.file, {
    criteria: leaf.criteria.map(({ name, weight }, index) => {
      const value = values[leaf.file]![index]!;
      return { name, weight, value, raw: value };
    }),
  }]));
  assert.deepEqual(scoreSuite(found, results).rewards, {
    correctness: 0.75,
    quality: 0.6,
    structure: 1,
    reward: 0.775,
  });
});
