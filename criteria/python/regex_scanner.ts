// Reads the characters, escapes and sets of a Python regular expression.

import type { Category, SetItem } from "./regex_syntax.ts";

/** A pattern that Python refuses, or that cannot be translated. */
export class PatternError extends SyntaxError {}

/** Walks through a pattern by code points, and says where a mistake is. */
export class Scanner {
  readonly #pattern: string;
  readonly #characters: readonly string[];
  /** Index of the next character, counted in code points from 0 as Python does. */
  at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
    this.#characters = Array.from(pattern);
  }

  /** The character `ahead` of the next one; empty at the end. */
  peek(ahead = 0): string {
    return this.#characters[this.at + ahead] ?? "";
  }

  next(): string {
    const character = this.peek();
    this.at++;
    return character;
  }

  /** Moves past `text` if it comes next. */
  take(text: string): boolean {
    for (let index = 0; index < text.length; index++) {
      if (this.peek(index) !== text[index]) return false;
    }
    this.at += text.length;
    return true;
  }

  /** Characters while they match, at most `most` of them. */
  takeWhile(wanted: RegExp, most = Infinity): string {
    let taken = "";
    for (let count = 0; count < most && wanted.test(this.peek()); count++) taken += this.next();
    return taken;
  }

  /** Everything up to `end`, which is passed too. */
  until(end: string, what: string): string {
    const from = this.at;
    const index = this.#characters.indexOf(end, from);
    if (index === -1) throw this.error(`${what} lacks its "${end}"`, from);
    this.at = index + 1;
    return this.#characters.slice(from, index).join("");
  }

  /** The rest of `(?#…)`. */
  skipComment(start: number): void {
    while (!this.take(")")) {
      if (this.next() === "") throw this.error("a comment does not end", start);
      if (this.peek(-1) === "\\") this.#skipEscaped();
    }
  }

  #skipEscaped(): void {
    if (this.next() === "") {
      throw this.error("the backslash at the end escapes nothing", this.at - 2);
    }
  }

  /** What verbose mode leaves out. */
  skipSpaceAndComments(): void {
    while (true) {
      this.takeWhile(/^[ \t\n\r\v\f]$/);
      if (!this.take("#")) return;
      for (
        let next = this.next();
        next !== "" && next !== "\n";
        next = this.next()
      ) {
        // An escaped newline does not end the comment.
        if (next === "\\") this.#skipEscaped();
      }
    }
  }

  /** What Python refuses. */
  error(problem: string, at: number = this.at): PatternError {
    return new PatternError(
      `${JSON.stringify(this.#pattern)} is not a Python regular expression: ${problem}, ` +
        `at position ${at}`,
    );
  }

  /** What Python accepts and JavaScript cannot express. */
  untranslatable(construct: string, at: number = this.at): PatternError {
    return new PatternError(
      `the Python regular expression ${JSON.stringify(this.#pattern)} cannot be translated: ` +
        `${construct}, at position ${at}`,
    );
  }
}

/** What a backslash can stand for, once the caller's own escapes are out of the way. */
const CONTROL: Readonly<Record<string, number>> = {
  a: 0x07,
  f: 0x0c,
  n: 0x0a,
  r: 0x0d,
  t: 0x09,
  v: 0x0b,
  "\\": 0x5c,
};

const HEX_LENGTH: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const HEX_REGEXP = /^[0-9a-fA-F]$/;
const OCTAL_REGEXP = /^[0-7]$/;

/** The category that an escape means: `d` to `W`. */
export function category(letter: string): Category | undefined {
  const lower = letter.toLowerCase();
  if (lower !== "d" && lower !== "s" && lower !== "w" || letter === "") return undefined;
  return { category: lower, negated: letter !== lower };
}

/** Code point of an escape that means one character; the scanner stands behind the backslash. */
export function escapedCodePoint(scanner: Scanner): number {
  const start = scanner.at - 1;
  const letter = scanner.next();
  if (letter === "") throw scanner.error("the backslash at the end escapes nothing", start);
  if (letter in HEX_LENGTH) return hexadecimal(scanner, letter, start);
  if (letter in CONTROL) return CONTROL[letter]!;
  if (letter === "N") throw scanner.untranslatable("a character by its name, \\N{…}", start);
  if (/^[a-zA-Z0-9]$/.test(letter)) {
    throw scanner.error(`there is no escape "\\${letter}"`, start);
  }
  return letter.codePointAt(0)!;
}

function hexadecimal(scanner: Scanner, letter: string, start: number): number {
  const length = HEX_LENGTH[letter]!;
  const digits = scanner.takeWhile(HEX_REGEXP, length);
  if (digits.length < length) {
    throw scanner.error(`the escape "\\${letter}" needs ${length} hexadecimal digits`, start);
  }
  const codePoint = parseInt(digits, 16);
  if (codePoint > 0x10ffff) throw scanner.error(`"\\U${digits}" is no character`, start);
  return codePoint;
}

/** The value of octal digits. */
export function octal(scanner: Scanner, digits: string, start: number): number {
  const value = parseInt(digits, 8);
  if (value > 0o377) throw scanner.error(`"\\${digits}" is above \\377`, start);
  return value;
}

/** The members of a set; the scanner stands behind its bracket. */
export function parseSet(scanner: Scanner): { items: SetItem[]; negated: boolean } {
  const start = scanner.at - 1;
  const negated = scanner.take("^");
  const items: SetItem[] = [];
  // A closing bracket that comes first is a member.
  for (let first = true; first || scanner.peek() !== "]"; first = false) {
    const from = scanner.at;
    const low = setMember(scanner, start);
    if (scanner.peek() === "-" && scanner.peek(1) !== "]") {
      scanner.next();
      const high = setMember(scanner, start);
      if (typeof low !== "number" || typeof high !== "number" || high < low) {
        throw scanner.error("a range goes from one character to a later one", from);
      }
      items.push({ from: low, to: high });
    } else {
      items.push(typeof low === "number" ? { from: low, to: low } : low);
    }
  }
  scanner.next();
  return { items, negated };
}

function setMember(scanner: Scanner, setStart: number): number | Category {
  const start = scanner.at;
  const character = scanner.next();
  if (character === "") throw scanner.error("a set lacks its closing bracket", setStart);
  if (character !== "\\") return character.codePointAt(0)!;
  const known = category(scanner.peek());
  if (known !== undefined) {
    scanner.next();
    return known;
  }
  if (scanner.take("b")) return 0x08;
  const digits = scanner.takeWhile(OCTAL_REGEXP, 3);
  return digits === "" ? escapedCodePoint(scanner) : octal(scanner, digits, start);
}

/** `\0`, `\012`, or the group number of a reference; the scanner stands behind the backslash. */
export function numericEscape(
  scanner: Scanner,
): { codePoint: number } | { group: number } | undefined {
  const start = scanner.at - 1;
  const first = scanner.peek();
  if (!/^[0-9]$/.test(first)) return undefined;
  if (first === "0") return { codePoint: parseInt(scanner.takeWhile(OCTAL_REGEXP, 3), 8) };
  const three = first + scanner.peek(1) + scanner.peek(2);
  if (/^[0-7]{3}$/.test(three)) {
    scanner.at += 3;
    return { codePoint: octal(scanner, three, start) };
  }
  return { group: Number(scanner.takeWhile(/^[0-9]$/, 2)) };
}
