// JSON that an agent's program prints: it may be anything.

/** The object that a text is; `null` if it is none. */
export function parseObject(text: string): Record<string, unknown> | null {
  if (!/^\s{0,100}\{/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Most lines that are looked at, and most that look like an object and are none. */
const MAX_LINES = 1_000_000;
const MAX_BROKEN = 10_000;

/**
 * The objects among the lines of a text, in order. A flood of lines that are none costs little: at
 * some point the rest is not looked at.
 */
export function* objectLines(text: string): Generator<Record<string, unknown>> {
  let broken = 0;
  for (let start = 0, lines = 0; start < text.length && lines < MAX_LINES; lines++) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    if (text[start] === "{") {
      const object = parseObject(text.slice(start, end));
      if (object !== null) yield object;
      else if (++broken > MAX_BROKEN) return;
    }
    start = end + 1;
  }
}

/** Whether a value is an object and no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
