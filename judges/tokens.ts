// How many tokens a text has.

import { lazily } from "../src/lazy.ts";

/** Counts and cuts texts by their tokens. */
export interface Tokenizer {
  /**
   * Tokens of a text.
   *
   * @param enough Counting may stop at so many; the result is then some number above it.
   */
  count(text: string, enough?: number): number;
  /**
   * At most so many tokens of a text: its beginning and its end, and between them a line that says
   * about how many tokens were left out. A text that fits stays as it is. Takes time for what is
   * kept, not for what is left out.
   */
  cut(text: string, maxTokens: number): string;
}

/** Tokens for a letter, digit or white space of ASCII: fewer than in the densest prose. */
const ORDINARY = 0.4;

/** The same in a run without white space that is too long for a word, as in Base64. */
const IN_RUN = 0.85;

/** Longest run that can be a word. */
const WORD_LENGTH = 24;

/** Tokens for a UTF-16 unit of a script in wide use. */
const COMMON = 1.25;

/** The same for all others: a token for each byte. */
const RARE = 3;

/**
 * About how many tokens a text has, rather too many than too few: also a hostile text should not
 * have more. Takes no package.
 *
 * @example
 * ```ts
 * import { estimateTokens } from "./tokens.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(estimateTokens("hello judge"), 5);
 * assert.equal(estimateTokens("判断"), 3);
 * ```
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let run = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 32 || code === 10) {
      tokens += ORDINARY;
      run = 0;
      continue;
    }
    run++;
    if (code > 127) tokens += isCommon(code) ? COMMON : RARE;
    else if (!isAlphanumeric(code)) tokens += 1;
    else tokens += run > WORD_LENGTH ? IN_RUN : ORDINARY;
  }
  return Math.ceil(tokens);
}

function isAlphanumeric(code: number): boolean {
  const lower = code | 32;
  return (lower >= 97 && lower <= 122) || (code >= 48 && code <= 57);
}

function isCommon(code: number): boolean {
  return code < 0x0250 || // Latin
    (code >= 0x0370 && code < 0x0700) || // Greek to Arabic
    (code >= 0x0900 && code < 0x0e80) || // India and Thailand
    (code >= 0x2010 && code < 0x2030) || // Dashes and quotation marks
    (code >= 0x2500 && code < 0x2580) || // Lines of tables
    (code >= 0x3000 && code < 0x3100) || // Kana
    (code >= 0x4e00 && code < 0xa000) || // Han
    (code >= 0xac00 && code < 0xd7b0); // Hangul
}

/** What an image of unknown size costs; the providers shrink larger ones. */
export const IMAGE_TOKENS = 1600;

/** Loads the tokenizer, which takes some 200 ms. */
export async function loadTokenizer(): Promise<Tokenizer> {
  const { tokenizer } = await lazily<typeof import("./tokenizer.ts")>(
    "./tokenizer.ts",
    import.meta.url,
  );
  return tokenizer;
}

/**
 * The largest share that all texts can have when those below it stay whole.
 *
 * @param sizes Tokens of each.
 * @param budget Tokens for all of them.
 * @returns Tokens that each may have; `Infinity` if all fit.
 *
 * @example
 * ```ts
 * import { fairShare } from "./tokens.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(fairShare([10, 100, 100], 110), 50);
 * assert.equal(fairShare([10, 20], 30), Infinity);
 * ```
 */
export function fairShare(sizes: readonly number[], budget: number): number {
  const sorted = [...sizes].sort((a, b) => a - b);
  let left = budget;
  for (const [index, size] of sorted.entries()) {
    const share = left / (sorted.length - index);
    if (size > share) return Math.max(0, Math.floor(share));
    left -= size;
  }
  return Infinity;
}
