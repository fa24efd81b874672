// Workbooks (ECMA-376, SpreadsheetML) as Markdown: each sheet a table.

import { mainPart, MAX_INDEX_BYTES, relationships } from "../../../criteria/xlsx/parts.ts";
import { parseReference } from "../../../criteria/xlsx/reference.ts";
import { SheetList } from "../../../criteria/xlsx/sheet_list.ts";
import { StyleTable } from "../../../criteria/xlsx/styles.ts";
import { type CellValue, numberValue } from "../../../criteria/xlsx/value.ts";
import { attribute, readXml, type XmlHandler } from "../../../criteria/xlsx/xml.ts";
import { ZipArchive } from "../../../criteria/xlsx/zip.ts";
import { MarkdownWriter } from "./markdown.ts";

/** Largest part in bytes that is read, unpacked. */
const MAX_PART_BYTES = 128 * 1024 * 1024;

/** Most of a sheet that is shown. */
const MAX_ROWS = 2000;
const MAX_COLUMNS = 100;
const MAX_SHEETS = 50;

/** What a workbook shows, and what it leaves out. */
export interface ShownWorkbook {
  markdown: string;
  note?: string;
}

/**
 * Every sheet with its name; of a formula, the result that was stored with it.
 *
 * @throws {SubmissionError} If it is no workbook, or a damaged one.
 */
export async function xlsxToMarkdown(bytes: Uint8Array): Promise<ShownWorkbook> {
  const archive = new ZipArchive(bytes, MAX_PART_BYTES);
  const main = await mainPart(archive, "xl/workbook.xml");
  const links = await relationships(archive, main);
  const index = new SheetList();
  await readXml(archive.text(main, MAX_INDEX_BYTES), main, index);
  const partOf = (kind: string) => links.find(({ type }) => type.endsWith(`/${kind}`))?.target;

  const strings = new StringList();
  const stringPart = partOf("sharedStrings");
  if (stringPart !== undefined) await readXml(archive.text(stringPart), stringPart, strings);
  const styles = new StyleTable();
  const stylePart = partOf("styles");
  if (stylePart !== undefined) {
    await readXml(archive.text(stylePart, MAX_INDEX_BYTES), stylePart, styles);
  }
  const writer = new MarkdownWriter();
  const cut: string[] = [];
  for (const { name, link } of index.sheets.slice(0, MAX_SHEETS)) {
    const part = links.find(({ id }) => id === link)?.target;
    if (part === undefined || writer.isFull) continue;
    const sheet = new SheetReader(strings, styles, index.uses1904);
    await readXml(archive.text(part), part, sheet);
    writer.heading(`Sheet ${name}`, 2);
    writer.table(sheet.rows);
    if (sheet.isCut) cut.push(name);
  }
  if (index.sheets.length > MAX_SHEETS) cut.push(`${index.sheets.length - MAX_SHEETS} more sheets`);
  return {
    markdown: writer.toString(),
    ...(cut.length > 0 && {
      note: `only the first ${MAX_ROWS} rows and ${MAX_COLUMNS} columns of a sheet are shown, ` +
        `which cuts ${cut.slice(0, 5).join(", ")}`,
    }),
  };
}

/** Most characters of strings that are kept. */
const MAX_STRINGS = 64 * 1024 * 1024;

class StringList implements XmlHandler {
  readonly strings: string[] = [];
  #text = "";
  #isText = false;
  #isPhonetic = false;
  #length = 0;

  open(name: string): void {
    if (name === "si") this.#text = "";
    else if (name === "rPh") this.#isPhonetic = true;
    else if (name === "t") this.#isText = !this.#isPhonetic;
  }

  text(text: string): void {
    if (this.#isText && this.#length < MAX_STRINGS) {
      this.#text += text;
      this.#length += text.length;
    }
  }

  close(name: string): void {
    if (name === "t") this.#isText = false;
    else if (name === "rPh") this.#isPhonetic = false;
    else if (name === "si") this.strings.push(this.#text);
  }
}

class SheetReader implements XmlHandler {
  readonly rows: string[][] = [];
  isCut = false;
  readonly #strings: StringList;
  readonly #styles: StyleTable;
  readonly #uses1904: boolean;
  #row: string[] = [];
  #column = 0;
  #type = "n";
  #style = 0;
  #value = "";
  #isValue = false;

  constructor(strings: StringList, styles: StyleTable, uses1904: boolean) {
    this.#strings = strings;
    this.#styles = styles;
    this.#uses1904 = uses1904;
  }

  open(name: string, attributes: string): void {
    if (name === "row") {
      this.#row = [];
      this.#column = 0;
    } else if (name === "c") {
      const place = parseReference(attribute(attributes, "r") ?? "");
      this.#column = place?.column ?? this.#column + 1;
      this.#type = attribute(attributes, "t") ?? "n";
      this.#style = Number(attribute(attributes, "s") ?? 0);
      this.#value = "";
    } else if (name === "v" || name === "t") this.#isValue = true;
  }

  text(text: string): void {
    if (this.#isValue) this.#value += text;
  }

  close(name: string): void {
    if (name === "v" || name === "t") this.#isValue = false;
    else if (name === "c") this.#endCell();
    else if (name === "row") {
      if (this.rows.length < MAX_ROWS) this.rows.push(this.#row);
      else this.isCut = true;
    }
  }

  #endCell(): void {
    if (this.#value === "") return;
    if (this.#column > MAX_COLUMNS) {
      this.isCut = true;
      return;
    }
    while (this.#row.length < this.#column - 1) this.#row.push("");
    this.#row[this.#column - 1] = this.#shown();
  }

  #shown(): string {
    const value = this.#value;
    if (this.#type === "s") return this.#strings.strings[Number(value)] ?? "";
    if (this.#type === "b") return value === "1" ? "TRUE" : "FALSE";
    if (this.#type !== "n") return value;
    const kind = this.#styles.kindOf(this.#style);
    if (kind === "number") return value;
    try {
      return timeText(numberValue(value, kind, this.#uses1904));
    } catch {
      return value;
    }
  }
}

function timeText(value: CellValue): string {
  if (value instanceof Date) {
    const text = value.toISOString();
    return text.endsWith("T00:00:00.000Z")
      ? text.slice(0, 10)
      : text.slice(0, 19).replace("T", " ");
  }
  if (typeof value !== "object" || value === null) return String(value);
  const milliseconds = "timeOfDayMs" in value ? value.timeOfDayMs : value.durationMs;
  const seconds = Math.round(milliseconds / 1000);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${
    two(seconds % 60)
  }`;
}
