import assert from "node:assert/strict";
import { mismatchLines } from "./mismatch_text.ts";

const texts = (expected: string, found: string) =>
  mismatchLines(expected, found).map(({ text }) => text);

Deno.test("texts with lines in common are compared by lines", () => {
  assert.deepEqual(mismatchLines("one\ntwo\nthree", "one\n2\nthree"), [
    { side: "both", text: "  one" },
    { side: "expected", text: "- two" },
    { side: "found", text: "+ 2" },
    { side: "both", text: "  three" },
  ]);
  assert.deepEqual(texts("a\nb", "a"), ["  a", "- b"]);
});

Deno.test("white space at the end of a line can be seen", () => {
  assert.deepEqual(texts("a\nb", "a\nb \t\r"), ["  a", "- b", "+ b·→␍"]);
});

Deno.test("others stand one below the other, cut to a few lines", () => {
  assert.deepEqual(texts("x", ""), ["expected  x", "found     (empty)"]);
  assert.deepEqual(texts("x", "1\n2\n3\n4\n5"), [
    "expected  x",
    "found     1",
    ...["2", "3", "…"].map((line) => `          ${line}`),
  ]);
  // What two excerpts share may be nothing but that both were cut.
  assert.deepEqual(texts("…\na", "…\nb")[0], "expected  …");
});
