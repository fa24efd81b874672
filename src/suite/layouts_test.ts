// Every recorded layout of the original, from the files on disk to the rewards.

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { CriterionError, RewardKitError } from "../errors.ts";
import { type CriterionScore, scoreOf } from "../score/criterion_score.ts";
import { type InputResult, scoreSuite } from "../score/tree.ts";
import { readSuite } from "./discovery.ts";
import { type ListedReward, listRewards } from "./listing.ts";
import { type DeclaredCriterion, planScores } from "./score_plan.ts";

// deno-lint-ignore no-explicit-any -- recorded JSON of many shapes
type Json = any;

const cases: Json[] = Deno.readTextFileSync(
  new URL("../../fixtures/conformance/layouts.jsonl", import.meta.url),
).trimEnd().split("\n").map((line) => JSON.parse(line));

/** Needs what lies outside of discovery and scoring; covered where that is. */
const ELSEWHERE: Record<string, string> = {
  "layout-069": "a check file that throws while it loads",
  "layout-070": "a check file that throws while it loads",
  "layout-125": "the weight true is refused or read where the criterion is declared",
  "layout-236": "an unknown criterion fails while the check file loads",
  "layout-237": "a missing argument fails while the check file loads",
};

/** What the message says, for each way in which the original refuses a layout. */
const MESSAGES: Record<string, RegExp> = {
  "missing tests folder is a not-found error": /^Tests folder not found: .*tests$/,
  "aggregation names are case sensitive": /"aggregation" is "Weighted-Mean", expected one of/,
  "unknown aggregation name": /\[scoring\.a\]: "aggregation" is "average", expected one of/,
  "a negative weight is only accepted with weighted-sum": /has the negative weight -\d/,
  "weights must be finite": /weight.* (Infinity|NaN), expected a finite number/,
  "weight of the wrong type fails with a type error": /"x" has the weight "2", expected a finite/,
  "scoring table names a stem with no criteria": /\[scoring\.b\]: "b" is no check file/,
  "scoring tables only apply to check files": /\[scoring\.sub\]: "sub" is a folder/,
  "root scoring names a stem that is not at the root": /\[scoring\.a\]: "a" is no check file/,
  "weights table names an unknown input": /"weights" names ".*", which has no score/,
  "root reward tables need a name": /\[\[reward\]\] 1: has no name/,
  "two root reward tables share a name": /\[\[reward\]\] 2: the name "x" is used by an earlier/,
  "a reward table needs at least one scoring input":
    /reward\.toml:1:1: .*nothing scores in its folder/,
  "a root reward name collides with a dimension": /name "one" is also the name of a score/,
  "nested reward tables must not carry a name":
    /one\/reward\.toml:2:1: \[\[reward\]\] 1: has a name/,
  "only one reward table per nested folder": /one\/reward\.toml: has 2 \[\[reward\]\] tables/,
  "one input name used twice in a folder": /its score is called "a", as is that of .*a\.ts/,
  "toml does not parse": /reward\.toml:[12]:\d+: is not TOML: .*\n1: {2}/,
  "unknown key in a strict table": /: unknown key "(foo|weights|modle|extra|reward)"/,
  "reward must be a list of tables": /write it as \[\[reward\]\]/,
  "scoring must be a table": /"scoring" is a list, expected a table/,
  "threshold must be a number": /"threshold" is "high", expected a finite number/,
  "name must be text": /"name" is 5, expected a string/,
  "a judge file needs at least one criterion": /quality\.toml: has no criterion/,
  "description is required": /\[\[criterion\]\] 1: "description" is missing/,
  "unknown criterion type": /"type" is "stars", expected one of "binary"/,
  "likert needs two points or more": /"points" is 1, expected a whole number of at least 2/,
  "points must be whole": /"points" is 2\.5, expected a whole number/,
  "max must exceed min": /"max" is \d, expected more than "min", which is 5/,
  "range limits must be finite": /"max" is Infinity, expected a finite number/,
  "rubric needs two to ten levels": /"levels" has [01] entr(y|ies), expected 2 to 10/,
  "levels must not be blank": /"levels" has an empty entry/,
  "required-pass needs a non-optional criterion": /every criterion is optional/,
  "template lacks its placeholder": /"p\.md" does not contain \{criteria\}/,
  "template must be txt or md": /"p\.rst", expected a \.txt or \.md file/,
  "template file not found": /"gone\.txt", which cannot be read/,
  "criterion names are limited to letters, digits, dash, underscore":
    /"has space", expected at most/,
  "criterion names are limited to 64 characters": /"n{60}…", expected at most 64 letters/,
  "two criteria of one judge share a name": /two criteria are called "same"/,
  "unknown mode": /"mode" is "parallel", expected one of "batched", "individual"/,
  "samples must be at least one": /"samples" is 0, expected a whole number of at least 1/,
  "unknown guard setting": /"guard" is "maybe", expected one of "off"/,
  "timeout must be whole": /"timeout" is 1\.5, expected a whole number of at least 0/,
  "files must be a list": /"files" is "a\.txt", expected a list of strings/,
  "criterion level files need individual mode": /criterion "d" has "files", which needs mode/,
  "an isolated agent judge must run inside the workspace": /"cwd" is "\/elsewhere", outside/,
  "unknown reasoning effort": /effort is "extreme", expected one of none, minimal/,
  "description must be text": /"description" is 5, expected a string/,
  "criterion must be a list of tables": /write it as \[\[criterion\]\]$/,
  "stdio tool servers need a command": /\[\[judge\.mcp_servers\]\] 1: a stdio server needs a/,
  "sse tool servers need a url": /\[\[judge\.mcp_servers\]\] 1: a server with sse needs a "url"/,
  "agent judges sharing one workspace are refused before anything runs":
    /q1\.toml: .*not isolated\n.*q2\.toml: .*not isolated/,
};

