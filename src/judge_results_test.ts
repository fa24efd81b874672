import assert from "node:assert/strict";
import { resultOfJudge } from "./judge_results.ts";
import type { JudgeFile } from "./suite/suite.ts";

const judge = {
  id: "j.toml",
  shown: "tests/j.toml",
  config: {
    kind: "llm",
    judge: "openai/gpt-5",
    timeoutSec: 300,
    files: [],
    mode: "batched",
    samples: 1,
    guard: "off",
    mcpServers: [],
    criteria: [{ name: "x", weight: 2 }, { name: "y", weight: 1 }],
  },
} as unknown as JudgeFile;

Deno.test("an error that criteria of a judge share is told once", () => {
  const names = ["a", "b", "c", "d", "e"];
  const { input, errors } = resultOfJudge(judge, {
    criteria: names.map((name) => ({ name, value: 0, raw: null, weight: 1, error: "no answer" })),
    warnings: ["w"],
    errors: [
      { criteria: names, message: "no answer", hint: "look" },
      { criteria: [], message: "of the judge" },
    ],
    judge_output: "",
    durationSec: 1.23456,
  });
  assert.deepEqual(errors, [
    { file: "tests/j.toml", criterion: "a, b, c and 2 more", message: "no answer", hint: "look" },
    { file: "tests/j.toml", message: "of the judge" },
  ]);
  assert.deepEqual(input.errors, [{ file: "j.toml", message: "of the judge" }]);
  assert.equal(input.duration_sec, 1.2346);
  assert.deepEqual(input.warnings, ["w"]);
});
