import assert from "node:assert/strict";
import fc from "fast-check";
import { readJudgeToml } from "./judge_toml.ts";
import { Problems } from "./problems.ts";
import { readRewardToml } from "./reward_toml.ts";
import { parseToml } from "./toml.ts";

const KEYS = [
  "judge",
  "criterion",
  "scoring",
  "reward",
  "name",
  "weights",
  "aggregation",
  "threshold",
  "files",
  "mcp_servers",
  "annotations",
  "type",
  "levels",
  "points",
  "timeout",
  "__proto__",
  "constructor",
];
const VALUES = [
  "1",
  "-0.5",
  "nan",
  "inf",
  "9007199254740993",
  '""',
  '"codex"',
  '"rubric"',
  "true",
  "[]",
  '["a", 1]',
  "[{}]",
  "{}",
  "{ a = 1, __proto__ = 2 }",
  "1979-05-27",
  "07:32:00",
];

/** TOML in which every key may have a value of any type. */
const toml = fc.array(
  fc.oneof(
    fc.constantFrom(...KEYS).chain((key) =>
      fc.constantFrom(`[${key}]`, `[[${key}]]`, `[scoring.${key}]`, `[[judge.${key}]]`)
    ),
    fc.tuple(fc.constantFrom(...KEYS), fc.constantFrom(...VALUES)).map((pair) => pair.join(" = ")),
  ),
  { maxLength: 12 },
).map((lines) => lines.join("\n"));

Deno.test("parseToml() and what reads its tables answer any TOML with problems, never a crash", async () => {
  let parsed = 0;
  await fc.assert(
    fc.asyncProperty(toml, async (text) => {
      const problems = new Problems();
      const bytes = new TextEncoder().encode(text);
      const table = await parseToml(bytes, "x.toml", problems);
      assert.equal(table === undefined, problems.errors.length === 1);
      if (table === undefined) return;
      parsed++;
      readJudgeToml(table, "/x.toml", {});
      readRewardToml((await parseToml(bytes, "x.toml", problems))!, true);
      for (const { message } of problems.errors) assert.match(message, /^x\.toml(:\d+:\d+)?: ./);
    }),
    { numRuns: 2000 },
  );
  assert.ok(parsed > 200, `only ${parsed} texts were TOML`);
});

Deno.test("parseToml() gives line, column and the text there", async () => {
  const problems = new Problems();
  const text = 'a = 1\nb = "x\n';
  assert.equal(await parseToml(new TextEncoder().encode(text), "x.toml", problems), undefined);
  const [problem] = problems.errors;
  assert.equal(problem!.place?.line, 2);
  assert.match(problem!.message, /^x\.toml:2:\d+: is not TOML: .*\n.*\n2: {2}b = "x\n/);
});
