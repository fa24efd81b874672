// Finds one cell in the XML of a sheet.

import { SubmissionError } from "../../src/errors.ts";
import { type CellPosition, parseReference } from "./reference.ts";
import { attribute, type XmlHandler } from "./xml.ts";

/** A cell as the sheet's XML has it. */
export interface StoredCell {
  /** What kind of value it is: `n`, `s` (shared string), `str`, `inlineStr`, `b`, `e` or `d`. */
  type: string;
  /** Index of its style. */
  style: number;
  /** Its value as text; undefined if there is none. */
  value: string | undefined;
  hasFormula: boolean;
}

/** In UTF-16 units. Excel takes 32,767; escapes in the XML make it longer. */
export const MAX_TEXT_LENGTH = 1 << 20;

/** Takes in the whole sheet: cells need not be in order, and merged areas come after them. */
export class CellFinder implements XmlHandler {
  readonly #wanted: CellPosition;
  #row = 0;
  #column = 0;
  #found: StoredCell | undefined;
  #isCovered = false;
  /** The wanted cell, while the reader is inside of it. */
  #cell: StoredCell | undefined;
  #inValue = false;
  #inInlineText = false;
  #phoneticDepth = 0;

  constructor(wanted: CellPosition) {
    this.#wanted = wanted;
  }

  /** The wanted cell; undefined if it is not stored or covered by a merged area. */
  get found(): StoredCell | undefined {
    return this.#isCovered ? undefined : this.#found;
  }

  open(name: string, attributes: string): void {
    if (name === "row") {
      this.#row = Number(attribute(attributes, "r") ?? this.#row + 1);
      this.#column = 0;
    } else if (name === "c") this.#openCell(attributes);
    else if (name === "mergeCell") this.#merge(attribute(attributes, "ref") ?? "");
    else if (this.#cell === undefined) return;
    else if (name === "v") {
      this.#inValue = this.#cell.type !== "inlineStr";
      if (this.#inValue) this.#cell.value = "";
    } else if (name === "f") this.#cell.hasFormula = true;
    else if (name === "is" && this.#cell.type === "inlineStr") this.#cell.value = "";
    else if (name === "rPh") this.#phoneticDepth++;
    else if (name === "t" && this.#cell.type === "inlineStr") this.#inInlineText = true;
  }

  text(text: string): void {
    if (!this.#inValue && (!this.#inInlineText || this.#phoneticDepth > 0)) return;
    if (this.#cell === undefined) return;
    this.#cell.value = (this.#cell.value ?? "") + text;
    if (this.#cell.value.length > MAX_TEXT_LENGTH) {
      throw new SubmissionError("the cell holds more text than a cell can");
    }
  }

  close(name: string): void {
    if (name === "v") this.#inValue = false;
    else if (name === "t") this.#inInlineText = false;
    else if (name === "rPh") this.#phoneticDepth = Math.max(0, this.#phoneticDepth - 1);
    else if (name === "c") this.#cell = undefined;
  }

  #openCell(attributes: string): void {
    const reference = attribute(attributes, "r");
    const position = reference === undefined
      ? { row: this.#row, column: this.#column + 1 }
      : parseReference(reference);
    if (position === undefined) return;
    this.#column = position.column;
    if (position.row !== this.#wanted.row || position.column !== this.#wanted.column) return;
    this.#cell = {
      type: attribute(attributes, "t") ?? "n",
      style: Number(attribute(attributes, "s") ?? 0),
      value: undefined,
      hasFormula: false,
    };
    this.#found = this.#cell;
  }

  #merge(area: string): void {
    const [first, last] = area.split(":").map(parseReference);
    if (first === undefined || last === undefined) return;
    const { row, column } = this.#wanted;
    const isInside = row >= first.row && row <= last.row &&
      column >= first.column && column <= last.column;
    if (isInside && (row !== first.row || column !== first.column)) this.#isCovered = true;
  }
}
