// What the author of a check file meets when it is loaded and run by the real command line.

import assert from "node:assert/strict";
import { type CliRun, folder, rewardkit } from "./cli.ts";

/** Grades a folder of check files with a workspace of two files. */
async function grade(tests: Record<string, string>, flags: string[] = []): Promise<CliRun> {
  await using suite = await folder({
    ...Object.fromEntries(Object.entries(tests).map(([name, text]) => [`tests/${name}`, text])),
    "workspace/answer.txt": "one\ntwo\n",
    "workspace/data.json": '{"n": 1}\n',
  });
  return await rewardkit(
    [`${suite.path}/tests`, "--workspace", `${suite.path}/workspace`, ...flags],
  );
}

/** A check file with this text after its import. */
function checks(text: string): string {
  return `import * as rk from "@rewardkit/cli";\n${text}\n`;
}

/** Criteria of the only check file by name. */
// deno-lint-ignore no-explicit-any
function criteriaOf({ details }: CliRun): Record<string, any> {
  // deno-lint-ignore no-explicit-any
  return Object.fromEntries(details!.reward.criteria.map((found: any) => [found.name, found]));
}

Deno.test("a criterion returns a boolean, a number or an object with score, or a promise", async () => {
  await using run = await grade({
    "checks.ts": checks(`
rk.criterion(function yes() { return true; });
rk.criterion(function no() { return false; });
rk.criterion(function half() { return 0.5; });
rk.criterion(async function third() { return await Promise.resolve(1 / 3); });
rk.criterion(function above() { return 1.5; });
rk.criterion(function below() { return -1; });
rk.criterion(async function reasoned() {
  return { score: await Promise.resolve(true), reasoning: "as it should", confidence: 0.9, model: "m1" };
});
rk.criterion(function unsaid() { return { score: 0.25, reasoning: undefined }; });
rk.criterion(function submission() { throw new rk.SubmissionError("the report has no title"); });
`),
  });
  assert.equal(run.code, 0, run.stderr);
  const found = criteriaOf(run);
  const values = Object.entries(found).map(([name, { value, raw }]) => [name, value, raw]);
  assert.deepEqual(values, [
    ["yes", 1, true],
    ["no", 0, false],
    ["half", 0.5, 0.5],
    ["third", 0.3333, 1 / 3],
    ["above", 1.5, 1.5],
    ["below", -1, -1],
    ["reasoned", 1, true],
    ["unsaid", 0.25, 0.25],
    ["submission", 0, false],
  ]);
  const { reasoning, confidence, model } = found.reasoned;
  assert.deepEqual({ reasoning, confidence, model }, {
    reasoning: "as it should",
    confidence: 0.9,
    model: "m1",
  });
  assert.deepEqual(run.details!.reward.warnings, [
    "submission: the report has no title",
    '"above" returned 1.5, which is outside 0 to 1; it is kept',
    '"below" returned -1, which is outside 0 to 1; it is kept',
  ]);
});

