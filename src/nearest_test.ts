import assert from "node:assert/strict";
import { knownNames, nearest } from "./nearest.ts";

Deno.test("nearest() finds what was meant", () => {
  const keys = ["judge", "mode", "model", "weight", "threshold"];
  const table: [string, string | undefined][] = [
    ["modle", "model"],
    ["mod", "mode"],
    ["wieght", "weight"],
    ["Weight", "weight"],
    ["treshold", "threshold"],
    ["jugde", "judge"],
    ["x", undefined],
    ["colour", undefined],
    ["", undefined],
  ];
  for (const [typed, meant] of table) assert.equal(nearest(typed, keys), meant, typed);
});

Deno.test("knownNames() puts the nearest in front, and is silent where there are none", () => {
  assert.equal(knownNames("b", []), undefined);
  assert.equal(knownNames("zzz", ["a", "b"]), "Known: a, b");
  assert.equal(knownNames("filse", ["files", "b"]), 'Did you mean "files"? Known: files, b');
});
