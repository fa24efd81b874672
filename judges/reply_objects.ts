// Finds what could be JSON objects in a text, in one pass.

/** A part of a text from a brace to the one that closes it. */
export interface BalancedObject {
  start: number;
  /** Exclusive. */
  end: number;
  /** Open braces around it. */
  depth: number;
  /** Whether it starts with a key and a colon, as an answer does and braces in prose seldom do. */
  isKeyed: boolean;
}

/** What was found in a text. */
export interface FoundObjects {
  /** Ordered by where they end; none is inside of one that starts with a key, or very short. */
  objects: BalancedObject[];
  /** Start of the first one that starts with a key and has no end: an answer that is not whole. */
  openAt: number | null;
}

/** Deeper nesting is no verdict. */
const MAX_DEPTH = 100;

/** Shorter ones are no verdict, and there may be millions: `{score:1}`. */
const MIN_LENGTH = 9;

/** A brace, a key of any style and a colon; keys are short, so that this is, too. */
const KEYED_REGEXP = /\{\s*(?:"[^"\\{}]{1,100}"|'[^'\\{}]{1,100}'|\w{1,100})\s*:/y;

/**
 * The parts of a text with matching braces.
 *
 * What stands inside of a part that starts with a key belongs to it, though it looks like an object
 * of its own: an answer may quote one from the graded work.
 *
 * @param heedsQuotes Whether braces inside of quoted strings count for nothing. Prose may hold a
 * single quotation mark, which then hides what follows.
 */
export function balancedObjects(text: string, heedsQuotes: boolean): FoundObjects {
  const found: BalancedObject[] = [];
  const open: { start: number; isKeyed: boolean; isInside: boolean }[] = [];
  let ignored = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at);
    if (isQuoted) {
      if (letter === BACKSLASH) at++;
      else if (letter === QUOTE) isQuoted = false;
    } else if (letter === QUOTE) {
      isQuoted = heedsQuotes && open.length > 0;
    } else if (letter === OPEN) {
      if (open.length >= MAX_DEPTH) {
        ignored++;
        continue;
      }
      const around = open.at(-1);
      const isInside = around !== undefined && (around.isKeyed || around.isInside);
      KEYED_REGEXP.lastIndex = at;
      open.push({ start: at, isKeyed: !isInside && KEYED_REGEXP.test(text), isInside });
    } else if (letter === CLOSE && ignored > 0) {
      ignored--;
    } else if (letter === CLOSE && open.length > 0) {
      const { start, isKeyed, isInside } = open.pop()!;
      if (isInside || at + 1 - start < MIN_LENGTH && !isKeyed) continue;
      found.push({ start, end: at + 1, depth: open.length, isKeyed });
    }
  }
  return { objects: found, openAt: open.find(({ isKeyed }) => isKeyed)?.start ?? null };
}

const [QUOTE, BACKSLASH, OPEN, CLOSE] = [...'"\\{}'].map((letter) => letter.charCodeAt(0));
