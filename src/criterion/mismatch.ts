// What a check expected and what it found, cut to what a person looks at.

import type { Mismatch } from "./builtin.ts";

/** Two texts for a report; where they were cut, a line of `…` stands. */
export interface Excerpts {
  expected: string;
  found: string;
}

const MAX_LINES = 12;
const MAX_CHARACTERS = 1000;

/** Equal lines that are kept in front of the first difference. */
const LINES_BEFORE = 2;

/** Least length of the part of a text that is worth being shown as nearly found. */
const MIN_NEAR = 4;

/**
 * Cuts both sides of a mismatch: where texts should be equal, to the lines around the first
 * difference; where one should be within the other, to where the longest beginning of it is. Values
 * that are not both texts are shown as JSON.
 *
 * @example
 * ```ts
 * import { excerpts } from "./mismatch.ts";
 * import assert from "node:assert/strict";
 *
 * const same = "same\n".repeat(100);
 * assert.deepEqual(excerpts({ how: "equal", expected: `${same}a`, found: `${same}b` }), {
 *   expected: "…\nsame\nsame\na",
 *   found: "…\nsame\nsame\nb",
 * });
 * ```
 */
export function excerpts({ how, expected, found }: Mismatch): Excerpts {
  const areTexts = typeof expected === "string" && typeof found === "string";
  const wanted = areTexts ? expected : json(expected);
  const text = areTexts ? found : json(found);
  if (areTexts && how === "equal") {
    const from = beginning(wanted, firstDifference(wanted, text), LINES_BEFORE);
    return { expected: cut(wanted, from), found: cut(text, from) };
  }
  const from = how === "within" ? beginning(text, nearly(wanted, text), 0) : 0;
  return { expected: cut(wanted, 0), found: cut(text, from) };
}

function json(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "bigint") return String(value);
  try {
    const safe = (_key: string, item: unknown) => typeof item === "bigint" ? String(item) : item;
    return JSON.stringify(value, safe) ?? String(value);
  } catch {
    return String(value);
  }
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

/** Where the longest beginning of a text's first line is found; 0 if there is none worth it. */
function nearly(wanted: string, text: string): number {
  const line = wanted.trimStart().split("\n", 1)[0]!.slice(0, MAX_CHARACTERS);
  let [least, most] = [0, line.length];
  while (least < most) {
    const length = Math.ceil((least + most) / 2);
    if (text.includes(line.slice(0, length))) least = length;
    else most = length - 1;
  }
  return least < MIN_NEAR ? 0 : text.indexOf(line.slice(0, least));
}

/** Where a line begins that is so many lines above a position, but not far above it. */
function beginning(text: string, position: number, lines: number): number {
  let from = text.lastIndexOf("\n", position - 1) + 1;
  if (position === 0) from = 0;
  for (let above = 0; above < lines && from > 0; above++) {
    const before = from === 1 ? 0 : text.lastIndexOf("\n", from - 2) + 1;
    if (position - before > MAX_CHARACTERS / 4) break;
    from = before;
  }
  // One very long line: the difference should be in what is shown.
  return position - from > MAX_CHARACTERS / 2 ? position - MAX_CHARACTERS / 4 : from;
}

function cut(text: string, from: number): string {
  const some = text.slice(from, from + MAX_CHARACTERS);
  const lines = some.split("\n").slice(0, MAX_LINES);
  const kept = lines.join("\n").toWellFormed();
  const isWhole = from + kept.length >= text.length;
  return `${from > 0 ? "…\n" : ""}${kept}${isWhole ? "" : "\n…"}`;
}
