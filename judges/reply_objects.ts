// Finds what could be JSON objects in a text, in one pass.

/** A part of a text from a brace to the one that closes it. */
export interface BalancedObject {
  start: number;
  /** Exclusive. */
  end: number;
  /** Open braces around it. */
  depth: number;
}

/** Deeper nesting is no verdict. */
const MAX_DEPTH = 100;

/**
 * Every part of a text with matching braces, ordered by where they end.
 *
 * @param heedsQuotes Whether braces inside of quoted strings count for nothing. Prose may hold a
 * single quotation mark, which then hides what follows.
 */
export function balancedObjects(text: string, heedsQuotes: boolean): BalancedObject[] {
  const found: BalancedObject[] = [];
  const open: number[] = [];
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
      if (open.length < MAX_DEPTH) open.push(at);
      else ignored++;
    } else if (letter === CLOSE && ignored > 0) {
      ignored--;
    } else if (letter === CLOSE && open.length > 0) {
      const start = open.pop()!;
      found.push({ start, end: at + 1, depth: open.length });
    }
  }
  return found;
}

const [QUOTE, BACKSLASH, OPEN, CLOSE] = [...'"\\{}'].map((letter) => letter.charCodeAt(0));
