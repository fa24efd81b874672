import assert from "node:assert/strict";
import { outcomeOf, recordedCases, recordedWorkspace } from "./conformance_workspace.ts";
import { declared, withPlaceholders } from "./python/declared_check.ts";
import { checks, jsonKeyEquals, jsonPathEquals } from "./json.ts";

/** Where the outcome is another one than the original's, and why. */
const DIFFERENT: Record<string, number> = {
  "json_key_equals-079": 0, // too deep a nesting fails the check, where the original aborts the run
  "json_path_equals-052": 0, // likewise
  "json_path_equals-047": 1, // a byte order mark is not part of the content
};

/** Tuples have no counterpart here. */
const NOT_OURS: ReadonlySet<string> = new Set(["json_key_equals-022"]);

for (const declare of [jsonKeyEquals, jsonPathEquals]) {
  const criterion = declare === jsonKeyEquals ? "json_key_equals" : "json_path_equals";
  Deno.test(`${declare.name}() scores the recorded cases as the original does`, async (t) => {
    using workspace = recordedWorkspace();
    const cases = recordedCases(criterion).filter(({ id }) => !NOT_OURS.has(id));
    assert.ok(cases.length >= 44);
    for (const { id, args, value } of cases) {
      await t.step(id, async () => {
        const expected = DIFFERENT[id] ?? value ?? "refused";
        const [path, key, wanted] = withPlaceholders(args, workspace.path);
        const call = await declared(() => declare(path as string, key as string, wanted));
        if (call === undefined) return assert.equal("refused", expected);
        const { result } = await outcomeOf(checks[criterion]!, workspace.path, ...call.args);
        assert.equal(Number(result), expected);
      });
    }
  });
}

async function score(content: string, declare: () => void) {
  const folder = Deno.realPathSync(Deno.makeTempDirSync());
  try {
    Deno.writeTextFileSync(`${folder}/a.json`, content);
    const call = await declared(declare);
    assert.ok(call !== undefined, "the declaration was refused");
    const { result, warnings } = await outcomeOf(checks[call.criterion]!, folder, ...call.args);
    return { result: Number(result), warnings };
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("jsonKeyEquals() is exact unless it gets a tolerance", async () => {
  const content = JSON.stringify({ sum: 0.1 + 0.2 });
  const is = (tolerance?: number | { abs?: number; rel?: number }) => () =>
    jsonKeyEquals("a.json", "sum", 0.3, { tolerance });
  assert.equal((await score(content, is())).result, 0);
  assert.equal((await score(content, is(1e-9))).result, 1);
  assert.equal((await score(content, is({ rel: 1e-9 }))).result, 1);
  assert.equal((await score(content, is({ abs: 1e-20 }))).result, 0);
});

Deno.test("jsonKeyEquals() refuses a duplicate key when it is strict", async () => {
  const content = '{"k": 1, "k": 2}';
  const is = (strict: boolean) => () => jsonKeyEquals("a.json", "k", 2, { strict });
  assert.equal((await score(content, is(false))).result, 1);
  assert.deepEqual(await score(content, is(true)), {
    result: 0,
    warnings: ['"a.json" states the key "k" twice, at line 1, column 10'],
  });
});

Deno.test("jsonPathEquals() reads an index as Python's int() does", async () => {
  const content = '{"l": [10, 20, 30]}';
  for (
    const [index, expected] of Object.entries({
      " 1 ": 20,
      "+1": 20,
      "0_1": 20,
      "١": 20,
      "-1": 30,
      "-0": 10,
    })
  ) {
    const declare = () => jsonPathEquals("a.json", `l.${index}`, expected);
    assert.equal((await score(content, declare)).result, 1, index);
  }
  for (const index of ["1.0", "1e0", "", "0x1", "_1", "-4", "3", "9".repeat(400)]) {
    const declare = () => jsonPathEquals("a.json", `l.${index}`, 20);
    assert.equal((await score(content, declare)).result, 0, index);
  }
});

Deno.test("jsonPathEquals() reads the key that is empty at the empty path", async () => {
  assert.equal((await score('{"": 1}', () => jsonPathEquals("a.json", "", 1))).result, 1);
});

Deno.test("jsonKeyEquals() says where a file is not JSON", async () => {
  const { result, warnings } = await score('{\n "a": 1,\n}', () => jsonKeyEquals("a.json", "a", 1));
  assert.equal(result, 0);
  assert.match(warnings[0]!, /expected a key in double quotes at line 3, column 1/);
});

Deno.test("jsonKeyEquals() refuses a tolerance that is none, and a missing value", () => {
  for (const tolerance of [-1, NaN, "1", {}, { abs: -1 }, { max: 1 }, []]) {
    const options = { tolerance: tolerance as number };
    assert.throws(() => jsonKeyEquals("a.json", "a", 1, options), /"tolerance"/);
  }
  assert.throws(() => jsonKeyEquals("a.json", "a", undefined), /got nothing for "expected"/);
});
