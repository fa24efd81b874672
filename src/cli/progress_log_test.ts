import assert from "node:assert/strict";
import type { RunEvent } from "../events.ts";
import { ProgressLog } from "./progress_log.ts";

function log(verbose: boolean, kinds: Record<string, "programmatic" | "llm">) {
  const lines: string[] = [];
  let now = 0;
  const written = new ProgressLog(
    (line) => lines.push(line),
    { verbose, startedAt: 0 },
    () => now,
  );
  const files = Object.entries(kinds).map(([file, kind]) => ({ file, kind }));
  written.event({ type: "discovered", testsDir: "t", files });
  const planned = files.map((file) => ({ ...file, criteria: ["x", "y"] }));
  written.event({ type: "planned", testsDir: "t", files: planned });
  for (const { file } of files) written.event({ type: "fileStarted", file });
  const at = (ms: number, ...events: RunEvent[]) => {
    now = ms;
    events.forEach((event) => written.event(event));
  };
  return { written, lines, at };
}

Deno.test("in a log, it is said now and then what runs, and when a judge is done", () => {
  const { written, lines, at } = log(false, { "t/q.toml": "llm", "t/a.ts": "programmatic" });
  at(
    10_000,
    { type: "criterionStarted", file: "t/a.ts", index: 0, criterion: "x" },
    {
      type: "judgeProgress",
      file: "t/q.toml",
      progress: { done: 9, total: 20, calls: 11, costUsd: 0.25 },
    },
  );
  written.tell();
  at(
    13_500,
    {
      type: "judgeProgress",
      file: "t/q.toml",
      progress: { done: 20, total: 20, calls: 22, costUsd: 0.75 },
    },
    { type: "fileFinished", file: "t/q.toml", durationSec: 13.5 },
    { type: "fileFinished", file: "t/a.ts", durationSec: 13.5 },
  );
  written.tell();
  assert.deepEqual(lines, [
    "judge t/q.toml: 9 of 20 judgements, 11 calls, $0.2500, 10 s",
    "t/a.ts: 2 of 2 left, 10 s, x",
    "judge t/q.toml: 20 judgements, 22 calls, $0.7500, 13 s",
  ]);
});

Deno.test("with verbose, a check file says when it is done", () => {
  const { lines, at } = log(true, { "t/a.ts": "programmatic" });
  at(
    1_000,
    { type: "criterionFinished", file: "t/a.ts", index: 0, criterion: "x", score: 0 },
    { type: "criterionFinished", file: "t/a.ts", index: 1, criterion: "y", score: 1 },
    { type: "fileFinished", file: "t/a.ts", durationSec: 0.25 },
  );
  assert.deepEqual(lines, ["t/a.ts: 2 criteria, 1 failed, 0.25 s"]);
});

Deno.test("of many files some are named, and a name cannot break the line", () => {
  const files = Object.fromEntries(
    Array.from({ length: 7 }, (_, index) => [`t/\n\x1b[2J${index}.ts`, "programmatic" as const]),
  );
  const { written, lines } = log(false, files);
  written.tell();
  assert.equal(lines.length, 6);
  assert.equal(lines[5], "and 2 more files");
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(lines.join(""), /[\x00-\x1f]/);
});
