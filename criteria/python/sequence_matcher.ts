// The similarity of two texts as Python's difflib.SequenceMatcher measures it.

import { SubmissionError } from "../../src/errors.ts";

/** Longest text in code points that is compared: memory is about 30 bytes for each of them. */
export const MAX_CODE_POINTS = 4_000_000;

/**
 * Steps of the inner loop after which a comparison is given up: 10 to 30 s of work. One pass over two
 * texts of n and m code points takes up to n · m steps, and there is a pass per matching block.
 */
const MAX_STEPS = 4e9;

/** From this length of the second text on, frequent code points are not looked for. */
const AUTOJUNK_LENGTH = 200;

/**
 * `SequenceMatcher(None, a, b, autojunk).ratio()` on code points, the same double: twice the number
 * of matched code points, divided by the number of all. The order of the arguments matters.
 *
 * @param options `autojunk`: when `b` has n ≥ 200 code points, those that occur more than n / 100 + 1
 * times in it (rounded down) do not start a match. Default true.
 * @returns In [0, 1]; two empty texts give 1.
 * @throws {SubmissionError} If a text is longer than {@link MAX_CODE_POINTS}, or the texts are so
 * large and repetitive that the comparison would not end in seconds.
 *
 * @example
 * ```ts
 * import { ratio } from "./sequence_matcher.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(ratio("abcd", "bcde"), 0.75);
 * ```
 */
export function ratio(a: string, b: string, options: { autojunk?: boolean } = {}): number {
  // Equal texts always match as one block, whatever is junk.
  if (a === b) return 1;
  const left = codePoints(a);
  const right = codePoints(b);
  const index = new PositionIndex(right, options.autojunk ?? true);
  return 2 * matched(left, right, index) / (left.length + right.length);
}

function codePoints(text: string): Uint32Array {
  // A code point takes one or two UTF-16 units, so this refuses nothing that could be short enough.
  if (text.length > 2 * MAX_CODE_POINTS) throw tooLong(text.length);
  const points = new Uint32Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; length++) {
    const point = text.codePointAt(at)!;
    points[length] = point;
    at += point > 0xffff ? 2 : 1;
  }
  if (length > MAX_CODE_POINTS) throw tooLong(length);
  return points.subarray(0, length);
}

function tooLong(length: number): SubmissionError {
  return new SubmissionError(
    `a text of ${length} characters is too long to compare, the limit is ${MAX_CODE_POINTS}`,
  );
}

/** Where each code point occurs in a text, except the popular ones. */
class PositionIndex {
  readonly #positions = new Map<number, Int32Array>();

  constructor(points: Uint32Array, autojunk: boolean) {
    const counts = new Map<number, number>();
    for (const point of points) counts.set(point, (counts.get(point) ?? 0) + 1);
    const popularFrom = autojunk && points.length >= AUTOJUNK_LENGTH
      ? Math.floor(points.length / 100) + 2
      : Infinity;
    for (const [point, count] of counts) {
      if (count < popularFrom) this.#positions.set(point, new Int32Array(count));
    }
    const filled = new Map<number, number>();
    points.forEach((point, at) => {
      const positions = this.#positions.get(point);
      if (positions === undefined) return;
      const next = filled.get(point) ?? 0;
      positions[next] = at;
      filled.set(point, next + 1);
    });
  }

  of(point: number): Int32Array {
    return this.#positions.get(point) ?? NOWHERE;
  }
}

const NOWHERE = new Int32Array(0);

/** Sum of the sizes of all matching blocks. */
function matched(a: Uint32Array, b: Uint32Array, index: PositionIndex): number {
  const finder = new LongestMatch(a, b, index);
  const pending: [number, number, number, number][] = [[0, a.length, 0, b.length]];
  let total = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [aLow, aHigh, bLow, bHigh] = next;
    const { aStart, bStart, size } = finder.find(aLow, aHigh, bLow, bHigh);
    if (size === 0) continue;
    total += size;
    if (aLow < aStart && bLow < bStart) pending.push([aLow, aStart, bLow, bStart]);
    const aEnd = aStart + size;
    const bEnd = bStart + size;
    if (aEnd < aHigh && bEnd < bHigh) pending.push([aEnd, aHigh, bEnd, bHigh]);
  }
  return total;
}

/** More than the length of any match, small enough for row numbers to stay exact beside it. */
const ROW = 2 ** 22;

class LongestMatch {
  readonly #a: Uint32Array;
  readonly #b: Uint32Array;
  readonly #index: PositionIndex;
  /**
   * For each position of b, the row of a that last matched there times {@link ROW}, plus the length
   * of the match that ends there. Rows are numbered on through all passes, so nothing is cleared.
   */
  readonly #cells: Float64Array;
  #row = 1;
  #steps = 0;

  constructor(a: Uint32Array, b: Uint32Array, index: PositionIndex) {
    this.#a = a;
    this.#b = b;
    this.#index = index;
    this.#cells = new Float64Array(b.length + 1);
  }

  /** The longest block; of equally long ones the first in a, then the first in b. */
  find(
    aLow: number,
    aHigh: number,
    bLow: number,
    bHigh: number,
  ): { aStart: number; bStart: number; size: number } {
    const cells = this.#cells;
    let aStart = aLow;
    let bStart = bLow;
    let size = 0;
    // A pass must not see the last row of the one before it.
    let row = this.#row + 1;
    for (let i = aLow; i < aHigh; i++, row++) {
      const positions = this.#index.of(this.#a[i]!);
      const first = lowerBound(positions, bLow);
      const rowBefore = (row - 1) * ROW;
      let previous = -2;
      let overwritten = 0;
      let at = first;
      for (; at < positions.length; at++) {
        const j = positions[at]!;
        if (j >= bHigh) break;
        // Cell j + 1 belongs to j; the cell of j - 1 may just have been overwritten by this row.
        const diagonal = (previous === j - 1 ? overwritten : cells[j]!) - rowBefore;
        const length = diagonal > 0 && diagonal < ROW ? diagonal + 1 : 1;
        overwritten = cells[j + 1]!;
        previous = j;
        cells[j + 1] = rowBefore + ROW + length;
        if (length > size) {
          aStart = i - length + 1;
          bStart = j - length + 1;
          size = length;
        }
      }
      this.#steps += at - first + 1;
      if (this.#steps > MAX_STEPS) throw this.#tooMuch();
    }
    this.#row = row;
    return this.#extend({ aStart, bStart, size }, aLow, aHigh, bLow, bHigh);
  }

  #tooMuch(): SubmissionError {
    return new SubmissionError(
      `texts of ${this.#a.length} and ${this.#b.length} characters are too repetitive to be ` +
        "compared in reasonable time",
    );
  }

  /** Popular code points start no match, but a match grows over them. */
  #extend(
    block: { aStart: number; bStart: number; size: number },
    aLow: number,
    aHigh: number,
    bLow: number,
    bHigh: number,
  ): { aStart: number; bStart: number; size: number } {
    const a = this.#a;
    const b = this.#b;
    let { aStart, bStart, size } = block;
    while (aStart > aLow && bStart > bLow && a[aStart - 1] === b[bStart - 1]) {
      aStart--;
      bStart--;
      size++;
    }
    while (
      aStart + size < aHigh && bStart + size < bHigh && a[aStart + size] === b[bStart + size]
    ) {
      size++;
    }
    return { aStart, bStart, size };
  }
}

/** Index of the first position that is at least `least`. */
function lowerBound(positions: Int32Array, least: number): number {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (positions[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
