// Texts that look like a line of a fence, however they are spelt.

/** Whose material stands between two lines of a fence. */
export type FenceKind = "submission" | "trajectory" | "reference";

/** A place that a reader could take for a line of a fence. */
export interface FenceLookalike {
  /** Where its bracket stands. */
  at: number;
  /** UTF-16 units of the bracket. */
  length: number;
  kind: FenceKind;
  isClosing: boolean;
  /** Whether a hyphen and what could be an ID follow. */
  hasId: boolean;
}

/** By their first letters, which differ. */
const KINDS: ReadonlyMap<string, FenceKind> = new Map([
  ["s", "submission"],
  ["t", "trajectory"],
  ["r", "reference"],
]);

/** Angle brackets and what can be taken for one. */
const BRACKET_REGEXP =
  /[<\u00ab\u02c2\u1438\u2039\u226a\u227a\u22d6\u2329\u276e\u2770\u27e8\u27ea\u2991\u29fc\u3008\u300a\ufe3d\ufe3f\ufe64\uff1c]/g;

/** Those that also quote words: only with a slash do they look like a tag. */
const QUOTATION_MARKS = "\u00ab\u2039\u300a\u3008";

const SLASH_REGEXP = /[/\\\u2044\u2215\u2571\u27cb\u29f5\u29f8\u3033\ufe68\uff0f\uff3c]/;

const SPACE_REGEXP = /\s/;

/** Has no shape of its own: marks, controls, and what fonts leave out. */
const UNSEEN_REGEXP = /[\p{M}\p{Cf}\p{Cc}\p{DI}\u2800]/u;

/** What may follow the name of an opening tag. */
const AFTER_OPENING_REGEXP = /[\s>\u00bb\u203a\u232a\u2771\u27e9\u3009\ufe65\uff1e]/;

const HYPHEN_REGEXP = /[-_\u00ad\u02d7\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/;

/** Hexadecimal digits, a decimal one among them: words can follow a hyphen as well. */
const ID_REGEXP = /^[0-9a-f]{0,11}[0-9]/i;

/** Letters of other scripts that look like a Latin one, after decomposition and in lower case. */
const LATIN_LOOKALIKES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: "аα",
    b: "ьв",
    c: "сϲ",
    e: "еєҽ",
    f: "ғ",
    g: "ɡց",
    h: "һн",
    i: "іıιӏ",
    j: "јϳ",
    k: "кκ",
    m: "м",
    n: "ոпη",
    o: "оοօσ",
    p: "рρ",
    r: "гᴦ",
    s: "ѕꜱ",
    t: "тτ",
    u: "υսц",
    v: "νѵ",
    x: "хχ",
    y: "уγү",
  }).flatMap(([latin, others]) => [...others].map((other) => [other, latin] as const)),
);

/** Greek, Cyrillic and Armenian letters, among which most look-alikes are. */
const OTHER_SCRIPT_REGEXP = /[\u0370-\u058f]/g;

/**
 * The Latin letter that a character is or looks like, in lower case; the character itself where it
 * looks like none.
 */
function latinOf(character: string): string {
  if (character < "\u0080") return character.toLowerCase();
  const plain = character.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return LATIN_LOOKALIKES.get(plain) ?? plain;
}

/**
 * A text with Latin letters in place of Greek, Cyrillic and Armenian ones that look like them.
 *
 * @example
 * ```ts
 * import { latinized } from "./lookalikes.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(latinized("іgnоrе"), "ignore");
 * ```
 */
export function latinized(text: string): string {
  return text.replace(OTHER_SCRIPT_REGEXP, latinOf);
}

/**
 * Finds what looks like a line of a fence: in any case, with spaces, unseen characters, and letters
 * or brackets that only look alike. Takes time in proportion to the text, whatever it holds: a
 * place is read up to the first character that does not fit, and a bracket never does.
 */
export function* fenceLookalikes(text: string): Generator<FenceLookalike> {
  for (const match of text.matchAll(BRACKET_REGEXP)) {
    const found = readTag(text, match.index + match[0].length);
    if (found === null) continue;
    if (!found.isClosing && QUOTATION_MARKS.includes(match[0])) continue;
    yield { at: match.index, length: match[0].length, ...found };
  }
}

/** Takes the meaning from what looks like a line of a fence, and leaves it readable. */
export function disarm(text: string): string {
  let safe = "";
  let done = 0;
  for (const { at, length } of fenceLookalikes(text)) {
    safe += `${text.slice(done, at)}&lt;`;
    done = at + length;
  }
  return done === 0 ? text : safe + text.slice(done);
}

/** What follows a bracket. */
function readTag(
  text: string,
  start: number,
): Pick<FenceLookalike, "kind" | "isClosing" | "hasId"> | null {
  let at = start;
  let isClosing = false;
  const next = () => {
    const code = text.codePointAt(at);
    return code === undefined ? "" : String.fromCodePoint(code);
  };
  for (let character = next(); character !== ""; character = next()) {
    if (SLASH_REGEXP.test(character)) isClosing = true;
    else if (!SPACE_REGEXP.test(character) && !UNSEEN_REGEXP.test(character)) break;
    at += character.length;
  }
  const kind = KINDS.get(latinOf(next()));
  if (kind === undefined) return null;
  let matched = 0;
  while (matched < kind.length) {
    const character = next();
    if (character === "") return null;
    if (!UNSEEN_REGEXP.test(character)) {
      const latin = latinOf(character);
      // One character can stand for several letters, as a ligature does.
      if (latin === "" || !kind.startsWith(latin, matched)) return null;
      matched += latin.length;
    }
    at += character.length;
  }
  let character = next();
  while (character !== "" && !SPACE_REGEXP.test(character) && !isHyphen(character)) {
    if (!UNSEEN_REGEXP.test(character)) break;
    at += character.length;
    character = next();
  }
  const goesOn = character !== "" && isHyphen(character);
  const ends = character === "" || AFTER_OPENING_REGEXP.test(character);
  if (!isClosing && !goesOn && !ends) return null;
  const hasId = goesOn && ID_REGEXP.test(text.slice(at + character.length, at + 20));
  return { kind, isClosing, hasId };
}

function isHyphen(character: string): boolean {
  return HYPHEN_REGEXP.test(character);
}
