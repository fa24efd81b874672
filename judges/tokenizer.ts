// The tokenizer. Each model has its own; this one is near enough to all of them.

import { decode, encode } from "gpt-tokenizer/encoding/o200k_base";
import type { Tokenizer } from "./tokens.ts";

/** Characters that are encoded at once: a long run without a space takes the square of its length. */
const PIECE_LENGTH = 1000;

/** A text that says "<|endoftext|>" means the letters. */
const PLAIN = { disallowedSpecial: new Set<string>(), allowedSpecial: new Set<string>() };

/** Part of what is kept that comes from the beginning of a text. */
const HEAD_PART = 0.6;

/** See {@link Tokenizer}. */
export const tokenizer: Tokenizer = {
  count(text) {
    return pieces(text).reduce((sum, piece) => sum + encode(piece, PLAIN).length, 0);
  },

  cut(text, maxTokens) {
    const tokens = pieces(text).flatMap((piece) => encode(piece, PLAIN));
    if (tokens.length <= maxTokens) return text;
    const mark = `\n[… ${tokens.length - maxTokens} tokens left out …]\n`;
    const kept = maxTokens - encode(mark, PLAIN).length - 2;
    if (kept <= 0) return maxTokens <= 0 ? "" : whole(decode(tokens.slice(0, maxTokens)));
    const head = Math.ceil(kept * HEAD_PART);
    const start = whole(decode(tokens.slice(0, head)));
    const end = whole(decode(tokens.slice(tokens.length - (kept - head))));
    return `${start}${mark}${kept === head ? "" : end}`;
  },
};

function pieces(text: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + PIECE_LENGTH, text.length);
    // Not between the two halves of a character.
    if (end < text.length && /[\ud800-\udbff]/.test(text[end - 1]!)) end++;
    found.push(text.slice(at, end));
    at = end;
  }
  return found;
}

/** Without the halves of characters that a cut between tokens leaves. */
function whole(text: string): string {
  return text.replace(/^\ufffd+|\ufffd+$/g, "");
}
