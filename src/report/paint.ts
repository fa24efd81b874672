// Colours of a terminal.

/** Numbers of `SGR` sequences (ECMA-48). */
const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 };

/** What a text is painted with. */
export type Colour = keyof typeof CODES;

/** Puts a text between escape sequences; without a colour it stays as it is. */
export type Paint = (text: string, colour?: Colour) => string;

/** @param colours Whether there are any; if not, every text stays as it is. */
export function painter(colours: boolean): Paint {
  return (text, colour) =>
    colours && colour !== undefined ? `\x1b[${CODES[colour]}m${text}\x1b[0m` : text;
}

/** Takes what {@link painter} adds away, and colours of others. */
export function withoutColours(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replace(/\x1b\[[0-9;]*m/g, "");
}
