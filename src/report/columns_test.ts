import assert from "node:assert/strict";
import { codeLine, cut, cutStart, oneLine, widthOf } from "./columns.ts";

Deno.test("widthOf() counts columns as terminals do", () => {
  const table: [string, number][] = [
    ["abc", 3],
    ["漢字", 4],
    ["e\u0301", 1],
    ["🎉", 2],
    ["👨‍👩‍👧", 2],
    ["🇩🇪", 2],
    ["☺\ufe0f", 2],
    ["한", 2],
    ["", 0],
  ];
  for (const [text, width] of table) assert.equal(widthOf(text), width, text);
});

Deno.test("cut() and cutStart() keep within the columns and never split a character", () => {
  assert.equal(cut("abcdef", 4), "abc…");
  assert.equal(cutStart("abcdef", 4), "…def");
  assert.equal(cut("漢字漢字", 6), "漢字…");
  assert.equal(cutStart("漢字漢字", 6), "…漢字");
  assert.equal(cutStart("short", 10), "short");
  assert.equal(cut("👨‍👩‍👧👨‍👩‍👧", 3), "👨‍👩‍👧…");
});

Deno.test("codeLine() keeps indentation, oneLine() does not; neither keeps what steers", () => {
  assert.equal(codeLine("\t- x\x1b[31m\u202e"), "  - x [31m\ufffd");
  assert.equal(oneLine("  a\n\tb\u2028c "), "a b c");
});
