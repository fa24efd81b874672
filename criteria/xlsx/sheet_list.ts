// What the main part of a workbook says of its sheets.

import { SubmissionError } from "../../src/errors.ts";
import { attribute, type XmlHandler } from "./xml.ts";

/** The sheets of a workbook, in their order. */
export class SheetList implements XmlHandler {
  /** `link` is the id of the relationship that leads to the sheet. */
  readonly sheets: { name: string; link: string }[] = [];
  #active = 0;
  #sawView = false;
  /** Whether its dates count from 1904. */
  uses1904 = false;

  /**
   * The id of the relationship that leads to a sheet.
   *
   * @param name In its exact case; absent means the active sheet.
   * @throws {SubmissionError} If there is no such sheet.
   */
  sheetLink(name?: string): string {
    const sheet = name === undefined
      ? this.sheets[this.#active]
      : this.sheets.find((other) => other.name === name);
    if (sheet !== undefined) return sheet.link;
    if (name === undefined) throw new SubmissionError("it has no active sheet");
    const names = this.sheets.slice(0, 10).map((other) => JSON.stringify(other.name.slice(0, 40)));
    throw new SubmissionError(`it has no sheet ${JSON.stringify(name)}, only ${names.join(", ")}`);
  }

  open(name: string, attributes: string): void {
    if (name === "sheet") {
      const link = attribute(attributes, "id");
      if (link) this.sheets.push({ name: attribute(attributes, "name") ?? "", link });
    } else if (name === "workbookView" && !this.#sawView) {
      this.#sawView = true;
      this.#active = Number(attribute(attributes, "activeTab") ?? 0);
    } else if (name === "workbookPr") {
      this.uses1904 = ["1", "true"].includes(attribute(attributes, "date1904") ?? "");
    }
  }

  text(): void {}
  close(): void {}
}
