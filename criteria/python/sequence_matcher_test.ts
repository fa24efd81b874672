import assert from "node:assert/strict";
import { SubmissionError } from "../../src/errors.ts";
import { MAX_CODE_POINTS, ratio } from "./sequence_matcher.ts";

Deno.test("ratio() is the double that CPython 3.12 computes", () => {
  const recorded = new URL("../../fixtures/python/ratios.jsonl", import.meta.url);
  const lines = Deno.readTextFileSync(recorded).trim().split("\n");
  assert.equal(lines.length, 120);
  for (const line of lines) {
    const [a, b, autojunk, expected] = JSON.parse(line);
    assert.equal(ratio(a, b, { autojunk }), expected, line);
  }
});

Deno.test("ratio() of texts that are empty or equal", () => {
  assert.equal(ratio("", ""), 1);
  assert.equal(ratio("", "a"), 0);
  assert.equal(ratio("a", ""), 0);
  assert.equal(ratio("a".repeat(500), "a".repeat(500)), 1);
});

Deno.test("ratio() ignores popular code points from 200 on", () => {
  const longer = "b" + "ab".repeat(200);
  assert.equal(ratio(longer, "ab".repeat(200)), 0);
  assert.equal(ratio(longer, "ab".repeat(200), { autojunk: false }), 800 / 801);
  assert.equal(ratio("ab".repeat(99) + "c", "ab".repeat(99)), 396 / 397);
});

Deno.test("ratio() refuses texts that are too long", () => {
  const long = "ab".repeat(MAX_CODE_POINTS / 2);
  for (const [a, b] of [[`${long}c`, "x"], ["x", long.repeat(3)]] as const) {
    assert.throws(
      () => ratio(a, b),
      (error: unknown) => error instanceof SubmissionError && /is too long/.test(error.message),
    );
  }
});
