// Which characters Python's re.IGNORECASE takes for the same.

/**
 * All code points that match `codePoint` when case is ignored, itself included. Two match when
 * their simple lower cases are equal, or differ but have one upper case (σ and ς, s and ſ).
 */
export function caseVariants(codePoint: number, ascii: boolean): readonly number[] {
  if (!ascii) return classes().get(codePoint) ?? [codePoint];
  const swapped = isAsciiLetter(codePoint) ? codePoint ^ 0x20 : codePoint;
  return swapped === codePoint ? [codePoint] : [codePoint, swapped];
}

/** All code points that have variants. */
export function casedCodePoints(ascii: boolean): Iterable<number> {
  return ascii ? ASCII_LETTERS : classes().keys();
}

function isAsciiLetter(codePoint: number): boolean {
  const lower = codePoint | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

const ASCII_LETTERS = Array.from({ length: 0x80 }, (_, index) => index).filter(isAsciiLetter);

/** Above this there are no letters with case. */
const LAST_CASED = 0x1efff;

/** Most characters have no case; they are passed over by so many at a time. */
const CHUNK = 256;

function hasCase(text: string): boolean {
  return text.toLowerCase() !== text || text.toUpperCase() !== text;
}

let cached: Map<number, readonly number[]> | undefined;

function classes(): Map<number, readonly number[]> {
  if (cached !== undefined) return cached;
  const byLower = new Map<number, number[]>();
  for (let first = 0; first <= LAST_CASED; first += CHUNK) {
    const characters = Array.from(
      { length: CHUNK },
      (_, index) => String.fromCodePoint(first + index),
    );
    if (!hasCase(characters.join(""))) continue;
    for (const character of characters) {
      if (!hasCase(character)) continue;
      append(byLower, character.toLowerCase().codePointAt(0)!, character.codePointAt(0)!);
    }
  }
  const byUpper = new Map<string, number[]>();
  for (const lower of byLower.keys()) {
    append(byUpper, String.fromCodePoint(lower).toUpperCase(), lower);
  }
  cached = new Map();
  for (const lowers of byUpper.values()) {
    const members = lowers.flatMap((lower) => byLower.get(lower)!);
    if (members.length > 1) { for (const member of members) cached.set(member, members); }
  }
  return cached;
}

function append<K>(lists: Map<K, number[]>, key: K, value: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
