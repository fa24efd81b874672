import assert from "node:assert/strict";
import { CriterionError } from "../errors.ts";
import { scoreOf } from "./criterion_score.ts";

Deno.test("scoreOf() reads booleans, numbers and objects", () => {
  const table: [unknown, unknown][] = [
    [true, { value: 1, raw: true }],
    [false, { value: 0, raw: false }],
    [0.25, { value: 0.25, raw: 0.25 }],
    [3.7, { value: 3.7, raw: 3.7 }],
    [-2, { value: -2, raw: -2 }],
    [{ score: true, reasoning: "" }, { value: 1, raw: true }],
    [{ score: 1, confidence: null, model: undefined }, { value: 1, raw: 1 }],
    [
      { score: 0.5, reasoning: "because", confidence: 0, model: "m" },
      { value: 0.5, raw: 0.5, reasoning: "because", confidence: 0, model: "m" },
    ],
  ];
  for (const [returned, expected] of table) assert.deepEqual(scoreOf(returned), expected);
});

Deno.test("scoreOf() shows what was expected and found as text, and cuts it", () => {
  const read = (expected: unknown, found: unknown) => scoreOf({ score: 0, expected, found });
  const text = { value: 0, raw: 0 };
  assert.deepEqual(read("a", ""), { ...text, expected: "a", found: "" });
  assert.deepEqual(read([1, "x"], null), { ...text, expected: '[1,"x"]', found: "null" });
  assert.deepEqual(read(undefined, 2n), { ...text, found: "2" });
  const long = read("x", "😀".repeat(3000)).found!;
  assert.ok(long.length <= 2001 && long.isWellFormed() && long.endsWith("…"));
  assert.throws(() => read(() => 1, 1), /a function as expected, expected a value that JSON/);
});

Deno.test("scoreOf() refuses everything else and says what it found", () => {
  const table: [unknown, RegExp][] = [
    [undefined, /returned nothing \(undefined\), expected true, false or a finite number/],
    [null, /returned null/],
    [NaN, /returned NaN/],
    [Infinity, /returned Infinity/],
    ["1", /returned "1"/],
    [1n, /the bigint 1/],
    [[1], /returned an array/],
    [{}, /an object without a score/],
    [() => 1, /a function/],
    [Symbol("s"), /Symbol\(s\)/],
    [{ score: "1" }, /returned "1" as score, expected true, false or a finite number$/],
    [{ score: NaN }, /NaN as score/],
    [{ score: { score: 1 } }, /an object without a score as score/],
    [{ score: 1, extra: 2 }, /unknown key "extra", expected only score, reasoning/],
    [{ score: 1, confidence: 1.2 }, /1\.2 as confidence, expected a number from 0 to 1/],
    [{ score: 1, confidence: NaN }, /NaN as confidence/],
    [{ score: 1, confidence: "0.5" }, /"0\.5" as confidence/],
    [{ score: 1, reasoning: null }, /null as reasoning, expected a string/],
    [{ score: 1, reasoning: 5 }, /5 as reasoning/],
    [{ score: 1, model: 5 }, /5 as model/],
  ];
  for (const [returned, message] of table) {
    assert.throws(() => scoreOf(returned), (error) => {
      assert.ok(error instanceof CriterionError);
      assert.match(error.message, message);
      return true;
    });
  }
});
