// Tells from a workbook's styles which numbers are dates, times or durations.

import { attribute, type XmlHandler } from "./xml.ts";

/** What a number format makes of a number. */
export type NumberKind = "number" | "date" | "duration";

/** The formats of ECMA-376 part 1, §18.8.30 that every workbook has and that are of time. */
const BUILT_IN: Record<number, NumberKind> = {
  14: "date",
  15: "date",
  16: "date",
  17: "date",
  18: "date",
  19: "date",
  20: "date",
  21: "date",
  22: "date",
  45: "date",
  46: "duration",
  47: "date",
};

/** The number formats of a workbook's styles. */
export class StyleTable implements XmlHandler {
  readonly #customKinds = new Map<number, NumberKind>();
  readonly #formats: number[] = [];
  #inCellFormats = false;

  /** @param style Index of the style, from 0. */
  kindOf(style: number): NumberKind {
    const format = this.#formats[style] ?? 0;
    return this.#customKinds.get(format) ?? BUILT_IN[format] ?? "number";
  }

  open(name: string, attributes: string): void {
    if (name === "numFmt") {
      const kind = numberKind(attribute(attributes, "formatCode") ?? "");
      this.#customKinds.set(Number(attribute(attributes, "numFmtId")), kind);
    } else if (name === "cellXfs") this.#inCellFormats = true;
    else if (name === "xf" && this.#inCellFormats) {
      this.#formats.push(Number(attribute(attributes, "numFmtId") ?? 0));
    }
  }

  text(): void {}

  close(name: string): void {
    if (name === "cellXfs") this.#inCellFormats = false;
  }
}

/**
 * What a format code makes of a number, as openpyxl decides it: by the code's first section, without
 * quoted text and without what is in brackets, unless that counts hours, minutes or seconds.
 *
 * @example
 * ```ts
 * import { numberKind } from "./styles.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(numberKind("yyyy-mm-dd"), "date");
 * assert.equal(numberKind("[h]:mm"), "duration");
 * assert.equal(numberKind('[Red]0.00" days"'), "number");
 * ```
 */
export function numberKind(code: string): NumberKind {
  // Excel takes 255 characters; what is longer was made to keep the patterns below busy.
  const first = code.slice(0, 1000).split(";")[0]!;
  const bare = first.replace(/"[^"]*"|\[(?!(?:hh?|mm?|ss?)\])[^\]]*\]/g, "");
  if (!/(?<![_\\])[dmhysDMHYS]/.test(bare)) return "number";
  return /\[(?:hh?|mm?|ss?)\]/i.test(first) ? "duration" : "date";
}
