// Criterion on a cell of a CSV file.

import {
  requireInteger,
  requireText,
  requireTolerance,
  type Tolerance,
  wrong,
} from "../src/criterion/arguments.ts";
import { type Check, type CheckContext, registerBuiltin } from "../src/criterion/builtin.ts";
import type { CriterionOptions } from "../src/criterion/options.ts";
import { lazily } from "../src/lazy.ts";

/** Options of {@link csvCellEquals}. */
export interface CsvCellOptions extends CriterionOptions {
  /**
   * How far a number may be off. With it, and a number as `expected`, the text of the cell is read
   * as a number; without it a cell is text and equals text only.
   */
  tolerance?: Tolerance;
}

/**
 * Scores 1 when a cell of a CSV file equals `expected`. A cell is text: `"3"` equals it, 3 does not
 * unless there is a `tolerance`. A cell that a record is too short for, and a column that has no
 * such header, are `null`; an empty cell is `""`. Of two columns with the same header the last one
 * counts. Only commas separate, and spaces belong to the cell.
 *
 * @param path From the workspace, or absolute; UTF-8, a byte order mark at its start is skipped.
 * @param row From 0. With a named column, 0 is the first record after the header and blank lines do
 * not count; with a numbered one, 0 is the header itself and every line counts.
 * @param col Header of the column, or its number from 0; negative numbers count from the record's
 * end.
 * @param expected Text, or `null` for a cell that is not there; a number needs `tolerance`.
 * @throws {TypeError} If an argument is of the wrong type.
 *
 * @example
 * ```ts ignore
 * import * as rk from "@rewardkit/cli";
 *
 * rk.csvCellEquals("people.csv", 0, "name", "Ada");
 * rk.csvCellEquals("people.csv", 1, 2, 9.5, { tolerance: 0.01 });
 * ```
 */
export function csvCellEquals(
  path: string,
  row: number,
  col: number | string,
  expected: string | number | bigint | boolean | null,
  options?: CsvCellOptions,
): void {
  requireText("csvCellEquals", "path", path);
  requireInteger("csvCellEquals", "row", row, 0);
  if (typeof col !== "string" && !Number.isInteger(col)) {
    throw wrong("csvCellEquals", "col", col, "a header or a whole number");
  }
  if (expected === undefined) throw wrong("csvCellEquals", "expected", expected, "a value");
  const tolerance = options?.tolerance;
  requireTolerance("csvCellEquals", tolerance);
  registerBuiltin({
    criterion: "csv_cell_equals",
    args: tolerance === undefined
      ? [path, row, col, expected]
      : [path, row, col, expected, tolerance],
    options,
    ownOptions: ["tolerance"],
    description: `row ${row}, column ${JSON.stringify(col)} of "${path}" equals ` +
      (typeof expected === "string" ? JSON.stringify(expected) : String(expected)),
    needs: [{ read: path }],
  });
}

/** How each criterion of this file is computed. */
export const checks: Record<string, Check> = { csv_cell_equals: csvCell };

async function csvCell(
  { files, warn, mismatch }: CheckContext,
  path: string,
  row: number,
  col: number | string,
  expected: unknown,
  tolerance?: Tolerance,
): Promise<boolean> {
  const isNumber = typeof expected === "number" || typeof expected === "bigint";
  if (isNumber && tolerance === undefined) {
    warn(`cells of a CSV file are text and never equal ${expected}; pass text or a tolerance`);
  }
  const { textChunks } = await lazily<typeof import("./csv/chunks.ts")>(
    "./csv/chunks.ts",
    import.meta.url,
  );
  const { readRecords } = await lazily<typeof import("./csv/records.ts")>(
    "./csv/records.ts",
    import.meta.url,
  );
  const { equals } = await lazily<typeof import("./python/equality.ts")>(
    "./python/equality.ts",
    import.meta.url,
  );
  const { file } = files.open(path);
  try {
    const records = readRecords(textChunks(file, path, files.maxFileBytes), path);
    const cell = typeof col === "string" ? byName(records, row, col) : byNumber(records, row, col);
    const found = cell && isNumber && tolerance !== undefined ? numberIn(cell) : cell;
    if (found !== undefined && equals(found, expected, tolerance)) return true;
    return mismatch("equal", expected, cell ?? undefined);
  } finally {
    file.close();
  }
}

/** The cell, null if its record is too short, undefined if there is no such record. */
function byNumber(
  records: Iterable<string[]>,
  row: number,
  col: number,
): string | null | undefined {
  let index = 0;
  for (const record of records) if (index++ === row) return record.at(col) ?? null;
}

function byName(records: Iterable<string[]>, row: number, col: string): string | null | undefined {
  let column: number | undefined;
  let index = 0;
  for (const record of records) {
    if (column === undefined) column = record.lastIndexOf(col);
    else if (record.length > 0 && index++ === row) return record[column] ?? null;
  }
}

/** The number that a cell spells in digits; else its text, which equals no number. */
function numberIn(cell: string): number | string {
  const isNumber = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/.test(cell);
  return isNumber ? Number(cell) : cell;
}
