// Python regular expressions, run by JavaScript's engine.

import { SubmissionError } from "../../src/errors.ts";
import { emitPattern } from "./regex_emitter.ts";
import { parsePattern } from "./regex_parser.ts";
import { PatternError, Scanner } from "./regex_scanner.ts";

/**
 * Translates a pattern of Python 3.12's `re`, written for text, to a `RegExp` that matches the same
 * texts: Unicode classes, inline flags, verbose mode, possessive and atomic groups, conditional
 * groups, `\A`, `\Z`, and `$` before a final newline as in Python. A `RegExp` is taken as it is, in
 * a copy of its own.
 *
 * Not the same: the groups of the result have other numbers and no names; the characters of a class
 * are those of the engine's Unicode version; a reference that ignores case also takes for the same
 * what full case folding does (k and the Kelvin sign); in an empty text, a group that is optional
 * and captured the empty text counts as not set; an atomic repetition of something that is lazy and
 * can be empty may go on longer. `(?a:\W)` follows Python's documentation, where CPython 3.12 still
 * searches with the Unicode class.
 *
 * @throws {SyntaxError} If Python would refuse the pattern, or it uses what JavaScript cannot
 * express; names the construct and its position (code points from 0).
 *
 * @example
 * ```ts
 * import { compile, search } from "./regex.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(search(compile("(?i)^total: (?P<n>\\d+)$"), "TOTAL: 12\n"), true);
 * assert.throws(() => compile("(?<=a*)b"), SyntaxError);
 * ```
 */
export function compile(pattern: string | RegExp): RegExp {
  if (typeof pattern !== "string") return new RegExp(pattern.source, pattern.flags);
  const scanner = new Scanner(pattern);
  try {
    const regexp = new RegExp(emitPattern(parsePattern(scanner)), "v");
    // The engine compiles a pattern when it first runs, and may then find it too large.
    regexp.test("");
    return regexp;
  } catch (error) {
    const isEngines = error instanceof RangeError || error instanceof SyntaxError;
    if (error instanceof PatternError || !isEngines) throw error;
    throw scanner.untranslatable("it is too large or nested too deeply for the engine", 0);
  }
}

/**
 * Whether the expression matches anywhere in `text`, whatever its `g` or `y` flag left behind.
 *
 * @throws {SubmissionError} If matching needs more memory than the engine has for it.
 */
export function search(regexp: RegExp, text: string): boolean {
  regexp.lastIndex = 0;
  try {
    return regexp.test(text);
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof SyntaxError)) throw error;
    throw new SubmissionError(
      `${regexp} cannot be searched for in a text of ${text.length} characters: it needs too much ` +
        "memory",
      { cause: error },
    );
  }
}
