// Finds one entry in the table of strings that the sheets of a workbook share.

import { SubmissionError } from "../../src/errors.ts";
import { MAX_TEXT_LENGTH } from "./sheet.ts";
import type { XmlHandler } from "./xml.ts";

/** Joins the runs of a string; how it is pronounced (`rPh`) is no part of it. */
export class StringFinder implements XmlHandler {
  readonly #wanted: number;
  #index = -1;
  #inText = false;
  #phoneticDepth = 0;
  #found: string | undefined;

  /** @param wanted From 0. */
  constructor(wanted: number) {
    this.#wanted = wanted;
  }

  /** The string; undefined if the table is too short. */
  get found(): string | undefined {
    // As the original's reader has it: an escaped underscore is one, other escapes stay.
    return this.#found?.replaceAll("x005F_", "");
  }

  open(name: string): void {
    if (name === "si" && ++this.#index === this.#wanted) this.#found = "";
    else if (name === "t") this.#inText = true;
    else if (name === "rPh") this.#phoneticDepth++;
  }

  text(text: string): void {
    const isWanted = this.#index === this.#wanted && this.#inText && this.#phoneticDepth === 0;
    if (!isWanted) return;
    this.#found += text;
    if (this.#found!.length > MAX_TEXT_LENGTH) {
      throw new SubmissionError("the cell holds more text than a cell can");
    }
  }

  close(name: string): void {
    if (name === "t") this.#inText = false;
    else if (name === "rPh") this.#phoneticDepth--;
  }
}
