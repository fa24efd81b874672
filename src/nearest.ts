// "Did you mean …?"

/**
 * The name that a person who typed `typed` probably meant: at most a third of its letters, and
 * never more than three, are wrong, missing, superfluous or swapped with their neighbour
 * (Damerau-Levenshtein distance, letter case aside). Of two, the one of the same length.
 *
 * @example
 * ```ts
 * import { nearest } from "./nearest.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(nearest("modle", ["judge", "mode", "model"]), "model");
 * assert.equal(nearest("colour", ["judge", "model"]), undefined);
 * ```
 */
export function nearest(typed: string, names: Iterable<string>): string | undefined {
  const most = Math.min(3, Math.floor(typed.length / 3));
  let best: string | undefined;
  let bestDistance = most + 1;
  for (const name of names) {
    const apart = Math.abs(name.length - typed.length);
    if (apart > most) continue;
    const distance = editDistance(typed.toLowerCase(), name.toLowerCase()) + apart / 100;
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}

/** The names as a hint lists them, with the nearest one in front; nothing if there are none. */
export function knownNames(typed: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const meant = nearest(typed, names);
  const known = `Known: ${names.join(", ")}`;
  return meant === undefined ? known : `Did you mean "${meant}"? ${known}`;
}

function editDistance(a: string, b: string): number {
  let twoAbove: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const change = above[j - 1]! + (isSame ? 0 : 1);
      const swap = isSwapped ? twoAbove[j - 2]! + 1 : Infinity;
      row.push(Math.min(change, swap, above[j]! + 1, row[j - 1]! + 1));
    }
    [twoAbove, above] = [above, row];
  }
  return above[b.length]!;
}
