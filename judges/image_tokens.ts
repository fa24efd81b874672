// How many tokens an image takes.

import { readHeader } from "../criteria/images/header.ts";
import { SubmissionError } from "../src/errors.ts";
import { IMAGE_TOKENS } from "./tokens.ts";

/** Anthropic counts a token for so many pixels. */
const PIXELS_PER_TOKEN = 750;

/** OpenAI counts about so many for the smallest image. */
const LEAST_TOKENS = 256;

/**
 * Tokens of an image, from the size that its first bytes claim: at most {@link IMAGE_TOKENS}, as
 * services shrink larger ones, and as much where the size is not known.
 *
 * @example
 * ```ts
 * import { imageTokens } from "./image_tokens.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(imageTokens(new Uint8Array()), 1600);
 * ```
 */
export function imageTokens(bytes: Uint8Array): number {
  try {
    const { width, height } = readHeader(bytes);
    const tokens = Math.ceil(width * height / PIXELS_PER_TOKEN);
    return Math.max(LEAST_TOKENS, Math.min(tokens, IMAGE_TOKENS));
  } catch (error) {
    if (!(error instanceof SubmissionError)) throw error;
    return IMAGE_TOKENS;
  }
}