Deno.test("any other result, and anything thrown, is an error that says what came", async () => {
  const wrong: [name: string, body: string, message: RegExp][] = [
    ["nan", "return NaN", /returned NaN, expected true, false or a finite number/],
    ["infinite", "return Infinity", /returned Infinity, expected/],
    ["negative", "return -Infinity", /returned -Infinity, expected/],
    ["text", "return 'yes'", /returned "yes", expected/],
    ["nothing", "", /returned nothing \(undefined\), expected/],
    ["none", "return null", /returned null, expected/],
    ["list", "return [true]", /returned an array, expected/],
    ["big", "return 1n", /returned the bigint 1, expected/],
    ["func", "return () => true", /returned a function, expected/],
    ["instance", "return new (class Verdict { score = 1 })()", /returned an instance of Verdict/],
    ["promised", "return { score: Promise.resolve(1) }", /returned an instance of Promise/],
    ["unscored", "return { reasoning: 'none' }", /returned an object without a score/],
    ["textScore", "return { score: '1' }", /returned "1" as score/],
    ["nanScore", "return { score: NaN }", /returned NaN as score/],
    ["extra", "return { score: 1, reason: 'x' }", /unknown key "reason", expected only score/],
    ["sure", "return { score: 1, confidence: 2 }", /returned 2 as confidence, expected a number/],
    ["thrown", "throw new Error('broken check')", /^broken check$/],
    ["typed", "return undefined.length", /^TypeError: Cannot read properties of undefined/],
    ["string", "throw 'no error'", /threw "no error", which is no Error/],
    ["rejected", "return Promise.reject(new RangeError('too far'))", /^RangeError: too far$/],
  ];
  await using run = await grade({
    "checks.js": checks(
      wrong.map(([name, body]) => `rk.criterion(function ${name}() { ${body} });`).join("\n") +
        "\nrk.fileExists('answer.txt');",
    ),
  });
  assert.equal(run.code, 1);
  assert.equal(run.reward, null);
  const found = criteriaOf(run);
  assert.equal(Object.keys(found).length, wrong.length + 1);
  for (const [name, , message] of wrong) {
    assert.match(found[name].error, message, name);
    assert.equal(found[name].value, 0, name);
    assert.ok(run.stderr.includes(`checks.js: ${name}: ${found[name].error}`), run.stderr);
  }
  assert.equal(found["file_exists:answer.txt"].value, 1);
  assert.equal(run.details!.reward.errors.length, wrong.length);
});

Deno.test("registration: automatic, by calling, shared; names and descriptions", async () => {
  await using run = await grade({
    "checks.ts": checks(`
rk.criterion(function automatic() { return true; });
rk.criterion(function replaced() { return true; })({ weight: 3, name: "explicit" });
const twice = rk.criterion(function twice() { return true; });
twice();
twice({ name: "second" });
rk.criterion(function forgotten(_workspace, count: number) { return count > 1; });
rk.criterion({ shared: true }, function sharedOnly() { return false; });
rk.criterion({ name: "renamed", description: "says {{so}}" }, function original() { return true; });
const lines = rk.criterion(
  { description: "{count} lines of {what}" },
  function lines(_workspace, count: number, what: string) { return count > 0 && what === "prose"; },
);
lines(2, "prose");
lines(3, "prose", { weight: 2, name: "three" });
const some = rk.criterion(function some(_workspace, count: number, what: string = "text") {
  return count > 0 && what === "text";
});
some(4, { weight: 5 });
rk.criterion({ name: "file_exists" }, function mine() { return true; });
rk.criterion({ name: "fileContains" }, function mine() { return true; });
`),
  });
  assert.equal(run.code, 0, run.stderr);
  assert.deepEqual(run.reward, { reward: 1 });
  const found = Object.values(criteriaOf(run))
    .map(({ name, weight, description }) => [name, weight, description]);
  assert.deepEqual(found, [
    ["automatic", 1, "automatic()"],
    ["explicit", 3, "replaced()"],
    ["twice", 1, "twice()"],
    ["second", 1, "twice()"],
    ["renamed", 1, "says {so}"],
    ["lines:2", 1, "2 lines of prose"],
    ["three", 2, "3 lines of prose"],
    ["some:4", 5, "some(4)"],
    ["file_exists", 1, "file_exists()"],
    ["fileContains", 1, "fileContains()"],
  ]);
  assert.deepEqual(run.details!.reward.warnings, [
    'criterion "file_exists" has the name of a built-in and stands beside it',
    'criterion "fileContains" has the name of a built-in and stands beside it',
    'criterion "forgotten" takes arguments and is never called: it is not graded',
  ]);
});

Deno.test("the default name has 50 code points of the first argument, spelled as Python does", async () => {
  const names: [argument: string, name: string][] = [
    [`"${"x".repeat(60)}"`, "x".repeat(50)],
    [`"${"😀".repeat(60)}"`, "😀".repeat(50)],
    ["true", "True"],
    ["null", "None"],
    ["0.00001", "1e-05"],
    ["10n ** 20n", "100000000000000000000"],
    ['["a", 1, false]', "['a', 1, False]"],
    ['{ a: "it\'s", b: null }', "{'a': \"it's\", 'b': None}"],
    ['"two\\nlines"', "two\nlines"],
    ["[]", "[]"],
  ];
  await using run = await grade({
    "checks.ts": checks(`
const takes = rk.criterion(function takes(_workspace, _value: unknown) { return true; });
${names.map(([argument]) => `takes(${argument});`).join("\n")}
`),
  });
  assert.equal(run.code, 0, run.stderr);
  assert.deepEqual(Object.keys(criteriaOf(run)), names.map(([, name]) => `takes:${name}`));
});

