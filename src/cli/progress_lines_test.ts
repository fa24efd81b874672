import assert from "node:assert/strict";
import type { RunEvent } from "../events.ts";
import { widthOf } from "../report/columns.ts";
import { Progress } from "./progress.ts";
import { progressLines } from "./progress_lines.ts";

const ROOM = { columns: 80, rows: 24, colours: false };

/** Events at milliseconds. */
function after(...events: [number, RunEvent][]): Progress {
  const progress = new Progress(0);
  for (const [at, event] of events) progress.apply(event, at);
  return progress;
}

/** A tests folder with these check files, all of them begun at once. */
function running(names: readonly string[], criteria: readonly string[]): Progress {
  const files = names.map((name) => ({ file: `tests/${name}`, kind: "programmatic" as const }));
  return after(
    [0, { type: "discovered", testsDir: "tests", files }],
    [0, {
      type: "planned",
      testsDir: "tests",
      files: files.map((file) => ({ ...file, criteria: [...criteria] })),
    }],
    ...files.map(({ file }): [number, RunEvent] => [0, { type: "fileStarted", file }]),
    ...files.map(({ file }): [number, RunEvent] => [
      0,
      { type: "criterionStarted", file, index: 0, criterion: criteria[0]! },
    ]),
  );
}

/** Names that try to break the display. */
const HOSTILE = [
  "漢字の名前がとても長いチェックファイルです漢字の名前がとても長い.ts",
  "🎉👨‍👩‍👧‍👦🇩🇪️☺️".repeat(8),
  "\x1b[2J\x1b[31m\x07\x9b1m\u202egnp.ts",
  "line\nbreak\r\ttab\u2028separator",
  `${"e\u0301".repeat(60)}.ts`,
  "a".repeat(300),
  "\ud800lone",
];

Deno.test("each file says what runs in it, how long and how much is left, the last line the sum", () => {
  const progress = after(
    [0, {
      type: "discovered",
      testsDir: "tests",
      files: [
        { file: "tests/a.ts", kind: "programmatic" },
        { file: "tests/long_name.ts", kind: "programmatic" },
        { file: "tests/q.toml", kind: "llm" },
        { file: "tests/w.ts", kind: "programmatic" },
      ],
    }],
    [100, {
      type: "planned",
      testsDir: "tests",
      files: [
        { file: "tests/a.ts", kind: "programmatic", criteria: ["x"] },
        { file: "tests/long_name.ts", kind: "programmatic", criteria: ["one", "two", "three"] },
        { file: "tests/q.toml", kind: "llm", criteria: ["good", "better"] },
        { file: "tests/w.ts", kind: "programmatic", criteria: ["w"] },
      ],
    }],
    [100, { type: "fileStarted", file: "tests/a.ts" }],
    [100, { type: "criterionStarted", file: "tests/a.ts", index: 0, criterion: "x" }],
    [200, { type: "fileStarted", file: "tests/long_name.ts" }],
    [200, { type: "criterionStarted", file: "tests/long_name.ts", index: 0, criterion: "one" }],
    [200, { type: "criterionStarted", file: "tests/long_name.ts", index: 1, criterion: "two" }],
    [300, { type: "fileStarted", file: "tests/q.toml" }],
    [400, { type: "criterionFinished", file: "tests/a.ts", index: 0, criterion: "x", score: 1 }],
    [400, { type: "fileFinished", file: "tests/a.ts", durationSec: 0.3 }],
    [900, {
      type: "criterionFinished",
      file: "tests/long_name.ts",
      index: 0,
      criterion: "one",
      score: 0,
    }],
    [1000, {
      type: "judgeProgress",
      file: "tests/q.toml",
      progress: { done: 3, total: 8, calls: 4, costUsd: 0.125 },
    }],
  );
  assert.deepEqual(progressLines(progress, ROOM, 65_400), [
    "⠼ long_name.ts  2 of 3 left, 1 failed, 1 min 5 s, two",
    "⠼ q.toml        3 of 8 judgements, 4 calls, $0.1250, 1 min 5 s",
    "2 of 7 criteria, 1 failed, 1 file waiting, $0.1250, 1 min 5 s, tests",
  ]);
});

Deno.test("before it is known what there is to compute, it says what is loaded", () => {
  const files = [{ file: "tests/a.ts", kind: "programmatic" as const }];
  const progress = after([0, { type: "discovered", testsDir: "tests", files }]);
  assert.deepEqual(progressLines(progress, ROOM, 1000), ["Loading tests, 1 file, 1 s"]);
});

Deno.test("no line is wider than the terminal, whatever names are like and however narrow it is", () => {
  const progress = running(HOSTILE, HOSTILE);
  for (let columns = 1; columns <= 200; columns++) {
    for (const colours of [false, true]) {
      const room = { columns, rows: 24, colours };
      for (const line of progressLines(progress, room, 90_000)) {
        // deno-lint-ignore no-control-regex
        const text = line.replace(/\x1b\[\d+m/g, "");
        // deno-lint-ignore no-control-regex
        assert.doesNotMatch(text, /[\x00-\x1f\x7f-\x9f\u2028\u2029\u202e]/);
        assert.ok(widthOf(text) <= Math.max(columns - 1, 1), `${columns}: ${JSON.stringify(text)}`);
      }
    }
  }
});

Deno.test("no more lines are taken than the terminal has, or than a person follows", () => {
  const names = Array.from({ length: 300 }, (_, index) => `file_${index}.ts`);
  const progress = running(names, ["x"]);
  for (let rows = 1; rows <= 60; rows++) {
    const lines = progressLines(progress, { ...ROOM, rows }, 0);
    assert.ok(lines.length <= Math.max(1, rows - 1) && lines.length <= 12, `${rows}`);
    assert.match(lines.at(-1)!, /^0 of 300 criteria/);
    if (lines.length > 1) {
      assert.match(lines.at(-2)!, new RegExp(`and ${300 - (lines.length - 2)} more`));
    }
  }
});

Deno.test("the next tests folder begins anew, but what was paid stays", () => {
  const judge = { file: "v1/q.toml", kind: "llm" as const };
  const progress = after(
    [0, { type: "discovered", testsDir: "v1", files: [judge] }],
    [0, { type: "planned", testsDir: "v1", files: [{ ...judge, criteria: ["x"] }] }],
    [0, { type: "fileStarted", file: judge.file }],
    [0, {
      type: "judgeProgress",
      file: judge.file,
      progress: { done: 1, total: 1, calls: 1, costUsd: 1 },
    }],
    [0, { type: "fileFinished", file: judge.file, durationSec: 1 }],
    [0, { type: "discovered", testsDir: "v2", files: [] }],
    [0, { type: "planned", testsDir: "v2", files: [] }],
  );
  assert.deepEqual(progressLines(progress, ROOM, 0), ["0 of 0 criteria, $1.0000, 0 s, v2"]);
});