interface Difference {
  reason: string;
  /** Discovery refuses with this message. */
  refused?: RegExp;
  /** There is no reward, and this error. */
  failed?: RegExp;
  /** The criteria are called so. */
  names?: string[];
  /** The inputs are of these kinds. */
  kinds?: string[];
}

/** Where this differs from the original on purpose; each has its own assertion. */
const DIFFERENT: Record<string, Difference> = {
  "layout-017": { reason: "an empty suite is an error", refused: /no criteria/ },
  "layout-019": { reason: "an empty suite is an error", refused: /no criteria/ },
  "layout-020": { reason: "an empty suite is an error", refused: /no criteria/ },
  "layout-021": { reason: "an empty suite is an error", refused: /no criteria/ },
  "layout-332": { reason: "an empty suite is an error", refused: /no criteria.*quality\.toml/ },
  "layout-062": { reason: "a confidence as text is an error", failed: /"0\.5" as confidence/ },
  "layout-323": { reason: "jev is no agent here, so it names a model", kinds: ["llm"] },
  "layout-324": { reason: "jev is no agent here, and every model has a guard", kinds: ["llm"] },
  "layout-293": { reason: "a criterion without a name is numbered", names: ["criterion_0"] },
  "layout-301": { reason: "a criterion without a name is numbered", names: ["criterion_0"] },
  "layout-307": {
    reason: "criteria without names are numbered, so they do not collide",
    names: ["criterion_0", "criterion_1"],
  },
};

for (const recorded of cases) {
  const { id, note } = recorded;
  const suites: [string, Json][] = recorded.suites === undefined
    ? [["tests", recorded.files]]
    : Object.entries(recorded.suites);
  for (const [name, files] of suites) {
    // Decided where check files are loaded or run: the command line goes through these cases.
    if (id in ELSEWHERE || needsWorkspace(files)) continue;
    Deno.test(
      `planScores() agrees with ${id}${suites.length > 1 ? ` ${name}` : ""}: ${note}`,
      async () => {
        const expected = expectedOf(recorded, name);
        await withFolder(files, async (testsDir) => await compare(id, testsDir, files, expected));
      },
    );
  }
}

function expectedOf({ expected }: Json, suite: string): Json {
  if (expected.per_suite === undefined) return expected;
  const details = Object.entries(expected.details_shape ?? {})
    .filter(([key]) => key.startsWith(`${suite}/`))
    .map(([key, node]) => [key.slice(suite.length + 1), node]);
  const reward = expected.per_suite[suite] ?? {};
  return { reward, details_shape: details.length === 0 ? null : Object.fromEntries(details) };
}

async function compare(id: string, testsDir: string, files: Json, expected: Json): Promise<void> {
  const isEmpty = expected.discovered === undefined && expected.error === undefined &&
    Object.keys(expected.reward).length === 0;
  const different: Difference | undefined = DIFFERENT[id] ??
    (isEmpty ? { reason: "an empty suite is an error", refused: /no criteria/ } : undefined);
  let outcome: Awaited<ReturnType<typeof evaluate>>;
  try {
    outcome = await evaluate(testsDir, files);
  } catch (error) {
    assert.ok(error instanceof RewardKitError, String(error));
    if (different?.refused !== undefined) return assert.match(error.message, different.refused);
    assert.ok(expected.error !== undefined, `refused: ${error.message}`);
    const about: string = expected.about;
    assert.match(error.message, MESSAGES[about]!, `${about}: ${error.message}`);
    return;
  }
  const { listing, score } = outcome;
  if (different?.failed !== undefined) {
    assert.equal(score.rewards, null);
    return assert.match(score.errors[0]!.message, different.failed);
  }
  if (different?.names !== undefined) {
    const names = listing.flatMap(({ criteria }) => criteria.map(({ name }) => name));
    return assert.deepEqual(names, different.names);
  }
  if (different?.kinds !== undefined) {
    return assert.deepEqual(listing.map(({ kind }) => kind), different.kinds);
  }
  assert.equal(different, undefined, different?.reason);
  if (expected.discovered !== undefined) {
    return assert.deepEqual(listing.map(comparable), expected.discovered);
  }
  if (expected.error !== undefined) {
    assert.equal(score.rewards, null, `expected ${expected.about}`);
    return assert.match(score.errors[0]!.message, /^The criterion returned|^it threw/);
  }
  assert.deepEqual(score.rewards, expected.reward);
  assert.deepEqual(Object.keys(score.rewards!), Object.keys(expected.reward), "order of keys");
  assert.deepEqual(stripped(score.details), expected.details_shape);
}

