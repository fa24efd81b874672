// Turns what a workbook stores of a cell into a value, by the rules of openpyxl.

import { SubmissionError } from "../../src/errors.ts";
import type { NumberKind } from "./styles.ts";

/** A time of day, in milliseconds since midnight. */
export interface TimeOfDay {
  timeOfDayMs: number;
}

/** A duration in milliseconds. */
export interface Duration {
  durationMs: number;
}

/** What a cell can hold. Dates are in UTC, as workbooks know no time zones. */
export type CellValue = string | number | bigint | boolean | null | Date | TimeOfDay | Duration;

const DAY_MS = 86_400_000;
/** Day 0 of the two calendars; the first is off by a day before March 1900, see below. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
const EARLIEST = new Date("0001-01-01T00:00:00Z").getTime();
const LATEST = new Date("9999-12-31T23:59:59.999Z").getTime();

/**
 * Reads a number as the cell's style says.
 *
 * @throws {SubmissionError} If it is no number.
 */
export function numberValue(text: string, kind: NumberKind, uses1904: boolean): CellValue {
  const number = parseNumber(text);
  if (kind === "number") return number;
  const days = Number(number);
  if (kind === "duration") return { durationMs: Math.round(days * DAY_MS) };
  let day = Math.floor(days);
  const milliseconds = Math.round((days - day) * DAY_MS);
  if (days >= 0 && days < 1 && milliseconds < DAY_MS) return { timeOfDayMs: milliseconds };
  // The calendar of 1900 has a 29 February that never was: day 60.
  if (days > 0 && days < 60 && !uses1904) day++;
  const instant = (uses1904 ? EPOCH_1904 : EPOCH_1900) + day * DAY_MS + milliseconds;
  // What openpyxl, and Excel itself, show for a date that the calendar does not have.
  return instant < EARLIEST || instant > LATEST ? "#VALUE!" : new Date(instant);
}

/**
 * Reads a date, a time or both in ISO 8601, of a cell of type `d`.
 *
 * @throws {SubmissionError} If it is none of them.
 */
export function isoValue(text: string): Date | TimeOfDay {
  const match = /^(?:(\d{4}-\d{2}-\d{2})T?)?(?:(\d{2}):(\d{2})(?::(\d{2})(\.\d{1,6})?)?)?Z?$/.exec(
    text,
  );
  const [, date, hours = 0, minutes = 0, seconds = 0, fraction = 0] = match ?? [];
  const midnight = date === undefined ? 0 : Date.parse(`${date}T00:00:00Z`);
  const timeOfDayMs = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 +
    Math.round(Number(fraction) * 1000);
  if (match === null || text === "" || Number.isNaN(midnight) || timeOfDayMs >= DAY_MS) {
    throw new SubmissionError(`a cell holds ${JSON.stringify(text.slice(0, 40))} as a date`);
  }
  return date === undefined ? { timeOfDayMs } : new Date(midnight + timeOfDayMs);
}

/** Digits only make an integer, which stays exact; a point or an exponent makes a float. */
function parseNumber(text: string): number | bigint {
  const digits = text.trim();
  if (/^[+-]?\d+$/.test(digits) && digits.length <= 400) {
    const number = Number(digits);
    return Number.isSafeInteger(number) ? number : BigInt(digits.replace("+", ""));
  }
  if (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(digits)) return Number(digits);
  throw new SubmissionError(`a cell holds ${JSON.stringify(text.slice(0, 40))} as a number`);
}