Deno.test("arguments reach the criterion as what they were", async () => {
  await using run = await grade({
    "checks.ts": checks(`
const takes = rk.criterion(function takes(_workspace, kind: string, value: unknown) {
  switch (kind) {
    case "date": return value instanceof Date && value.getTime() === 5;
    case "regexp": return value instanceof RegExp && value.test("ABC");
    case "bytes": return value instanceof Uint8Array && value[1] === 2;
    case "map": return value instanceof Map && value.get("a") === 1n;
    case "nested": return JSON.stringify(value) === '{"a":[1,{"b":null}]}';
    default: return Number.isNaN(value);
  }
});
takes("date", new Date(5));
takes("regexp", /b/i);
takes("bytes", new Uint8Array([1, 2]));
takes("map", new Map([["a", 1n]]));
takes("nested", { a: [1, { b: null }] });
takes("nan", NaN);
`),
  });
  assert.deepEqual(run.reward, { reward: 1 }, run.stderr);
});

Deno.test("what the author got wrong is an error of that file, found before anything runs", async () => {
  const takes = "const takes = rk.criterion(function takes(_w, value) { return !!value; });";
  const readsAtLoad = "Deno.readTextFileSync(`${import.meta.dirname}/../workspace/answer.txt`)";
  const files: Record<string, [text: string, error: RegExp, hint?: RegExp]> = {
    "function.ts": [`${takes} takes(() => 1);`, /takes: argument 1 is no use: a function cannot/],
    "instance.ts": [`${takes} takes(new (class Box {})());`, /argument 1 .*an instance of Box/],
    "cycle.ts": [`${takes} const a = {}; a.a = a; takes(a);`, /argument 1 .*cyclic/],
    "missing.ts": [`${takes} takes();`, /takes: got 0 of 1 arguments/, /Call it as takes\(value\)/],
    "option.ts": [
      'rk.fileExists("a", { wieght: 2 });',
      /fileExists: unknown option "wieght"/,
      /Options are weight, name, isolated/,
    ],
    "own_option.ts": [
      'rk.commandSucceeds("make", { timout: 2 });',
      /commandSucceeds: unknown option "timout"/,
      /Options are weight, name, isolated, cwd, timeout/,
    ],
    "custom_option.ts": [`${takes} takes(1, { wight: 2 });`, /takes: unknown option "wight"/],
    "definition.ts": [
      "rk.criterion({ reads: [] }, function typo() { return true; });",
      /typo: unknown option "reads" of criterion\(\)/,
      /Options are name, description, shared, read, write, run, net, env, timeout/,
    ],
    "unnamed.ts": ["rk.criterion(() => true);", /criterion\(\) got a function without a name/],
    "no_function.ts": ["rk.criterion({ name: 'x' });", /criterion\(\) got no function/],
    "place.ts": [
      "rk.criterion({ description: '{lines}' }, function p(_w, line) { return !line; })(1);",
      /p: description has a place \{lines\}; the parameters are: line/,
    ],
    "weight.ts": ['rk.fileExists("a", { weight: NaN });', /weight must be a finite number, got/],
    "argument.ts": ["rk.fileExists(5);", /fileExists\(\) got 5 for "path", expected a string/],
    "regex.ts": ['rk.fileContainsRegex("a", "(");', /regular expression|pattern|missing|group/i],
    "syntax.ts": ["rk.fileExists(;", /SyntaxError|Expression expected/],
    "import.ts": ['import "./nowhere.ts";', /nowhere\.ts/],
    "throws.ts": ["throw new Error('no oracle');", /no oracle/],
    "workspace.ts": [
      `const text = ${readsAtLoad};\nrk.fileMatches("answer.txt", text);`,
      /workspace\/answer\.txt/,
      /into a criterion/,
    ],
  };
  await using run = await grade({
    ...Object.fromEntries(Object.entries(files).map(([name, [text]]) => [name, checks(text)])),
    "fine.ts": checks('rk.fileExists("answer.txt");'),
  });
  assert.equal(run.code, 1);
  assert.equal(run.reward, null);
  const blocks = run.stderr.split(/^(?=error: )/m);
  for (const [name, [, error, hint]] of Object.entries(files)) {
    const block = blocks.find((text) => text.includes(`/${name}: `) || text.includes(` ${name}: `));
    assert.ok(block !== undefined, `${name} is not named in:\n${run.stderr}`);
    assert.match(block, error);
    if (hint !== undefined) assert.match(block, new RegExp(`hint: .*${hint.source}`));
  }
  const components: { name: string; detail: { score: number; errors?: unknown[] } }[] =
    run.details!.reward.components;
  const byName = Object.fromEntries(components.map(({ name, detail }) => [name, detail]));
  assert.equal(byName.fine!.score, 1);
  assert.equal(components.length, Object.keys(files).length + 1);
  for (const { name, detail } of components) {
    assert.equal(detail.errors?.length ?? 0, +(name !== "fine"));
  }
});

