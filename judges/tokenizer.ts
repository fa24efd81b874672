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
  count(text, enough = Infinity) {
    let tokens = 0;
    for (let at = 0; at < text.length && tokens <= enough;) {
      const end = boundary(text, at + PIECE_LENGTH);
      tokens += encode(text.slice(at, end), PLAIN).length;
      at = end;
    }
    return tokens;
  },

  cut(text, maxTokens) {
    if (tokenizer.count(text, maxTokens) <= maxTokens) return text;
    // Where parts meet, tokens can be others than within them, so the outcome is counted.
    for (let kept = maxTokens - tokenizer.count(mark(1_000_000)); kept > 0;) {
      const head = headOf(text, Math.ceil(kept * HEAD_PART));
      const tail = tailOf(text.slice(head.length), kept - Math.ceil(kept * HEAD_PART));
      const shown = `${head}${mark(tokensBetween(text, head, tail, kept))}${tail}`;
      const excess = tokenizer.count(shown) - maxTokens;
      if (excess <= 0) return shown;
      kept -= excess;
    }
    // No room for a mark.
    for (let kept = maxTokens; kept > 0; kept--) {
      const head = headOf(text, kept);
      if (tokenizer.count(head) <= maxTokens) return head;
    }
    return "";
  },
};

function mark(tokens: number): string {
  return `\n[… about ${tokens} tokens left out …]\n`;
}

/** About how many, going by what is kept: counting them could take minutes. */
function tokensBetween(text: string, head: string, tail: string, kept: number): number {
  const shown = head.length + tail.length;
  return Math.max(1, Math.round((text.length - shown) * kept / Math.max(1, shown)));
}

/** Characters that are likely to hold so many tokens, and not many more. */
function pieceLength(tokens: number): number {
  return Math.min(PIECE_LENGTH, 50 + tokens * 6);
}

/** So many tokens of the beginning of a text. */
function headOf(text: string, tokens: number): string {
  let left = tokens;
  for (let at = 0; at < text.length;) {
    const end = boundary(text, at + pieceLength(left));
    const piece = encode(text.slice(at, end), PLAIN);
    if (piece.length > left) {
      // A cut between the bytes of a character leaves a replacement character.
      const part = decode(piece.slice(0, left)).replace(/\ufffd+$/, "");
      return text.slice(0, boundaryBefore(text, at + part.length));
    }
    left -= piece.length;
    at = end;
  }
  return text;
}

/** So many tokens of the end of a text. */
function tailOf(text: string, tokens: number): string {
  let left = tokens;
  for (let end = text.length; end > 0;) {
    const at = boundary(text, end - pieceLength(left));
    const piece = encode(text.slice(at, end), PLAIN);
    if (piece.length > left) {
      if (left === 0) return text.slice(end);
      const part = decode(piece.slice(-left)).replace(/^\ufffd+/, "");
      return text.slice(boundary(text, end - part.length));
    }
    left -= piece.length;
    end = at;
  }
  return text;
}

/** The same place, or the one after it where it is between the two halves of a character. */
function boundary(text: string, at: number): number {
  const place = Math.max(0, Math.min(at, text.length));
  return isWithinCharacter(text, place) ? place + 1 : place;
}

function boundaryBefore(text: string, at: number): number {
  return isWithinCharacter(text, at) ? at - 1 : at;
}

function isWithinCharacter(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  return (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 &&
    (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}
