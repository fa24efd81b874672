import assert from "node:assert/strict";
import { comparisonTable } from "./comparison.ts";

/** Cells of each row, trimmed. */
function rows(table: string | null): string[][] {
  return table!.split("\n").filter((line) => line.startsWith("│"))
    .map((line) => line.split("│").slice(1, -1).map((cell) => cell.trim()));
}

Deno.test("there is no table where no name is shared", () => {
  assert.equal(comparisonTable(["v1"], { "v1/a": 1 }), null);
  assert.equal(comparisonTable(["v1", "v2"], { "v1/a": 1, "v2/b": 1 }), null);
  // A folder whose name starts like another's is another folder.
  assert.equal(comparisonTable(["v", "v1"], { "v/a": 1, "v1/b": 0 }), null);
  assert.equal(comparisonTable([], {}), null);
});

Deno.test("shared names come in order, with the first folder's score minus the last one's", () => {
  const table = comparisonTable(["v1", "v2"], {
    "v1/correctness": 0.75,
    "v1/style": 0.3,
    "v1/only": 1,
    "v2/style": 0.1,
    "v2/correctness": 1,
  });
  assert.deepEqual(rows(table), [
    ["reward", "v1", "v2", "difference"],
    ["correctness", "0.75", "1", "-0.25"],
    ["style", "0.3", "0.1", "+0.2"],
  ]);
});

Deno.test("a folder that lacks the name has a dash; the difference is among those that have it", () => {
  const table = comparisonTable(["a", "b", "c"], {
    "a/all": 1,
    "b/all": 0.2,
    "c/all": 1,
    "b/two": 0.123456,
    "c/two": 0.5,
    "a/ends": 0,
    "c/ends": 1,
    "a/deep/name": 1,
    "c/deep/name": 0,
  });
  assert.deepEqual(rows(table), [
    ["reward", "a", "b", "c", "difference"],
    ["all", "1", "0.2", "1", "0"],
    ["ends", "0", "—", "1", "-1"],
    ["deep/name", "1", "—", "0", "+1"],
    ["two", "—", "0.123456", "0.5", "-0.3765"],
  ]);
});

Deno.test("the table has no colours: it is part of the result", () => {
  const table = comparisonTable(["v1", "v2"], { "v1/a": 1, "v2/a": 1 })!;
  assert.equal(table.includes("\x1b"), false);
});
