// References to cells, such as B2 or $B$2.

/** A cell of a sheet; both numbers are from 1. */
export interface CellPosition {
  row: number;
  column: number;
}

const MAX_ROW = 1_048_576;
const MAX_COLUMN = 16_384;

/**
 * Reads a reference to one cell; undefined if it is anything else.
 *
 * @example
 * ```ts
 * import { parseReference } from "./reference.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(parseReference("$aa$10"), { row: 10, column: 27 });
 * assert.equal(parseReference("A1:B2"), undefined);
 * ```
 */
export function parseReference(reference: string): CellPosition | undefined {
  const match = /^\$?([A-Za-z]{1,3})\$?(\d{1,7})$/.exec(reference);
  if (match === null) return undefined;
  let column = 0;
  for (const letter of match[1]!.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  const row = Number(match[2]);
  return row >= 1 && row <= MAX_ROW && column <= MAX_COLUMN ? { row, column } : undefined;
}
