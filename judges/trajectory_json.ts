// JSON of a trajectory: large, perhaps hostile, and often written by Python. The reader of the
// criteria keeps every number to be computed with; here all is shown as JSON again, and 60 MB of it
// must not take long, so one pass makes the text fit for the parser of the engine.

import { SubmissionError } from "../src/errors.ts";

/** Most values, about: a small file can hold enough of them to fill the memory. */
const MAX_VALUES = 4_000_000;

/** Deepest nesting: what is deeper cannot be written as JSON again. */
const MAX_DEPTH = 1000;

/** Digits of an integer that a number of JavaScript holds for certain. */
const SAFE_DIGITS = 15;

const [QUOTE, BACKSLASH, OPEN_LIST, OPEN_OBJECT, CLOSE_LIST, CLOSE_OBJECT, MINUS, COMMA] = [
  ...'"\\[{]}-,',
].map((character) => character.charCodeAt(0));
const [LETTER_I, LETTER_N] = [..."IN"].map((letter) => letter.charCodeAt(0));

/** Integers that are too long, and numbers that Python writes and JSON does not know. */
const UNSAFE_REGEXP = /^-?(?:[0-9]{16,}|NaN|Infinity)$/;

/**
 * Reads JSON to be shown: integers that would lose digits become texts, as do `NaN` and `Infinity`.
 *
 * @param path How messages name the file.
 * @throws {SubmissionError} If it is no JSON, nested too deeply or holds too many values.
 */
export function readJson(text: string, path: string): unknown {
  const readable = quoteNumbers(text, path);
  try {
    return JSON.parse(readable);
  } catch (error) {
    // The message can quote the text.
    const reason = (error as Error).message.replace(/\p{C}/gu, "\ufffd");
    throw new SubmissionError(`"${path}" is no JSON: ${reason}`);
  }
}

/** One pass over all that is no text; refuses what the parser should not be given. */
function quoteNumbers(text: string, path: string): string {
  const parts: string[] = [];
  let done = 0;
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfText(text, at);
    else if (code === COMMA) values++;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      values++;
      if (++depth > MAX_DEPTH) {
        throw new SubmissionError(
          `"${path}" is nested too deeply: the limit is ${MAX_DEPTH} levels`,
        );
      }
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
    else if (isStartOfNumber(code)) {
      const end = endOfNumber(text, at);
      if (end - at > SAFE_DIGITS || code === LETTER_N || code === LETTER_I || code === MINUS) {
        const number = text.slice(at, end);
        if (UNSAFE_REGEXP.test(number)) {
          parts.push(text.slice(done, at), `"${number}"`);
          done = end;
        }
      }
      at = end - 1;
    }
    if (values > MAX_VALUES) {
      throw new SubmissionError(
        `"${path}" is too large for a judge: it holds more than ${MAX_VALUES} values`,
      );
    }
  }
  return done === 0 ? text : [...parts, text.slice(done)].join("");
}

/** The place of the closing quotation mark. */
function endOfText(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) {
    at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  }
  return at;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isStartOfNumber(code: number): boolean {
  return isDigit(code) || code === MINUS || code === LETTER_I || code === LETTER_N;
}

/** At least one character after `start`. */
function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // Letters, also those of names; a point; signs of an exponent.
    const isLetter = (code | 32) >= 0x61 && (code | 32) <= 0x7a;
    if (!isDigit(code) && !isLetter && code !== 0x2e && code !== 0x2b && code !== MINUS) break;
  }
  return at;
}