async function evaluate(testsDir: string, files: Json) {
  const suite = await readSuite(testsDir);
  const registered = new Map<string, DeclaredCriterion[]>();
  const results = new Map<string, InputResult>();
  for (const { id } of suite.checkFiles) {
    const calls = registrationsOf(files[id.slice(0, -3)]?.calls ?? [], files);
    registered.set(id, calls.map(({ name, weight }) => ({ name, weight, description: "d" })));
    results.set(id, { criteria: calls.map(resultOf) });
  }
  const plan = planScores(suite, registered, { passMark: 1 });
  for (const { id, config } of suite.judges) {
    results.set(id, {
      criteria: config.criteria.map(({ name, weight }) => ({ name, weight, value: 1, raw: "yes" })),
    });
  }
  return { listing: listRewards(suite, plan), score: scoreSuite(plan, results) };
}

interface Call {
  name: string;
  weight: number;
  returned: Json;
}

/** What a check file registers: what it calls, and what registers itself by being defined. */
function registrationsOf(calls: Json[], files: Json): Call[] {
  const definitions = Object.values(files as Record<string, Json>)
    .flatMap((file) => file?.calls ?? []).filter((call: Json) => call.define !== undefined);
  return calls.flatMap((call: Json): Call[] => {
    if (call.define !== undefined) {
      const isCalled = calls.some((other) => other.criterion === call.define);
      if (call.shared || call.params > 0 || isCalled) return [];
      return [{ name: call.define, weight: 1, returned: call.returns }];
    }
    const definition = definitions.find((found: Json) => found.define === call.criterion);
    const first = call.args.length === 0
      ? ""
      : `:${[...String(call.args[0])].slice(0, 50).join("")}`;
    return [{
      name: call.kwargs.name ?? call.criterion + first,
      weight: decode(call.kwargs.weight ?? 1),
      returned: definition === undefined ? decode(call.args[0]) : definition.returns,
    }];
  });
}

function resultOf({ name, weight, returned }: Call): CriterionScore {
  if (returned?.$raise !== undefined) {
    return { name, weight, value: 0, raw: null, error: `it threw ${returned.$raise}` };
  }
  try {
    return { name, weight, ...scoreOf(returned) };
  } catch (error) {
    assert.ok(error instanceof CriterionError);
    return { name, weight, value: 0, raw: null, error: error.message };
  }
}

function decode(value: Json): Json {
  if (value?.$float !== undefined) return Number(value.$float.replace("inf", "Infinity"));
  return value;
}

function needsWorkspace(files: Json): string | undefined {
  const calls: Json[] = Object.values((files ?? {}) as Json).flatMap((file: Json) =>
    file?.calls ?? []
  );
  const defined = calls.map((call) => call.define);
  const isForeign = calls.some(({ criterion }) =>
    criterion !== undefined && criterion !== "const" && !defined.includes(criterion)
  );
  return isForeign ? "calls built-in criteria" : undefined;
}

/** The recorded listings leave out the default model and effort, and what is absent. */
function comparable({ judge, criteria, ...rest }: ListedReward): Json {
  const { model: _model, reasoning_effort: _effort, ...settings } = judge ?? {};
  if (Array.isArray(settings.mcp_servers) && settings.mcp_servers.length === 0) {
    delete settings.mcp_servers;
  }
  return {
    ...rest,
    criteria: criteria.map(({ description: _description, ...criterion }) => criterion),
    ...(judge === undefined ? {} : { judge: settings }),
  };
}

/** Without descriptions, which the recording leaves out, and warnings, which are ours. */
function stripped(details: Json): Json {
  return JSON.parse(
    JSON.stringify(
      details,
      (key, value) => key === "description" || key === "warnings" ? undefined : value,
    ),
  );
}

async function withFolder(files: Json, use: (testsDir: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const testsDir = join(folder, "tests");
    if (files !== null) await Deno.mkdir(testsDir);
    for (const [name, content] of Object.entries((files ?? {}) as Record<string, Json>)) {
      const path = join(testsDir, content.calls === undefined ? name : `${name}.ts`);
      await Deno.mkdir(content.dir ? path : dirname(path), { recursive: true });
      if (!content.dir) await Deno.writeTextFile(path, content.calls ? "" : content);
    }
    await use(testsDir);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
