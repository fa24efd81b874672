import assert from "node:assert/strict";
import type { Scale } from "../src/judge_config.ts";
import type { JsonValue } from "../src/score/criterion_score.ts";
import { readScore } from "./scale.ts";

const BINARY: Scale = { type: "binary" };
const LIKERT: Scale = { type: "likert", points: 5 };
const NUMERIC: Scale = { type: "numeric", min: -10, max: 10 };
const RUBRIC: Scale = { type: "rubric", levels: ["poor", "fair", "good"] };

const USABLE: [Scale, JsonValue, number][] = [
  ...["yes", "Yes", " YES ", "Yes.", "**yes**", '"yes"', "true", "TRUE", "1", true, 1].map(
    (answer): [Scale, JsonValue, number] => [BINARY, answer, 1],
  ),
  ...["no", "No!", "false", "`no`", "0", false, 0].map(
    (answer): [Scale, JsonValue, number] => [BINARY, answer, 0],
  ),
  [LIKERT, 1, 0],
  [LIKERT, 5, 1],
  [LIKERT, 3.0, 0.5],
  [LIKERT, " 2 ", 0.25],
  [NUMERIC, -10, 0],
  [NUMERIC, 5, 0.75],
  [NUMERIC, "1e1", 1],
  [RUBRIC, 0, 0],
  [RUBRIC, 2, 1],
  [RUBRIC, "Fair", 0.5],
];

const UNUSABLE: [Scale, JsonValue][] = [
  ...["", "pass", "y", "partially", "N/A", "yes and no", "0.7", "1.0", "-1", "not yes", null].map(
    (answer): [Scale, JsonValue] => [BINARY, answer],
  ),
  ...["−1", ".1", "1%", "≠1", "<1", "±1", "$1", "#1", "!true", "¬yes", "~~no~~"].map(
    (answer): [Scale, JsonValue] => [BINARY, answer],
  ),
  ...[0.4, -1, 5, NaN, ["yes"], { yes: true }].map((answer): [Scale, JsonValue] => [
    BINARY,
    answer as JsonValue,
  ]),
  ...[0, 6, 9, 2.5, "4/5", "four", "3 of 5", "", true, null, [3], Infinity, 1e300].map(
    (answer): [Scale, JsonValue] => [LIKERT, answer as JsonValue],
  ),
  ...[-10.1, 11, "inf", "nan", "0x5", true, NaN].map((answer): [Scale, JsonValue] => [
    NUMERIC,
    answer,
  ]),
  ...[3, -1, 0.5, "excellent", "goo", null].map((answer): [Scale, JsonValue] => [RUBRIC, answer]),
];

Deno.test("answers on a scale are read, and kept as they were given", () => {
  for (const [scale, answer, value] of USABLE) {
    assert.deepEqual(readScore(answer, scale), { value, raw: answer }, JSON.stringify(answer));
  }
});

Deno.test("answers off a scale are unusable, and the message shows them", () => {
  for (const [scale, answer] of UNUSABLE) {
    const read = readScore(answer, scale);
    assert.ok("problem" in read, `${JSON.stringify(answer)} on ${scale.type}`);
    assert.match(read.problem, /^the score is .*, expected /);
  }
});

Deno.test("a level's text counts only where one level reads so", () => {
  const scale: Scale = { type: "rubric", levels: ["bad", "Bad", "fine"] };
  assert.ok("problem" in readScore("bad", scale));
  assert.deepEqual(readScore("fine", scale), { value: 1, raw: "fine" });
  const numerals: Scale = { type: "rubric", levels: ["1", "2", "3"] };
  assert.ok("problem" in readScore("2", numerals));
  assert.deepEqual(readScore(2, numerals), { value: 1, raw: 2 });
});

Deno.test("a long answer is neither searched for long nor shown whole", () => {
  const long = `${"!".repeat(1 << 20)}yes`;
  const started = performance.now();
  const read = readScore(long, BINARY);
  assert.ok("problem" in read && read.problem.length < 200);
  assert.ok(performance.now() - started < 1000);
});
