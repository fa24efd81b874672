// Criterion on a cell of a workbook.

import {
  requireText,
  requireTolerance,
  type Tolerance,
  wrong,
} from "../src/criterion/arguments.ts";
import { type Check, type CheckContext, registerBuiltin } from "../src/criterion/builtin.ts";
import type { CriterionOptions } from "../src/criterion/options.ts";
import { SubmissionError } from "../src/errors.ts";
import { lazily } from "../src/lazy.ts";
import { parseReference } from "./xlsx/reference.ts";
import type { CellValue } from "./xlsx/value.ts";

/** Options of {@link xlsxCellEquals}. */
export interface XlsxCellOptions extends CriterionOptions {
  /** Name of the sheet, in its exact case. Default: the active sheet. */
  sheet?: string;
  /** How far a number may be off. Default: not at all. */
  tolerance?: Tolerance;
}

/** What a cell can be compared with. */
export type XlsxValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | Date
  | Temporal.PlainDateTime
  | Temporal.PlainTime
  | Temporal.Duration;

/**
 * Scores 1 when a cell of a workbook equals `expected`. Of a formula the stored result counts; one
 * without it scores 0 and says so, because nothing is calculated here.
 *
 * @param path From the workspace, or absolute; ends in .xlsx, .xlsm, .xltx or .xltm.
 * @param cell One cell, such as `B2` or `$B$2`.
 * @param expected Equality is Python's: 1, 1.0 and `true` are equal, text and numbers never are. An
 * empty cell is `null`; so is one that a merged area covers. An error is its text, such as `#N/A`.
 * A number that is formatted as a date equals a `Date` (in UTC) or a `Temporal.PlainDateTime` only, a
 * time of day a `Temporal.PlainTime`, a format such as `[h]:mm` a `Temporal.Duration`.
 * @throws {TypeError} If an argument is of the wrong type.
 * @throws {RangeError} If `cell` is no reference to one cell, or `path` ends in something else.
 *
 * @example
 * ```ts ignore
 * import * as rk from "@rewardkit/cli";
 *
 * rk.xlsxCellEquals("budget.xlsx", "B7", 1250.5, { sheet: "Summary", tolerance: 0.01 });
 * rk.xlsxCellEquals("budget.xlsx", "A1", new Date("2026-03-01T00:00:00Z"));
 * ```
 */
export function xlsxCellEquals(
  path: string,
  cell: string,
  expected: XlsxValue,
  options?: XlsxCellOptions,
): void {
  requireText("xlsxCellEquals", "path", path);
  requireText("xlsxCellEquals", "cell", cell);
  if (expected === undefined) throw wrong("xlsxCellEquals", "expected", expected, "a value");
  const { sheet, tolerance } = options ?? {};
  if (sheet !== undefined) requireText("xlsxCellEquals", "sheet", sheet);
  requireTolerance("xlsxCellEquals", tolerance);
  if (!/\.xl[st][xm]$/i.test(path)) {
    throw new RangeError(
      `xlsxCellEquals() got "${path}" for "path", expected .xlsx, .xlsm, .xltx or .xltm at its end`,
    );
  }
  if (parseReference(cell) === undefined) {
    throw new RangeError(
      `xlsxCellEquals() got "${cell}" for "cell", expected one cell from A1 to XFD1048576`,
    );
  }
  registerBuiltin({
    criterion: "xlsx_cell_equals",
    args: [path, cell, plain(expected), sheet ?? "", tolerance ?? null],
    options,
    ownOptions: ["sheet", "tolerance"],
    description: `${sheet ? `${JSON.stringify(sheet)}, ` : ""}${cell} of "${path}" equals ` +
      (typeof expected === "string" ? JSON.stringify(expected) : String(expected)),
    needs: [{ read: path }],
  });
}

/** How each criterion of this file is computed. */
export const checks: Record<string, Check> = { xlsx_cell_equals: xlsxCell };

/** Without the classes that only the author's side knows. */
function plain(expected: XlsxValue): CellValue {
  if (expected instanceof Temporal.PlainDateTime) {
    return new Date(expected.toZonedDateTime("UTC").epochMilliseconds);
  }
  if (expected instanceof Temporal.PlainTime) {
    return { timeOfDayMs: expected.since("00:00").total("milliseconds") };
  }
  if (expected instanceof Temporal.Duration) {
    return { durationMs: expected.total("milliseconds") };
  }
  return expected;
}

async function xlsxCell(
  { files, mismatch }: CheckContext,
  path: string,
  cell: string,
  expected: CellValue,
  sheet: string,
  tolerance: Tolerance | null,
): Promise<boolean> {
  const { readCell } = await lazily<typeof import("./xlsx/workbook.ts")>(
    "./xlsx/workbook.ts",
    import.meta.url,
  );
  const { equals } = await lazily<typeof import("./python/equality.ts")>(
    "./python/equality.ts",
    import.meta.url,
  );
  const bytes = files.readBytes(path);
  try {
    const found = await readCell(bytes, parseReference(cell)!, {
      // As in the original, no name means the active sheet.
      sheet: sheet === "" ? undefined : sheet,
      maxBytes: files.maxFileBytes,
    });
    return equals(found, expected, tolerance ?? undefined) || mismatch("equal", expected, found);
  } catch (error) {
    if (!(error instanceof SubmissionError)) throw error;
    throw new SubmissionError(`${cell} of "${path}" cannot be read: ${error.message}`, {
      cause: error,
    });
  }
}
