// Names and finds from the graded work, safe to show on one line.

import { disarm } from "./lookalikes.ts";

/** Most characters that a name takes, with its quotation marks. */
const MAX_QUOTED = 200;

/** Steers how text is shown, or cannot be seen. */
const UNPRINTABLE_REGEXP = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}\p{Co}\p{Cn}\u2800]/gu;

/** What must not be cut apart in a quoted name. */
const UNIT_REGEXP = /&lt;|\\u\{[0-9a-f]+\}|\\u[0-9a-f]{4}|\\?[^]/gu;

/**
 * A name as a judge sees it: on one line, in quotation marks, of a bounded length. Names of files
 * come from the graded work and can say anything.
 *
 * @param most Characters that it may take, quotation marks included; of a longer one the middle is
 * left out. Default 200.
 */
export function quoteName(name: string, most: number = MAX_QUOTED): string {
  // More is not shown in any case, and hostile names can be long.
  const ends = name.length > 2 * most ? name.slice(0, most) + name.slice(-most) : name;
  const quoted = disarm(JSON.stringify(ends)).replace(
    UNPRINTABLE_REGEXP,
    (letter) => `\\u{${letter.codePointAt(0)!.toString(16)}}`,
  );
  if (quoted.length <= most && ends === name) return quoted;
  const units = quoted.match(UNIT_REGEXP) ?? [];
  const half = Math.floor((most - 1) / 2);
  const head = upTo(half, units);
  const tail = upTo(half, units.toReversed()).toReversed();
  return `${head.join("")}…${tail.join("")}`;
}

function upTo(most: number, units: readonly string[]): string[] {
  let length = 0;
  const end = units.findIndex((unit) => (length += unit.length) > most);
  return units.slice(0, end === -1 ? units.length : end);
}
