// What is known of models: sizes, prices, and what they take.

/** How a model is told how hard to think. */
export type EffortStyle =
  /** Anthropic, current: it decides itself, guided by a word. */
  | "adaptive"
  /** Anthropic, older: a number of tokens. */
  | "budget"
  /** OpenAI and those like it: a word. */
  | "word"
  | "none";

/** US dollars for a million tokens. */
export interface Prices {
  input: number;
  output: number;
  /** Input that is written to or read from a cache. */
  cacheCreation: number;
  cacheRead: number;
}

/** What is known of a model. */
export interface ModelFacts {
  /** Largest input in tokens. */
  contextTokens: number;
  /** Largest output in tokens. */
  outputTokens: number;
  takesImages: boolean;
  effort: EffortStyle;
  prices: Prices;
}

/** When the table was put together, from what the providers publish. */
export const TABLE_DATE = "2026-12-01";

/** A row: context and output in thousands of tokens, images, effort, prices. */
type Row = readonly [
  number,
  number,
  boolean,
  EffortStyle,
  readonly [number, number, number, number],
];

/**
 * By the beginning of a model's name, without its provider: the longest that fits counts, so that
 * `claude-opus-4-5-20251101` is `claude-opus-4-5`.
 */
const ROWS: Readonly<Record<string, Row>> = {
  "claude-opus-5-5": [1000, 128, true, "adaptive", [4, 20, 5, 0.2]],
  "claude-sonnet-5-5": [1000, 128, true, "adaptive", [2, 10, 2.5, 0.1]],
  "claude-haiku-5-5": [1000, 128, true, "adaptive", [0.1, 0.5, 0.125, 0.01]],
  "claude-fable-5-1": [1000, 128, true, "adaptive", [10, 50, 12.5, 0.25]],
  "claude-opus-5": [1000, 128, true, "adaptive", [5, 25, 6.25, 0.5]],
  "claude-sonnet-5": [1000, 128, true, "adaptive", [2, 10, 2.5, 0.2]],
  "claude-opus-4-7": [1000, 128, true, "adaptive", [5, 25, 6.25, 0.5]],
  "claude-opus-4-6": [1000, 128, true, "adaptive", [5, 25, 6.25, 0.5]],
  "claude-sonnet-4-6": [1000, 128, true, "adaptive", [3, 15, 3.75, 0.3]],
  "claude-opus-4-5": [200, 64, true, "budget", [5, 25, 6.25, 0.5]],
  "claude-sonnet-4-5": [200, 64, true, "budget", [3, 15, 3.75, 0.3]],
  "claude-haiku-4-5": [200, 64, true, "budget", [1, 5, 1.25, 0.1]],
  "gpt-5.6": [922, 128, true, "word", [4, 20, 5, 0.4]],
  "gpt-5.5": [1050, 128, true, "word", [5, 30, 5, 0.5]],
  "gpt-5.4": [1050, 128, true, "word", [2.5, 15, 2.5, 0.25]],
  "gpt-5.2": [272, 128, true, "word", [1.75, 14, 1.75, 0.175]],
  "gpt-5.1": [272, 128, true, "word", [1.25, 10, 1.25, 0.125]],
  "gpt-5": [272, 128, true, "word", [1.25, 10, 1.25, 0.125]],
  "gpt-5-codex": [272, 128, true, "word", [1.25, 10, 1.25, 0.125]],
  "gpt-5-mini": [272, 128, true, "word", [0.25, 2, 0.25, 0.025]],
  "gpt-5-nano": [272, 128, true, "word", [0.05, 0.4, 0.05, 0.005]],
  "gpt-5-pro": [400, 272, true, "word", [15, 120, 15, 15]],
  "gpt-4.1": [1047, 32, true, "none", [2, 8, 2, 0.5]],
  "gpt-4.1-mini": [1047, 32, true, "none", [0.4, 1.6, 0.4, 0.1]],
  "gpt-4.1-nano": [1047, 32, true, "none", [0.1, 0.4, 0.1, 0.025]],
  "gpt-4o": [128, 16, true, "none", [2.5, 10, 2.5, 1.25]],
  "gpt-4o-mini": [128, 16, true, "none", [0.15, 0.6, 0.15, 0.075]],
  "o1": [200, 100, true, "word", [15, 60, 15, 7.5]],
  "o3": [200, 100, true, "word", [2, 8, 2, 0.5]],
  "o3-mini": [200, 100, false, "word", [1.1, 4.4, 1.1, 0.55]],
  "o3-pro": [200, 100, true, "word", [20, 80, 20, 20]],
  "o4-mini": [200, 100, true, "word", [1.1, 4.4, 1.1, 0.275]],
  "gemini-2.5-pro": [1048, 65, true, "word", [1.25, 10, 1.25, 0.125]],
  "gemini-2.5-flash": [1048, 65, true, "word", [0.3, 2.5, 0.3, 0.03]],
  "gemini-2.5-flash-lite": [1048, 65, true, "word", [0.1, 0.4, 0.1, 0.01]],
  "gemini-3-flash": [1048, 65, true, "word", [0.5, 3, 0.5, 0.05]],
  "deepseek-chat": [131, 8, false, "none", [0.28, 0.42, 0.28, 0.028]],
  "deepseek-reasoner": [131, 65, false, "none", [0.28, 0.42, 0.28, 0.028]],
  "mistral-large": [262, 262, true, "none", [0.5, 1.5, 0.5, 0.05]],
  "mistral-medium": [262, 262, true, "word", [1.5, 7.5, 1.5, 0.15]],
  "mistral-small": [262, 262, true, "word", [0.15, 0.6, 0.15, 0.015]],
};

/**
 * Other models whose name begins like one of these: `gpt-5-search` is none of `gpt-5`. A date, a
 * version or a size that the table does not know may cost anything.
 */
const VARIANT_REGEXP = /^(?:-\d{4}-?\d{2}-?\d{2}|-latest|-preview|-sol|@.*)?$/;

/**
 * What is known of a model by its bare name; `null` if it is not in the table.
 *
 * @example
 * ```ts
 * import { factsOf } from "./model_table.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(factsOf("claude-opus-4-5-20251101")?.contextTokens, 200_000);
 * assert.equal(factsOf("gpt-5-search"), null);
 * ```
 */
export function factsOf(model: string): ModelFacts | null {
  const name = Object.keys(ROWS)
    .filter((start) => model.startsWith(start) && VARIANT_REGEXP.test(model.slice(start.length)))
    .reduce((longest, start) => start.length > longest.length ? start : longest, "");
  const row = ROWS[name];
  if (row === undefined) return null;
  const [context, output, takesImages, effort, [input, out, cacheCreation, cacheRead]] = row;
  return {
    contextTokens: context * 1000,
    outputTokens: output * 1000,
    takesImages,
    effort,
    prices: { input, output: out, cacheCreation, cacheRead },
  };
}

/**
 * US dollars for one call.
 *
 * @param usage Tokens; `input` includes the cached ones.
 */
export function costOf(
  prices: Prices,
  usage: { input: number; output: number; cacheCreation: number; cacheRead: number },
): number {
  const { input, output, cacheCreation, cacheRead } = usage;
  const fresh = Math.max(0, input - cacheCreation - cacheRead);
  const millionths = fresh * prices.input + output * prices.output +
    cacheCreation * prices.cacheCreation + cacheRead * prices.cacheRead;
  return millionths / 1e6;
}
