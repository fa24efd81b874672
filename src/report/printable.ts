// Text of others on a terminal: as it is, but for what would steer the terminal.

import { withoutColours } from "./paint.ts";

/** Keeps line ends and tabs; colours are removed, other control characters become U+FFFD. */
export function printable(text: string): string {
  const plain = withoutColours(text);
  // deno-lint-ignore no-control-regex
  return plain.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}
