import assert from "node:assert/strict";
import { excerpts } from "./mismatch.ts";

Deno.test("texts that should be equal are cut to the lines around the first difference", () => {
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`);
  const wanted = lines(100).join("\n");
  const found = wanted.replace("line 50\n", "line fifty\n");
  const shown = excerpts({ how: "equal", expected: wanted, found });
  assert.deepEqual(shown.expected.split("\n"), ["…", ...lines(60).slice(48), "…"]);
  assert.equal(shown.found.split("\n")[3], "line fifty");
  assert.deepEqual(excerpts({ how: "equal", expected: "a\nb", found: "a" }), {
    expected: "a\nb",
    found: "a",
  });
  assert.deepEqual(excerpts({ how: "equal", expected: "", found: "\n\nx" }), {
    expected: "",
    found: "\n\nx",
  });
});

Deno.test("one long line is cut around the difference", () => {
  const [a, b] = ["x".repeat(50_000), "y".repeat(50_000)];
  const shown = excerpts({ how: "equal", expected: `${a}1${a}`, found: `${a}2${b}` });
  assert.ok(shown.expected.length < 1100 && shown.found.length < 1100);
  assert.match(shown.expected, /^…\nx+1x+\n…$/);
  assert.match(shown.found, /^…\nx+2y+\n…$/);
});

Deno.test("a text that should be within another is shown where it nearly is", () => {
  const found = `${"nothing here\n".repeat(500)}The anser is 42.\n${"nor here\n".repeat(500)}`;
  const shown = excerpts({ how: "within", expected: "The answer is 42", found });
  assert.equal(shown.expected, "The answer is 42");
  assert.match(shown.found, /^…\nThe anser is 42\.\nnor here\n/);
  assert.match(excerpts({ how: "within", expected: "zzz", found }).found, /^nothing here\n/);
  assert.equal(excerpts({ how: "within", expected: "x", found: "" }).found, "");
});

Deno.test("values that are no texts are told apart from their texts", () => {
  const both = (expected: unknown, found: unknown) => excerpts({ how: "equal", expected, found });
  assert.deepEqual(both("5", 5), { expected: '"5"', found: "5" });
  assert.deepEqual(both([1], undefined), { expected: "[1]", found: "nothing" });
  assert.deepEqual(both(null, { a: 1n }), { expected: "null", found: '{"a":"1"}' });
  assert.deepEqual(both(1n, "1"), { expected: "1", found: '"1"' });
});

Deno.test("a character is never cut in half", () => {
  const found = "😀".repeat(2000);
  const shown = excerpts({ how: "within", expected: "zzzz", found });
  assert.ok(shown.found.isWellFormed());
  const equal = excerpts({ how: "equal", expected: `${found}a`, found: `${found}b` });
  assert.ok(equal.found.isWellFormed() && equal.expected.isWellFormed());
});
