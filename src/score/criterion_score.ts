// The score of one criterion: what a check returned, and how it appears in the results.

import { CriterionError } from "../errors.ts";

/** A value that JSON can hold. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | JsonValue[]
  | { [key: string]: JsonValue };

/** One criterion in `reward-details.json`. */
export interface CriterionScore {
  /** The author's own key for a judge's criterion. */
  id?: string;
  name: string;
  /** The score, usually in [0, 1]; 0 where there is an `error`. */
  value: number;
  /** What the criterion returned, or what the judge said. */
  raw: JsonValue;
  weight: number;
  description?: string;
  reasoning?: string;
  /** What the criterion wanted to find, and what it found instead; cut where it is long. */
  expected?: string;
  found?: string;
  /** Why there is no score. */
  error?: string;
  /** The judge's answer was turned around. */
  negate?: boolean;
  /** Does not count for `required-pass`. */
  optional?: boolean;
  /** In [0, 1]. */
  confidence?: number;
  /** What made the decision. */
  model?: string;
  /** The answers of a judge that was asked several times. */
  samples?: JsonValue[];
  /** How much the samples agree, in [0, 1]. */
  agreement?: number;
}

/** What a criterion's return value says. */
export interface Result {
  value: number;
  raw: boolean | number;
  reasoning?: string;
  expected?: string;
  found?: string;
  confidence?: number;
  model?: string;
}

const RESULT_KEYS = ["score", "reasoning", "expected", "found", "confidence", "model"];

/** Longest `expected` and `found`, in UTF-16 units. */
const MAX_SHOWN = 2000;

/**
 * Reads what a criterion returned: a boolean, a finite number, or an object with `score` and
 * perhaps `reasoning`, `expected`, `found`, `confidence` in [0, 1] and `model`. A number outside [0, 1] is kept.
 *
 * @throws {CriterionError} If it is anything else; says what was returned.
 *
 * @example
 * ```ts
 * import { scoreOf } from "./criterion_score.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(scoreOf(true), { value: 1, raw: true });
 * assert.throws(() => scoreOf(NaN), /returned NaN/);
 * ```
 */
export function scoreOf(result: unknown): Result {
  if (typeof result !== "object" || result === null) return plainScore(result, "");
  if (Array.isArray(result) || !("score" in result)) throw refused(result, "");

  const unknownKey = Object.keys(result).find((key) => !RESULT_KEYS.includes(key));
  if (unknownKey !== undefined) {
    throw new CriterionError(
      `The criterion returned an object with the unknown key "${unknownKey}", expected only ` +
        RESULT_KEYS.join(", "),
    );
  }
  const { score, reasoning, confidence, model, ...rest } = result as Record<string, unknown>;
  const read = plainScore(score, " as score");
  // `null` stands for "none" where it can only be meant so; a reasoning of null is a slip.
  if (reasoning !== undefined) {
    if (typeof reasoning !== "string") throw refusedPart("reasoning", reasoning, "a string");
    if (reasoning !== "") read.reasoning = reasoning;
  }
  for (const key of ["expected", "found"] as const) {
    const text = shownText(key, rest[key]);
    if (text !== undefined) read[key] = text;
  }
  if (confidence !== undefined && confidence !== null) {
    if (typeof confidence !== "number" || !(confidence >= 0 && confidence <= 1)) {
      throw refusedPart("confidence", confidence, "a number from 0 to 1");
    }
    read.confidence = confidence;
  }
  if (model !== undefined && model !== null) {
    if (typeof model !== "string") throw refusedPart("model", model, "a string");
    if (model !== "") read.model = model;
  }
  return read;
}

function plainScore(score: unknown, part: string): Result {
  if (typeof score === "boolean") return { value: score ? 1 : 0, raw: score };
  if (typeof score === "number" && Number.isFinite(score)) return { value: score, raw: score };
  throw refused(score, part);
}

/** Anything that JSON can hold may stand there; what is no text is shown as JSON. */
function shownText(key: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "bigint") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text === undefined) throw refusedPart(key, value, "a value that JSON can hold");
  if (text.length <= MAX_SHOWN) return text;
  return `${text.slice(0, MAX_SHOWN).toWellFormed()}…`;
}

function refused(found: unknown, part: string): CriterionError {
  return new CriterionError(
    `The criterion returned ${show(found)}${part}, expected true, false or a finite number` +
      (part === "" ? ", or an object with such a score" : ""),
  );
}

function refusedPart(key: string, found: unknown, expected: string): CriterionError {
  return new CriterionError(
    `The criterion returned ${show(found)} as ${key}, expected ${expected}`,
  );
}

function show(value: unknown): string {
  if (value === undefined) return "nothing (undefined)";
  if (typeof value === "string") return JSON.stringify(value.slice(0, 60));
  if (typeof value === "bigint") return `the bigint ${value}`;
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object without a score";
  if (typeof value === "function") return "a function";
  return String(value);
}
