// Python's int() of a text, as far as a list index needs it.

import { strip } from "./text.ts";

/**
 * Reads what Python's `int(text)` reads: white space around it, a sign, digits of any script, and
 * single underscores between digits. Anything else is `undefined`; what does not fit a safe integer
 * becomes an infinity, which no index reaches.
 *
 * @example
 * ```ts
 * import { parseInteger } from "./integer.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(parseInteger(" -0_1 "), -1);
 * assert.equal(parseInteger("٣"), 3);
 * assert.equal(parseInteger("1.0"), undefined);
 * ```
 */
export function parseInteger(text: string): number | undefined {
  const match = INTEGER_REGEXP.exec(strip(text));
  if (match === null) return undefined;
  let digits = "";
  for (const digit of match[2]!) if (digit !== "_") digits += digitValue(digit.codePointAt(0)!);
  if (digits.length > MAX_DIGITS) return undefined;
  const magnitude = Number(digits);
  const value = Number.isSafeInteger(magnitude) ? magnitude : Infinity;
  return match[1] === "-" ? -value : value;
}

/** The length from which Python refuses to convert a text to an integer. */
export const MAX_DIGITS = 4300;

const INTEGER_REGEXP = /^([+-]?)(\p{Nd}+(?:_\p{Nd}+)*)$/u;

/** Digits of one script follow each other from 0 to 9, and scripts whole tens. */
function digitValue(codePoint: number): number {
  let first = codePoint;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first--;
  return (codePoint - first) % 10;
}
