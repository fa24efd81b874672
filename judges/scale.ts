// From what a judge answered to a score.

import type { Scale } from "../src/judge_config.ts";
import type { JsonValue } from "../src/score/criterion_score.ts";

/** A score, or why the answer is none. */
export type Reading =
  /** `value` in [0, 1]; `raw` as it was answered. */
  | { value: number; raw: JsonValue }
  | { problem: string };

/** Most characters of an answer that a message shows. */
const MAX_SHOWN = 60;

/**
 * Reads an answer on a scale, strictly: what is not on the scale is unusable. Nothing is clamped,
 * since a 9 of 5 shows that the judge used another scale.
 *
 * @example
 * ```ts
 * import { readScore } from "./scale.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(readScore("Yes.", { type: "binary" }), { value: 1, raw: "Yes." });
 * assert.deepEqual(readScore(4, { type: "likert", points: 5 }), { value: 0.75, raw: 4 });
 * assert.ok("problem" in readScore(9, { type: "likert", points: 5 }));
 * ```
 */
export function readScore(answer: JsonValue, scale: Scale): Reading {
  const value = valueOf(answer, scale);
  if (value !== null) return { value, raw: answer };
  return { problem: `the score is ${show(answer)}, expected ${expected(scale)}` };
}

/** What answers a scale takes, for messages and for prompts. */
export function expected(scale: Scale): string {
  switch (scale.type) {
    case "binary":
      return '"yes" or "no"';
    case "likert":
      return `a whole number from 1 to ${scale.points}`;
    case "numeric":
      return `a number from ${scale.min} to ${scale.max}`;
    case "rubric":
      return `a whole number from 0 to ${scale.levels.length - 1}`;
  }
}

function valueOf(answer: JsonValue, scale: Scale): number | null {
  switch (scale.type) {
    case "binary":
      return binary(answer);
    case "likert":
      return within(whole(answer), 1, scale.points);
    case "numeric":
      return within(number(answer), scale.min, scale.max);
    case "rubric":
      return within(levelNumber(answer, scale.levels), 0, scale.levels.length - 1);
  }
}

const YES = ["yes", "true", "1"];
const NO = ["no", "false", "0"];

/** White space and punctuation around a word: `"Yes."`, `**no**`. */
const AROUND_REGEXP = /^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu;

/** What is no decoration, as it changes what it stands at: `-1`, `.1`, `1%`, `<1`, `!true`. */
const CHANGES_REGEXP = /^[^\p{L}\p{N}]*(?:[!¬~≠<>≤≥]|[-−+±.,$#]\s*\p{N})|%/u;

/** Longer texts are no verdict, and would take the expression above long. */
const MAX_WORD = 40;

function binary(answer: JsonValue): number | null {
  if (typeof answer === "boolean") return answer ? 1 : 0;
  if (answer === 0 || answer === 1) return answer;
  if (typeof answer !== "string" || answer.length > MAX_WORD) return null;
  if (CHANGES_REGEXP.test(answer)) return null;
  const word = answer.replace(AROUND_REGEXP, "").toLowerCase();
  return YES.includes(word) ? 1 : NO.includes(word) ? 0 : null;
}

const NUMBER_REGEXP = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

function number(answer: JsonValue): number | null {
  if (typeof answer === "number") return Number.isFinite(answer) ? answer : null;
  if (typeof answer !== "string" || answer.length > MAX_WORD) return null;
  const text = answer.trim();
  return NUMBER_REGEXP.test(text) && Number.isFinite(Number(text)) ? Number(text) : null;
}

function whole(answer: JsonValue): number | null {
  const found = number(answer);
  return found !== null && Number.isSafeInteger(found) ? found : null;
}

/** A level by its number or its text; `null` where a text that is a number means another level. */
function levelNumber(answer: JsonValue, levels: readonly string[]): number | null {
  const byNumber = whole(answer);
  const byText = levelOf(answer, levels);
  if (byNumber !== null && byText !== null && byNumber !== byText) return null;
  return byNumber ?? byText;
}

/** A level by its text, where only one reads so. */
function levelOf(answer: JsonValue, levels: readonly string[]): number | null {
  if (typeof answer !== "string") return null;
  const wanted = answer.trim().toLowerCase();
  const same = levels.flatMap((level, index) =>
    level.trim().toLowerCase() === wanted ? [index] : []
  );
  return same.length === 1 ? same[0]! : null;
}

function within(answer: number | null, min: number, max: number): number | null {
  if (answer === null || answer < min || answer > max) return null;
  return (answer - min) / (max - min);
}

function show(answer: JsonValue): string {
  const text = JSON.stringify(answer);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}…` : text;
}
