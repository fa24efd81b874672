// Reads one cell of a workbook (ECMA-376, SpreadsheetML), the value that was stored for it.

import { SubmissionError } from "../../src/errors.ts";
import type { CellPosition } from "./reference.ts";
import { CellFinder, type StoredCell } from "./sheet.ts";
import { StringFinder } from "./strings.ts";
import { type NumberKind, StyleTable } from "./styles.ts";
import { type CellValue, isoValue, numberValue } from "./value.ts";
import { mainPart, MAX_INDEX_BYTES, relationships } from "./parts.ts";
import { SheetList } from "./sheet_list.ts";
import { readXml } from "./xml.ts";
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
  const sheets = new SheetList();
  await readXml(archive.text(main, MAX_INDEX_BYTES), main, sheets);
  const link = links.find(({ id }) => id === sheets.sheetLink(sheet));
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
  return await valueOf(finder.found, sheets.uses1904, {
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
      const styles = new StyleTable();
      await readXml(archive.text(part, MAX_INDEX_BYTES), part, styles);
      return styles.kindOf(style);
    },
  });
}

interface Tables {
  string(index: number): Promise<string>;
  numberKind(style: number): Promise<NumberKind>;
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
