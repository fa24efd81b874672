// Reads one cell of a workbook (ECMA-376, SpreadsheetML), the value that was stored for it.

import { SubmissionError } from "../../src/errors.ts";
import type { CellPosition } from "./reference.ts";
import { CellFinder, type StoredCell } from "./sheet.ts";
import { StringFinder } from "./strings.ts";
import { StyleFinder } from "./styles.ts";
import { type CellValue, isoValue, numberValue } from "./value.ts";
import { mainPart, MAX_INDEX_BYTES, relationships } from "./parts.ts";
import { attribute, readXml, type XmlHandler } from "./xml.ts";
import { ZipArchive } from "./zip.ts";

/**
 * The value of a cell: of a formula the result that was stored with it, `null` of a cell that is
 * empty, not there, or covered by a merged area.
 *
 * @param sheet Name of the sheet, in its exact case; absent means the active one.
 * @param maxBytes Largest part of the workbook that is read, unpacked.
 * @throws {SubmissionError} If it is no workbook, a damaged one, has no such sheet, or if the cell is
 * a formula without a stored value.
 */
export async function readCell(
  bytes: Uint8Array,
  position: CellPosition,
  { sheet, maxBytes }: { sheet?: string; maxBytes: number },
): Promise<CellValue> {
  const archive = new ZipArchive(bytes, maxBytes);
  const main = await mainPart(archive, "xl/workbook.xml");
  const links = await relationships(archive, main);
  const workbook = new WorkbookReader();
  await readXml(archive.text(main, MAX_INDEX_BYTES), main, workbook);
  const link = links.find(({ id }) => id === workbook.sheetLink(sheet));
  if (link === undefined || !link.type.endsWith("/worksheet")) {
    throw new SubmissionError("the sheet is not one of cells");
  }
  const finder = new CellFinder(position);
  await readXml(archive.text(link.target), link.target, finder);
  if (finder.found === undefined) return null;

  const partOf = (type: string): string => {
    const part = links.find((other) => other.type.endsWith(type))?.target;
    if (part === undefined) throw new SubmissionError(`it has no part for "${type.slice(1)}"`);
    return part;
  };
  return await valueOf(finder.found, workbook.uses1904, {
    async string(index) {
      const strings = new StringFinder(index);
      const part = partOf("/sharedStrings");
      await readXml(archive.text(part), part, strings);
      if (strings.found === undefined) throw new SubmissionError(`it has no string ${index}`);
      return strings.found;
    },
    async numberKind(style) {
      const part = links.find((other) => other.type.endsWith("/styles"))?.target;
      if (part === undefined) return "number";
      const styles = new StyleFinder(style);
      await readXml(archive.text(part, MAX_INDEX_BYTES), part, styles);
      return styles.found;
    },
  });
}

interface Tables {
  string(index: number): Promise<string>;
  numberKind(style: number): Promise<StyleFinder["found"]>;
}

async function valueOf(cell: StoredCell, uses1904: boolean, tables: Tables): Promise<CellValue> {
  const { type, value } = cell;
  if (value === undefined || value === "" && type !== "inlineStr") {
    // An empty text is what a formula such as ="" gives; openpyxl reads it as an empty cell.
    if (cell.hasFormula && type !== "str") {
      throw new SubmissionError("the cell is a formula without a stored value");
    }
    return null;
  }
  switch (type) {
    case "n":
      return numberValue(value, await tables.numberKind(cell.style), uses1904);
    case "s":
      return await tables.string(wholeNumber(value));
    case "b":
      return wholeNumber(value) !== 0;
    case "d":
      return isoValue(value);
    default: // Text, also of an error such as #N/A.
      return value;
  }
}

function wholeNumber(text: string): number {
  if (/^\s*[+-]?\d+\s*$/.test(text)) return Number(text);
  throw new SubmissionError(`a cell holds ${JSON.stringify(text.slice(0, 40))} as a whole number`);
}

/** What {@link readCell} needs from the workbook's main part. */
class WorkbookReader implements XmlHandler {
  readonly #sheets: { name: string; link: string }[] = [];
  #active = 0;
  #sawView = false;
  uses1904 = false;

  /** The id of the relationship that leads to a sheet. */
  sheetLink(name?: string): string {
    const sheet = name === undefined
      ? this.#sheets[this.#active]
      : this.#sheets.find((other) => other.name === name);
    if (sheet !== undefined) return sheet.link;
    if (name === undefined) throw new SubmissionError("it has no active sheet");
    const names = this.#sheets.slice(0, 10).map((other) => JSON.stringify(other.name.slice(0, 40)));
    throw new SubmissionError(`it has no sheet ${JSON.stringify(name)}, only ${names.join(", ")}`);
  }

  open(name: string, attributes: string): void {
    if (name === "sheet") {
      const link = attribute(attributes, "id");
      if (link) this.#sheets.push({ name: attribute(attributes, "name") ?? "", link });
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
