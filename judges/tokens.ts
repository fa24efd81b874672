// How many tokens a text has.

import { lazily } from "../src/lazy.ts";

/** Counts and cuts texts by their tokens. */
export interface Tokenizer {
  count(text: string): number;
  /**
   * At most so many tokens of a text: its beginning and its end, and between them a line that says
   * how much was left out. A text that fits stays as it is.
   */
  cut(text: string, maxTokens: number): string;
}

/** Characters for a token in the densest ASCII text, such as code or numbers. */
const ASCII_PER_TOKEN = 2.5;

/**
 * About how many tokens a text has, rather too many than too few. Takes no package.
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
  let others = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) others++;
  return Math.ceil((text.length - others) / ASCII_PER_TOKEN + others * 1.25);
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
