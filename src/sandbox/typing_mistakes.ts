// What Deno's type checker prints, read.

import { isWithin, pathOfFileUrl } from "../path.ts";

/** A mistake that the type checker found. */
export interface TypeMistake {
  /** Absolute path of the file, which lies in the tests folder. */
  path: string;
  /** From 1, as is the column. */
  line: number;
  column: number;
  /** Without the source that it is about, with the checker's number: `… (TS2345)`. */
  message: string;
}

const START_REGEXP = /^(TS\d+) \[ERROR\]: /;
const PLACE_REGEXP = /^ {4}at (file:\/\/\S+):(\d+):(\d+)$/;
const MARK_REGEXP = /^\s*~+\s*$|^\s*\^\s*$/;

/** Longest message that is shown: types can be spelled out for pages. */
const MAX_MESSAGE_LENGTH = 1000;

/**
 * Reads the mistakes out of what `deno check` prints without colours. Those that lie elsewhere are
 * left out: they are not the author's.
 */
export function parseTypeMistakes(output: string, tests: string): TypeMistake[] {
  const mistakes: TypeMistake[] = [];
  let lines: string[] = [];
  let code: string | null = null;
  for (const line of output.split("\n")) {
    const start = START_REGEXP.exec(line);
    if (start !== null) {
      code = start[1]!;
      lines = [line.slice(start[0].length)];
      continue;
    }
    const place = PLACE_REGEXP.exec(line);
    if (place === null || code === null) {
      lines.push(line);
      continue;
    }
    const path = pathOfFileUrl(place[1]!);
    if (isWithin(path, tests)) {
      const [line, column] = [Number(place[2]), Number(place[3])];
      mistakes.push({ path, line, column, message: `${messageOf(lines)} (${code})` });
    }
    // What follows up to the next start is told of another place: where something is declared.
    code = null;
  }
  return mistakes;
}

/** The source and the mark below it stand at the end. */
function messageOf(lines: readonly string[]): string {
  const mark = lines.findIndex((line) => MARK_REGEXP.test(line));
  const told = mark === -1 ? lines : lines.slice(0, mark - 1);
  const text = told.map((line) => line.trim()).filter((line) => line !== "").join("; ")
    .replaceAll(".;", ";");
  return text.length > MAX_MESSAGE_LENGTH
    ? `${text.slice(0, MAX_MESSAGE_LENGTH)}…`
    : text.replace(/\.$/, "");
}
