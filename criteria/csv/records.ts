// Splits CSV text into records, by the rules of Python's `csv.reader` with its default dialect.

import { SubmissionError } from "../../src/errors.ts";

/** Longest field in code points; the default of Python's `csv.field_size_limit()`. */
export const MAX_FIELD_LENGTH = 131_072;

/** A record of more fields than this is refused: each costs memory, however empty it is. */
export const MAX_FIELDS = 1_000_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Where in a record the reader stands. */
type State =
  | "record start"
  | "after carriage return"
  | "field start"
  | "plain"
  | "quoted"
  | "quote in quoted";

/**
 * Yields one record at a time; a blank line is a record without fields. Fields are separated by
 * commas, records end with LF, CR or CRLF, and a quoted field keeps the line ends inside it as they
 * are. Nothing is malformed: a quote inside a plain field is an ordinary character, text after a
 * closing quote belongs to the field, and a quote left open ends with the text. (That is why the
 * reader is ours: libraries reject these, or read them in another way than the original does.)
 *
 * @param chunks The text, cut anywhere.
 * @param name How a message names the file.
 * @throws {SubmissionError} If a field or a record is too long.
 *
 * @example
 * ```ts
 * import { readRecords } from "./records.ts";
 * import assert from "node:assert/strict";
 *
 * const chunks = ['a,"b', ' ""c"""\n', "\n1"];
 * assert.deepEqual([...readRecords(chunks, "a.csv")], [["a", 'b "c"'], [], ["1"]]);
 * ```
 */
export function* readRecords(
  chunks: Iterable<string>,
  name: string,
): Generator<string[], void, undefined> {
  let state: State = "record start";
  let record: string[] = [];
  let field = "";

  for (const chunk of chunks) {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      if (state === "plain") {
        if (code !== COMMA && code !== LINE_FEED && code !== CARRIAGE_RETURN) continue;
        field += chunk.slice(from, at);
      } else if (state === "quoted") {
        const quote = code === QUOTE ? at : chunk.indexOf('"', at);
        if (quote === -1) break;
        at = quote;
        field += chunk.slice(from, at);
        state = "quote in quoted";
        continue;
      } else if (state === "quote in quoted") {
        if (code !== COMMA && code !== LINE_FEED && code !== CARRIAGE_RETURN) {
          state = code === QUOTE ? "quoted" : "plain";
          from = at;
          continue;
        }
      } else {
        const afterReturn = state === "after carriage return";
        if (afterReturn && code === LINE_FEED) {
          state = "record start";
          continue;
        }
        const isLineEnd = code === LINE_FEED || code === CARRIAGE_RETURN;
        if (isLineEnd && state !== "field start") {
          yield [];
          state = code === LINE_FEED ? "record start" : "after carriage return";
          continue;
        }
        if (code === QUOTE) {
          state = "quoted";
          from = at + 1;
          continue;
        }
        if (code !== COMMA && !isLineEnd) {
          state = "plain";
          from = at;
          continue;
        }
      }
      // A comma or a line end that ends the field.
      addField(record, field, name);
      field = "";
      if (code === COMMA) {
        state = "field start";
        continue;
      }
      yield record;
      record = [];
      state = code === LINE_FEED ? "record start" : "after carriage return";
    }
    if (state === "plain" || state === "quoted") field += chunk.slice(from);
    if (field.length > 2 * MAX_FIELD_LENGTH) refuseField(name);
  }

  if (state !== "record start" && state !== "after carriage return") {
    addField(record, field, name);
    yield record;
  }
}

function addField(record: string[], field: string, name: string): void {
  if (field.length > MAX_FIELD_LENGTH && countCodePoints(field) > MAX_FIELD_LENGTH) {
    refuseField(name);
  }
  if (record.length === MAX_FIELDS) {
    throw new SubmissionError(`"${name}" has a record of more than ${MAX_FIELDS} fields`);
  }
  record.push(field);
}

function refuseField(name: string): never {
  throw new SubmissionError(
    `"${name}" has a field that is longer than ${MAX_FIELD_LENGTH} characters`,
  );
}

function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