Deno.test("a criterion cannot be declared while another one runs", async () => {
  await using run = await grade({
    "checks.ts": checks(`
rk.criterion(function late() { rk.fileExists("answer.txt"); return true; });`),
  });
  assert.match(criteriaOf(run).late.error, /declared while a check file loads, not later/);
});

Deno.test("what a check file may import and read while it loads", async () => {
  await using run = await grade({
    "oracle.json": '["one", "two"]',
    "oracle.txt": "one\ntwo\n",
    "helpers/words.ts": 'export function words(text: string) { return text.trim().split("\\n"); }',
    "helper.ts": `
import { criterion } from "rewardkit";
import { words } from "./helpers/words.ts";
criterion(async function counts(workspace) {
  return words(await workspace.readText("answer.txt")).length === 2;
});`,
    "oracle.ts": checks(`
const expected = Deno.readTextFileSync(\`\${import.meta.dirname}/oracle.txt\`);
rk.fileMatches("answer.txt", expected);
for (const word of JSON.parse(Deno.readTextFileSync(new URL("oracle.json", import.meta.url)))) {
  rk.fileContains("answer.txt", word, { name: word });
}`),
    "json_import.ts": checks(`
import words from "./oracle.json" with { type: "json" };
for (const word of words) rk.fileContains("answer.txt", word, { name: word });`),
    "npm.ts": checks(`
import { parse } from "npm:smol-toml@1.9.1";
rk.criterion(function parses() { return parse("a = 1").a === 1; });`),
    "jsr_caret.ts": `
import { criterion, fileExists } from "jsr:@rewardkit/cli@^0.1.0";
fileExists("answer.txt");
criterion(function mine() { return true; });`,
    "jsr_minor.mts": `
import * as rk from 'jsr:@rewardkit/cli@0.1';
rk.fileExists("answer.txt");`,
    "bare.js": `
import { fileExists } from "rewardkit";
fileExists("answer.txt");`,
    "package.mjs": `
import * as rk from "@rewardkit/cli";
rk.fileExists("answer.txt");`,
    "jsr.ts": `
import * as rk from "jsr:@rewardkit/cli";
rk.criterion(async function lazily() {
  const { words } = await import("./helpers/words.ts");
  return words("a\\nb").length === 2;
});`,
  });
  assert.equal(run.code, 0, run.stderr);
  assert.deepEqual(run.reward, { reward: 1 });
  const components: { name: string; detail: { criteria: unknown[] } }[] =
    run.details!.reward.components;
  assert.deepEqual(components.map(({ name, detail }) => [name, detail.criteria.length]), [
    ["bare", 1],
    ["helper", 1],
    ["json_import", 2],
    ["jsr", 1],
    ["jsr_caret", 2],
    ["jsr_minor", 1],
    ["npm", 1],
    ["oracle", 3],
    ["package", 1],
  ]);
});
