// Text documents of Office (ECMA-376, WordprocessingML) as Markdown.

import { mainPart, type Relationship, relationships } from "../../../criteria/xlsx/parts.ts";
import { attribute, readXml, type XmlHandler } from "../../../criteria/xlsx/xml.ts";
import { ZipArchive } from "../../../criteria/xlsx/zip.ts";
import { MarkdownWriter } from "./markdown.ts";

/** Largest part in bytes that is read, unpacked. */
const MAX_PART_BYTES = 32 * 1024 * 1024;

/**
 * Headings, paragraphs, lists, tables, links, and foot and end notes.
 *
 * @throws {SubmissionError} If it is no such document, or a damaged one.
 */
export async function docxToMarkdown(bytes: Uint8Array): Promise<string> {
  const archive = new ZipArchive(bytes, MAX_PART_BYTES);
  const main = await mainPart(archive, "word/document.xml");
  const links = await relationships(archive, main);
  const writer = new MarkdownWriter();
  await readXml(archive.text(main), main, new DocumentReader(writer, links));
  for (const kind of ["footnotes", "endnotes"]) {
    const part = links.find(({ type }) => type.endsWith(`/${kind}`))?.target;
    if (part === undefined || !archive.has(part)) continue;
    await readXml(archive.text(part), part, new DocumentReader(writer, []));
  }
  return writer.toString();
}

interface Table {
  rows: string[][];
  /** Paragraphs of the cell that is open. */
  cell: string[];
}

class DocumentReader implements XmlHandler {
  readonly #writer: MarkdownWriter;
  readonly #links: readonly Relationship[];
  /** Open tables, the innermost last. */
  readonly #tables: Table[] = [];
  /** Open text boxes and the like, whose paragraphs stand inside of another. */
  readonly #outer: Paragraph[] = [];
  #paragraph = new Paragraph();
  #isText = false;
  /** Open elements whose text is a copy of some other. */
  #ignored = 0;
  #note: string | null = null;
  #linkStart: { at: number; address: string } | null = null;

  constructor(writer: MarkdownWriter, links: readonly Relationship[]) {
    this.#writer = writer;
    this.#links = links;
  }

  open(name: string, attributes: string): void {
    if (name === "Fallback") this.#ignored++;
    if (this.#ignored > 0) return;
    const paragraph = this.#paragraph;
    switch (name) {
      case "p":
        if (paragraph.isOpen) this.#outer.push(paragraph);
        this.#paragraph = new Paragraph();
        this.#paragraph.isOpen = true;
        if (this.#note !== null) this.#paragraph.text = `[^${this.#note}]: `;
        this.#note = null;
        return;
      case "pStyle":
        paragraph.style = attribute(attributes, "val") ?? "";
        return;
      case "outlineLvl":
        paragraph.level ??= Number(attribute(attributes, "val")) + 1;
        return;
      case "numPr":
        paragraph.depth ??= 0;
        return;
      case "ilvl":
        paragraph.depth = Number(attribute(attributes, "val")) || 0;
        return;
      case "t":
        this.#isText = true;
        return;
      case "tab":
        if (paragraph.hasText) paragraph.text += "\t";
        return;
      case "br":
      case "cr":
        paragraph.text += "\n";
        return;
      case "tbl":
        this.#tables.push({ rows: [], cell: [] });
        return;
      case "tr":
        this.#tables.at(-1)?.rows.push([]);
        return;
      case "hyperlink": {
        const id = attribute(attributes, "id");
        const address = this.#links.find((link) => link.id === id)?.target;
        this.#linkStart = address === undefined ? null : { at: paragraph.text.length, address };
        return;
      }
      case "footnoteReference":
      case "endnoteReference":
        paragraph.text += `[^${attribute(attributes, "id") ?? ""}]`;
        return;
      case "footnote":
      case "endnote":
        // Those with a type are the lines that stand between text and notes.
        this.#note = attribute(attributes, "type") === undefined
          ? attribute(attributes, "id") ?? ""
          : null;
    }
  }

  text(text: string): void {
    if (!this.#isText || this.#ignored > 0) return;
    this.#paragraph.text += text;
    this.#paragraph.hasText = true;
  }

  close(name: string): void {
    if (name === "Fallback") this.#ignored--;
    if (this.#ignored > 0) return;
    if (name === "t") this.#isText = false;
    else if (name === "hyperlink") this.#endLink();
    else if (name === "p") this.#endParagraph();
    else if (name === "tc") {
      const table = this.#tables.at(-1);
      table?.rows.at(-1)?.push(table.cell.join("\n"));
      if (table !== undefined) table.cell = [];
    } else if (name === "tbl") this.#endTable();
  }

  #endLink(): void {
    const link = this.#linkStart;
    this.#linkStart = null;
    if (link === null) return;
    const { text } = this.#paragraph;
    this.#paragraph.text = `${text.slice(0, link.at)}[${text.slice(link.at)}](${link.address})`;
  }

  #endParagraph(): void {
    const { text, listDepth: depth, heading } = this.#paragraph;
    const table = this.#tables.at(-1);
    if (table !== undefined) table.cell.push(text);
    else if (heading !== null) this.#writer.heading(text, heading);
    else if (depth !== null) this.#writer.item(text, depth);
    else this.#writer.paragraph(text);
    this.#paragraph = this.#outer.pop() ?? new Paragraph();
  }

  #endTable(): void {
    const table = this.#tables.pop();
    const outer = this.#tables.at(-1);
    if (table === undefined) return;
    // A table inside of a cell can only be told as text.
    if (outer !== undefined) outer.cell.push(...table.rows.map((row) => row.join("; ")));
    else this.#writer.table(table.rows);
  }
}

class Paragraph {
  isOpen = false;
  text = "";
  hasText = false;
  style = "";
  /** Of an outline, from 1 on. */
  level: number | null = null;
  /** Of a list, from 0 on. */
  depth: number | null = null;

  /** Lists are often a matter of the style alone. */
  get listDepth(): number | null {
    const byStyle = /^list\s?(?:bullet|number|paragraph|continue)?\s?(\d?)$/i.exec(this.style)?.[1];
    return this.depth ?? (byStyle === undefined ? null : Math.max(0, Number(byStyle) - 1));
  }

  get heading(): number | null {
    const byStyle = /^(?:heading|berschrift|überschrift|titre|título)\s?(\d)$/i.exec(this.style)
      ?.[1];
    if (byStyle !== undefined) return Number(byStyle);
    if (/^title$/i.test(this.style)) return 1;
    return this.level !== null && this.level <= 6 ? this.level : null;
  }
}
