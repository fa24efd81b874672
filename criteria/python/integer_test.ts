import assert from "node:assert/strict";
import { parseInteger } from "./integer.ts";

Deno.test("parseInteger() reads what Python's int() reads", () => {
  const table: [string, number | undefined][] = [
    ["0", 0],
    ["007", 7],
    [" 1 ", 1],
    ["\u00a01\x1c", 1],
    ["+1", 1],
    ["-12", -12],
    ["1_000", 1000],
    ["٣", 3],
    ["९०", 90],
    ["𝟘𝟡𝟚", 92],
    ["𝟿", 9],
    ["1٣", 13],
    ["9".repeat(30), Infinity],
    [`-${"9".repeat(30)}`, -Infinity],
    ["", undefined],
    ["-", undefined],
    ["+-1", undefined],
    ["- 1", undefined],
    ["1__0", undefined],
    ["_1", undefined],
    ["1_", undefined],
    ["1.0", undefined],
    ["1e3", undefined],
    ["0x10", undefined],
    ["²", undefined],
    ["1 2", undefined],
    ["\ufeff1", undefined],
    ["1".repeat(4301), undefined],
  ];
  for (const [text, expected] of table) assert.equal(parseInteger(text), expected, text);
});
