// Flags inside a Python regular expression: `(?im)`, `(?i:…)`, `(?-x:…)`.

import type { Scanner } from "./regex_scanner.ts";
import type { Flags } from "./regex_syntax.ts";

/** What is in force before the pattern says otherwise. */
export const NO_FLAGS: Flags = {
  ignoreCase: false,
  multiline: false,
  dotAll: false,
  verbose: false,
  ascii: false,
};

const FLAG_NAMES: Readonly<Record<string, keyof Flags>> = {
  i: "ignoreCase",
  m: "multiline",
  s: "dotAll",
  x: "verbose",
  a: "ascii",
};

/** Whether a character after `(?` begins flags. */
export function isFlag(letter: string): boolean {
  return letter !== "" && "imsxautL-".includes(letter);
}

/** `im)`, `im:` or `i-m:`; the scanner stands behind the question mark. */
export function parseFlagChange(
  scanner: Scanner,
): { global: boolean; on: string; flags: Partial<Flags> } {
  const start = scanner.at;
  const on = scanner.takeWhile(/^[a-zA-Z]$/);
  if (on !== "" && scanner.take(")")) {
    return { global: true, on, flags: parseFlags(scanner, on, true, start) };
  }
  const hasOff = scanner.take("-");
  const off = hasOff ? scanner.takeWhile(/^[a-zA-Z]$/) : "";
  if (hasOff && off === "" || !scanner.take(":")) {
    throw scanner.error("flags end with a colon or a closing parenthesis", start);
  }
  if ([...on].some((letter) => off.includes(letter))) {
    throw scanner.error("a flag is turned on and off at once", start);
  }
  const flags = {
    ...parseFlags(scanner, on, true, start),
    ...parseFlags(scanner, off, false, start),
  };
  return { global: false, on, flags };
}

/** The change that letters make; `value` is whether they are turned on. */
export function parseFlags(
  scanner: Scanner,
  letters: string,
  value: boolean,
  start: number,
): Partial<Flags> {
  if (letters.includes("a") && letters.includes("u")) {
    throw scanner.error('the flags "a" and "u" exclude each other', start);
  }
  const flags: { -readonly [name in keyof Flags]?: boolean } = {};
  for (const letter of letters) {
    // "t" was there for tests and does nothing.
    if (letter === "t") continue;
    if (letter === "u" && value) flags.ascii = false;
    else if (letter in FLAG_NAMES && (value || letter !== "a")) {
      flags[FLAG_NAMES[letter]!] = value;
    } else throw scanner.error(`the flag "${letter}" cannot be used here`, start);
  }
  return flags;
}
