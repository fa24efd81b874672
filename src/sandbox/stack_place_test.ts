import assert from "node:assert/strict";
import { placeInStack } from "./stack_place.ts";

Deno.test("placeInStack() finds the innermost frame in the folder", () => {
  const stack = `TypeError: fileContains() got 5
    at wrong (file:///kit/src/criterion/arguments.ts:90:10)
    at fileContains (file:///kit/criteria/files.ts:97:3)
    at check (file:///tests/deep%20er/lib.ts:4:6)
    at file:///tests/a.ts:12:1`;
  assert.deepEqual(placeInStack(stack, "/tests"), {
    path: "/tests/deep er/lib.ts",
    line: 4,
    column: 6,
  });
  assert.deepEqual(placeInStack("at file:///tests/a.ts:12:1", "/tests"), {
    path: "/tests/a.ts",
    line: 12,
    column: 1,
  });
});

Deno.test("placeInStack() makes nothing of a stack that is none", () => {
  const stacks = [
    undefined,
    "",
    "Error",
    "at file:///tests-of-others/a.ts:1:1",
    "at file:///%E0%A4%A:1:1",
  ];
  for (const stack of stacks) assert.equal(placeInStack(stack, "/tests"), null);
  assert.equal(placeInStack("at file:///tests/../etc/passwd:1:1", "/tests"), null);
});
