// Python's text functions that scores and names depend on: str(), str.strip(), slices by code point.

/** What `str.isspace()` is true of; not U+FEFF and not U+200B, which JavaScript's trim drops. */
const WHITESPACE: ReadonlySet<number> = new Set([
  ...range(0x09, 0x0d),
  ...range(0x1c, 0x20),
  0x85,
  0xa0,
  0x1680,
  ...range(0x2000, 0x200a),
  0x2028,
  0x2029,
  0x202f,
  0x205f,
  0x3000,
]);

/**
 * Trims what Python's `str.strip()` trims: U+001C to U+001F, U+0085 and the no-break space too, but
 * neither a byte order mark nor a zero width space. A large text is not copied.
 *
 * @example
 * ```ts
 * import { strip } from "./text.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(strip("\x1c\x85 core \u200b\n"), "core \u200b");
 * ```
 */
export function strip(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && WHITESPACE.has(text.charCodeAt(start))) start++;
  while (end > start && WHITESPACE.has(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

/**
 * The first `count` code points; an emoji is never cut in half.
 *
 * @example
 * ```ts
 * import { firstCodePoints } from "./text.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(firstCodePoints("a😀b", 2), "a😀");
 * ```
 */
export function firstCodePoints(text: string, count: number): string {
  let end = 0;
  for (let taken = 0; taken < count && end < text.length; taken++) {
    end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}

/**
 * Python's `str()` of an argument, as names in results show it: `True`, `None`, `['a', 1]`.
 * A whole number has no `.0`, because JavaScript does not tell 2.0 from 2. A `Date` is shown in ISO
 * form and a `RegExp` as a literal, for which Python has nothing alike.
 *
 * @example
 * ```ts
 * import { str } from "./text.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(str(true), "True");
 * assert.equal(str({ a: [null, "it's", 0.5] }), `{'a': [None, "it's", 0.5]}`);
 * ```
 */
export function str(value: unknown): string {
  return typeof value === "string" ? value : repr(value, []);
}

function repr(value: unknown, within: readonly unknown[]): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "string") return reprText(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return reprNumber(value);
  if (typeof value !== "object") return String(value);
  if (value instanceof Uint8Array) return reprBytes(value);
  if (value instanceof Date) {
    return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  }
  if (value instanceof RegExp) return String(value);
  if (within.includes(value)) return Array.isArray(value) ? "[...]" : "{...}";
  const inner = [...within, value];
  if (Array.isArray(value)) return `[${value.map((item) => repr(item, inner)).join(", ")}]`;
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return `{${
    entries.map(([key, item]) => `${repr(key, inner)}: ${repr(item, inner)}`).join(", ")
  }}`;
}

/** Python turns to an exponent below 1e-4 and from 1e16 on, JavaScript below 1e-6 and from 1e21. */
function reprNumber(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (Number.isInteger(value) || Math.abs(value) >= 1e-4) return String(value);
  const [digits, exponent] = value.toExponential().split("e-");
  return `${digits}e-${exponent!.padStart(2, "0")}`;
}

const NAMED_ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

function reprText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let shown = "";
  for (const character of text) {
    if (character === quote) shown += `\\${quote}`;
    else if (character in NAMED_ESCAPES) shown += NAMED_ESCAPES[character];
    else if (character !== " " && /[\p{C}\p{Z}]/u.test(character)) shown += escaped(character);
    else shown += character;
  }
  return quote + shown + quote;
}

function escaped(character: string): string {
  const hex = character.codePointAt(0)!.toString(16);
  if (hex.length <= 2) return `\\x${hex.padStart(2, "0")}`;
  return hex.length <= 4 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

function reprBytes(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  // Beyond ASCII, Python's repr of bytes escapes what its repr of text shows.
  return `b${
    reprText(text).replace(
      /[\u0080-\u00ff]/g,
      (character) => `\\x${character.charCodeAt(0).toString(16)}`,
    )
  }`;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
