// JSON as Python's json.loads reads it.

import { SubmissionError } from "../../src/errors.ts";
import { MAX_DIGITS } from "./integer.ts";

/** Deepest nesting of arrays and objects that is read; about where the original gives up. */
export const MAX_DEPTH = 1400;

/** How JSON is read. */
export interface JsonOptions {
  /** Refuse an object that states a key twice. Default false: the last one wins. */
  strict?: boolean;
}

/**
 * Reads JSON like Python's `json.loads`: integers beyond 2^53 are exact (a `bigint`), `NaN`,
 * `Infinity` and `-Infinity` are values, of duplicate keys the last one wins, and `__proto__` is a
 * key like any other.
 *
 * @param name How messages name the text.
 * @throws {SubmissionError} If it is not JSON (with line and column), nested deeper than
 * {@link MAX_DEPTH}, holds an integer of more than 4300 digits, or, if `strict`, a duplicate key.
 *
 * @example
 * ```ts
 * import { parseJson } from "./json.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(parseJson('[9007199254740993, NaN, 1.5]', "a.json"), [9007199254740993n, NaN, 1.5]);
 * ```
 */
export function parseJson(text: string, name: string, options: JsonOptions = {}): unknown {
  const { depth, unsafeInteger } = survey(text);
  if (depth > MAX_DEPTH) {
    throw new SubmissionError(
      `"${name}" is nested too deeply: ${depth} levels, the limit is ${MAX_DEPTH}`,
    );
  }
  if (!options.strict && !unsafeInteger) {
    try {
      return JSON.parse(text);
    } catch {
      // NaN and Infinity, or a mistake: the parser below knows where.
    }
  }
  return new JsonParser(text, name, options.strict ?? false).parse();
}

/** From this many digits on an integer may be beyond 2^53. */
const UNSAFE_DIGITS = 16;

/**
 * One fast pass that decides whether the engine's own parser is good enough. What it says of a text
 * that is not JSON does not matter, as long as `depth` bounds the recursion.
 */
function survey(text: string): { depth: number; unsafeInteger: boolean } {
  let depth = 0;
  let deepest = 0;
  let digits = 0;
  let unsafeInteger = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (isDigit(unit)) {
      if (++digits === UNSAFE_DIGITS) unsafeInteger = true;
      continue;
    }
    // The digits of a fraction do not count: 0.30000000000000004 is exact for the engine as well.
    digits = unit === DOT ? -Infinity : 0;
    if (unit === QUOTE) at = endOfString(text, at + 1);
    else if (unit === OPEN_BRACKET || unit === OPEN_BRACE) deepest = Math.max(deepest, ++depth);
    else if (unit === CLOSE_BRACKET || unit === CLOSE_BRACE) depth--;
  }
  return { depth: deepest, unsafeInteger };
}

/** Index of the quote that ends the string, or the length of the text. */
function endOfString(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at;
    at += unit === BACKSLASH ? 2 : 1;
  }
  return text.length;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const DOT = 0x2e;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

class JsonParser {
  readonly #text: string;
  readonly #name: string;
  readonly #strict: boolean;
  readonly #number = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
  #at = 0;

  constructor(text: string, name: string, strict: boolean) {
    this.#text = text;
    this.#name = name;
    this.#strict = strict;
  }

  parse(): unknown {
    this.#skipSpace();
    const value = this.#value();
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#unexpected("the end of the file");
    return value;
  }

  #value(): unknown {
    const character = this.#text[this.#at];
    if (character === "{") return this.#object();
    if (character === "[") return this.#array();
    if (character === '"') return this.#string();
    for (const [word, value] of WORDS) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    return this.#readNumber();
  }

  #object(): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    this.#at++;
    this.#skipSpace();
    if (this.#take("}")) return object;
    while (true) {
      const keyAt = this.#at;
      if (this.#text[this.#at] !== '"') throw this.#unexpected("a key in double quotes");
      const key = this.#string();
      if (this.#strict && Object.hasOwn(object, key)) {
        throw new SubmissionError(
          `"${this.#name}" states the key ${JSON.stringify(key)} twice, at ${this.#place(keyAt)}`,
        );
      }
      this.#skipSpace();
      if (!this.#take(":")) throw this.#unexpected('":"');
      this.#skipSpace();
      setOwn(object, key, this.#value());
      this.#skipSpace();
      if (this.#take("}")) return object;
      if (!this.#take(",")) throw this.#unexpected('"," or "}"');
      this.#skipSpace();
    }
  }

  #array(): unknown[] {
    const array: unknown[] = [];
    this.#at++;
    this.#skipSpace();
    if (this.#take("]")) return array;
    while (true) {
      array.push(this.#value());
      this.#skipSpace();
      if (this.#take("]")) return array;
      if (!this.#take(",")) throw this.#unexpected('"," or "]"');
      this.#skipSpace();
    }
  }

  #string(): string {
    const start = this.#at;
    const end = endOfString(this.#text, start + 1);
    this.#at = end + 1;
    try {
      return JSON.parse(this.#text.slice(start, end + 1));
    } catch {
      throw new SubmissionError(
        `"${this.#name}" is not JSON: a string that does not end, or holds a control character or ` +
          `a wrong escape, starts at ${this.#place(start)}`,
      );
    }
  }

  #readNumber(): number | bigint {
    this.#number.lastIndex = this.#at;
    const match = this.#number.exec(this.#text);
    if (match === null) throw this.#unexpected("a value");
    const start = this.#at;
    this.#at = this.#number.lastIndex;
    const [literal, fraction, exponent] = match;
    const value = Number(literal);
    if (fraction !== undefined || exponent !== undefined || Number.isSafeInteger(value)) {
      return value;
    }
    const digits = literal.length - (literal.startsWith("-") ? 1 : 0);
    if (digits > MAX_DIGITS) {
      throw new SubmissionError(
        `"${this.#name}" holds an integer of ${digits} digits at ${this.#place(start)}, ` +
          `the limit is ${MAX_DIGITS}`,
      );
    }
    return BigInt(literal);
  }

  #skipSpace(): void {
    while (true) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
      this.#at++;
    }
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #unexpected(wanted: string): SubmissionError {
    const point = this.#text.codePointAt(this.#at);
    const found = point === undefined
      ? "the file ends"
      : `found ${JSON.stringify(String.fromCodePoint(point))}`;
    return new SubmissionError(
      `"${this.#name}" is not JSON: expected ${wanted} at ${this.#place(this.#at)}, but ${found}`,
    );
  }

  /** Lines and columns start at 1; columns count code points. */
  #place(at: number): string {
    const before = this.#text.slice(0, Math.min(at, this.#text.length));
    const lineStart = before.lastIndexOf("\n") + 1;
    let line = 1;
    for (let next = before.indexOf("\n"); next !== -1; next = before.indexOf("\n", next + 1)) {
      line++;
    }
    let column = 1;
    for (const _ of before.slice(lineStart)) column++;
    return `line ${line}, column ${column}`;
  }
}

const WORDS: readonly (readonly [string, unknown])[] = [
  ["null", null],
  ["true", true],
  ["false", false],
  ["NaN", NaN],
  ["Infinity", Infinity],
  ["-Infinity", -Infinity],
];

/** Assigning to `__proto__` would change the object's prototype and not make a key. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  } else {
    object[key] = value;
  }
}
