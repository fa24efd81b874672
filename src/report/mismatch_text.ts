// What a criterion expected beside what it found, as lines of text.

import { diffArrays } from "diff";

/** A line, and which side it shows. */
export interface MismatchLine {
  side: "expected" | "found" | "both";
  text: string;
}

/** Most lines of each side that are shown without a comparison. */
const MAX_LINES = 4;

/**
 * Texts that have lines in common become a comparison by lines; others stand one below the other.
 *
 * @example
 * ```ts
 * import { mismatchLines } from "./mismatch_text.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(mismatchLines("a\nb", "a\nc").map(({ text }) => text), ["  a", "- b", "+ c"]);
 * assert.deepEqual(mismatchLines("1", "2").map(({ text }) => text), [
 *   "expected  1",
 *   "found     2",
 * ]);
 * ```
 */
export function mismatchLines(expected: string, found: string): MismatchLine[] {
  const [wanted, text] = [expected.split("\n"), found.split("\n")];
  const isComparable = wanted.length + text.length > 2 &&
    wanted.some((line) => line.trim() !== "" && line !== "…" && text.includes(line));
  if (isComparable) return comparison(wanted, text);
  return [...labelled("expected", wanted), ...labelled("found", text)];
}

/** The same without their sides, of a criterion that may know neither. */
export function mismatchTexts(
  { expected, found }: { expected?: string; found?: string },
): string[] {
  if (expected === undefined || found === undefined) return [];
  return mismatchLines(expected, found).map(({ text }) => text);
}

function comparison(expected: string[], found: string[]): MismatchLine[] {
  return diffArrays(expected, found).flatMap(({ added, removed, value }) => {
    const side = removed ? "expected" : added ? "found" : "both";
    const sign = removed ? "- " : added ? "+ " : "  ";
    return value.map((line): MismatchLine => ({
      side,
      text: `${sign}${side === "both" ? line : withVisibleEnd(line)}`,
    }));
  });
}

/** White space at the end of a line, which may be all that is different. */
function withVisibleEnd(line: string): string {
  return line.replace(
    /[ \t\r]+$/,
    (end) => end.replaceAll(" ", "·").replaceAll("\t", "→").replaceAll("\r", "␍"),
  );
}

function labelled(side: "expected" | "found", given: string[]): MismatchLine[] {
  const lines = given.length > 1 && given.at(-1) === "" ? given.slice(0, -1) : given;
  const isEmpty = lines.length === 1 && lines[0] === "";
  const label = side === "expected" ? "expected  " : "found     ";
  const isAll = lines.length <= MAX_LINES;
  const shown = isAll ? lines : [...lines.slice(0, MAX_LINES - 1), "…"];
  return shown.map((line, index) => ({
    side,
    text: `${index === 0 ? label : " ".repeat(label.length)}${isEmpty ? "(empty)" : line}`,
  }));
}
