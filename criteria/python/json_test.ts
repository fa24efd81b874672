import assert from "node:assert/strict";
import { SubmissionError } from "../../src/errors.ts";
import { MAX_DEPTH, parseJson } from "./json.ts";

Deno.test("parseJson() reads what Python reads", () => {
  const table: [string, unknown][] = [
    ["1", 1],
    [" [1, 2] \n", [1, 2]],
    ["9007199254740991", 9007199254740991],
    ["9007199254740993", 9007199254740993n],
    ["-9007199254740993", -9007199254740993n],
    ["1234567890123456", 1234567890123456],
    ["9007199254740993.0", 9007199254740992],
    ["1e400", Infinity],
    ["0.30000000000000004", 0.30000000000000004],
    ["[NaN, Infinity, -Infinity, -0.0]", [NaN, Infinity, -Infinity, -0]],
    ['"\\ud83d\\ude00\\u0000\\/"', "😀\0/"],
    ['["\\ud83d", NaN]', ["\ud83d", NaN]],
    ['{"a": 1, "a": 2}', { a: 2 }],
    ['{"a": 12345678901234567890, "a": 2, "b": {}, "c": []}', { a: 2, b: {}, c: [] }],
    ['"1234567890123456789 \\" NaN"', '1234567890123456789 " NaN'],
    ['[true, false, null, "NaN", NaN]', [true, false, null, "NaN", NaN]],
  ];
  for (const [text, expected] of table) assert.deepEqual(parseJson(text, "a.json"), expected);
});

Deno.test("parseJson() refuses what Python refuses, and says where", () => {
  const table: [string, string][] = [
    ["", "expected a value at line 1, column 1, but the file ends"],
    ["[1,]", 'expected a value at line 1, column 4, but found "]"'],
    ['{"a": 1,\n  }', 'expected a key in double quotes at line 2, column 3, but found "}"'],
    ["{'a': 1}", 'expected a key in double quotes at line 1, column 2, but found "\'"'],
    ['["😀" 1]', 'expected "," or "]" at line 1, column 6, but found "1"'],
    ['{"a" 1}', 'expected ":" at line 1, column 6, but found "1"'],
    ["1 2", 'expected the end of the file at line 1, column 3, but found "2"'],
    ["01", 'expected the end of the file at line 1, column 2, but found "1"'],
    [".5", 'expected a value at line 1, column 1, but found "."'],
    ["+1", 'expected a value at line 1, column 1, but found "+"'],
    ["True", 'expected a value at line 1, column 1, but found "T"'],
    ["-", 'expected a value at line 1, column 1, but found "-"'],
    ["1.", 'expected the end of the file at line 1, column 2, but found "."'],
    ["[1\u00a0]", 'expected "," or "]" at line 1, column 3, but found "\u00a0"'],
    ['"a\tb"', "starts at line 1, column 1"],
    ['["abc', "starts at line 1, column 2"],
    ['"\\x41"', "starts at line 1, column 1"],
    ['"\\', "starts at line 1, column 1"],
  ];
  for (const [text, problem] of table) {
    assert.throws(() => parseJson(text, "a.json"), (error: unknown) => {
      assert.ok(error instanceof SubmissionError);
      assert.ok(error.message.startsWith('"a.json" is not JSON: '), error.message);
      assert.ok(error.message.endsWith(problem), error.message);
      return true;
    });
  }
});

Deno.test("parseJson() keeps __proto__ as a key on both ways", () => {
  for (const number of ["1", "12345678901234567890"]) {
    const value = parseJson(`{"__proto__": {"x": ${number}}}`, "a.json") as object;
    assert.deepEqual(Object.keys(value), ["__proto__"]);
    assert.equal("x" in value, false);
  }
});

Deno.test("parseJson() bounds the nesting", () => {
  const nested = (depth: number, inner = "") => "[".repeat(depth) + inner + "]".repeat(depth);
  parseJson(nested(MAX_DEPTH), "a.json");
  parseJson(nested(MAX_DEPTH, "NaN"), "a.json");
  const object = '{"a":'.repeat(MAX_DEPTH) + "NaN" + "}".repeat(MAX_DEPTH);
  parseJson(object, "a.json", { strict: true });
  for (const text of [nested(MAX_DEPTH + 1), "[".repeat(1e6), nested(1e6, "NaN")]) {
    assert.throws(
      () => parseJson(text, "a.json"),
      /SubmissionError: "a.json" is nested too deeply: \d+ levels, the limit is 1400/,
    );
  }
  assert.equal(parseJson(`"${"[".repeat(5000)}"`, "a.json"), "[".repeat(5000));
});

Deno.test("parseJson() bounds the digits of an integer", () => {
  assert.equal(parseJson("7".repeat(4300), "a.json"), BigInt("7".repeat(4300)));
  assert.throws(
    () => parseJson(`[-${"7".repeat(4301)}]`, "a.json"),
    /holds an integer of 4301 digits at line 1, column 2, the limit is 4300/,
  );
});

Deno.test("parseJson() refuses duplicate keys when it is strict", () => {
  const strict = { strict: true };
  assert.deepEqual(parseJson('{"a": {"a": 1}, "b": 1}', "a.json", strict), { a: { a: 1 }, b: 1 });
  for (const key of ["a", "__proto__", "toString"]) {
    assert.throws(
      () => parseJson(`[{"${key}": 1,\n "${key}": 1}]`, "a.json", strict),
      new RegExp(`"a.json" states the key "${key}" twice, at line 2, column 2`),
    );
  }
});
