// Text in the columns of a terminal: what names and messages hold can neither break a line nor steer
// the terminal.

/** Longest text that is looked at, in UTF-16 units. */
const MAX_TEXT = 2000;

/** One line without control characters and without marks that turn the direction of text around. */
export function oneLine(text: string): string {
  return text.slice(0, MAX_TEXT).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd").trim();
}

/** The same for a line of a text whose indentation counts; a tab is two columns. */
export function codeLine(text: string): string {
  const kept = text.slice(0, MAX_TEXT).replaceAll("\t", "  ");
  const indentation = /^ */.exec(kept)![0];
  return indentation + oneLine(kept);
}

let segmenter: Intl.Segmenter | undefined;

/** Characters as a reader sees them. */
function charactersOf(text: string): string[] {
  // The tables that tell them apart take 17 ms to load; most names and messages do without.
  if (/^[\x20-\x7e]*$/.test(text)) return text.split("");
  segmenter ??= new Intl.Segmenter();
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

/** Shortens a text to a number of columns, at the border of a character as a reader sees it. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = "";
  let used = 1;
  for (const character of charactersOf(text)) {
    used += widthOfCharacter(character);
    if (used > columns) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/** The same, but it is the end that is kept, as suits a path. */
export function cutStart(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  const characters = charactersOf(text);
  let used = 1;
  let from = characters.length;
  while (from > 0 && used + widthOfCharacter(characters[from - 1]!) <= columns) {
    used += widthOfCharacter(characters[--from]!);
  }
  return `…${characters.slice(from).join("").trimStart()}`;
}

/** Columns that a line takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of charactersOf(text)) width += widthOfCharacter(character);
  return width;
}

/** Blocks of East Asian scripts and forms, and emoji, that terminals draw two columns wide. */
const WIDE_REGEXP =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe0f\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

function widthOfCharacter(character: string): number {
  return WIDE_REGEXP.test(character) ? 2 : 1;
}
