// Presentations of Office (ECMA-376, PresentationML) as Markdown.

import { mainPart, relationships } from "../../../criteria/xlsx/parts.ts";
import { attribute, readXml, type XmlHandler } from "../../../criteria/xlsx/xml.ts";
import { ZipArchive } from "../../../criteria/xlsx/zip.ts";
import { MarkdownWriter } from "./markdown.ts";

/** Largest part in bytes that is read, unpacked. */
const MAX_PART_BYTES = 16 * 1024 * 1024;

/** Most slides that are read. */
const MAX_SLIDES = 1000;

/**
 * Slides in their order, with title, text, tables and notes.
 *
 * @throws {SubmissionError} If it is no presentation, or a damaged one.
 */
export async function pptxToMarkdown(bytes: Uint8Array): Promise<string> {
  const archive = new ZipArchive(bytes, MAX_PART_BYTES);
  const main = await mainPart(archive, "ppt/presentation.xml");
  const links = await relationships(archive, main);
  const order: string[] = [];
  await readXml(archive.text(main), main, {
    open(name, attributes) {
      if (name === "sldId") order.push(relationId(attributes));
    },
    text() {},
    close() {},
  });
  const writer = new MarkdownWriter();
  for (const [index, id] of order.slice(0, MAX_SLIDES).entries()) {
    const slide = links.find((link) => link.id === id)?.target;
    if (slide === undefined || writer.isFull) continue;
    const reader = new SlideReader();
    await readXml(archive.text(slide), slide, reader);
    const title = reader.title === "" ? "" : `: ${reader.title}`;
    writer.heading(`Slide ${index + 1}${title}`, 2);
    reader.write(writer);
    const notes = (await relationships(archive, slide))
      .find(({ type }) => type.endsWith("/notesSlide"))?.target;
    if (notes === undefined || !archive.has(notes)) continue;
    const noteReader = new SlideReader();
    await readXml(archive.text(notes), notes, noteReader);
    writer.heading("Notes", 3);
    noteReader.write(writer);
  }
  return writer.toString();
}

/** The attribute `r:id`; a slide's own number is called `id` as well. */
function relationId(attributes: string): string {
  return /(?:^|\s)\w+:id\s*=\s*["']([^"']*)["']/.exec(attributes)?.[1] ??
    attribute(attributes, "id") ?? "";
}

type Part = { type: "text"; text: string; depth: number } | { type: "table"; rows: string[][] };

/** Placeholders whose text is the same on every slide, or a number. */
const FURNITURE = new Set(["sldNum", "dt", "ftr", "hdr", "sldImg"]);

class SlideReader implements XmlHandler {
  title = "";
  readonly #parts: Part[] = [];
  #placeholder = "";
  #text = "";
  #depth = 0;
  #isText = false;
  #table: string[][] | null = null;
  #cell: string[] = [];
  #ignored = 0;

  open(name: string, attributes: string): void {
    if (name === "Fallback") this.#ignored++;
    if (this.#ignored > 0) return;
    if (name === "sp") this.#placeholder = "";
    else if (name === "ph") this.#placeholder = attribute(attributes, "type") ?? "body";
    else if (name === "pPr") this.#depth = Number(attribute(attributes, "lvl") ?? 0) || 0;
    else if (name === "t") this.#isText = true;
    else if (name === "br") this.#text += "\n";
    else if (name === "tbl") this.#table = [];
    else if (name === "tr") this.#table?.push([]);
  }

  text(text: string): void {
    if (this.#isText && this.#ignored === 0) this.#text += text;
  }

  close(name: string): void {
    if (name === "Fallback") this.#ignored--;
    if (this.#ignored > 0) return;
    if (name === "t") this.#isText = false;
    else if (name === "p") this.#endParagraph();
    else if (name === "tc") {
      this.#table?.at(-1)?.push(this.#cell.join("\n"));
      this.#cell = [];
    } else if (name === "tbl" && this.#table !== null) {
      this.#parts.push({ type: "table", rows: this.#table });
      this.#table = null;
    }
  }

  #endParagraph(): void {
    const text = this.#text.trim();
    const depth = this.#depth;
    this.#text = "";
    this.#depth = 0;
    if (this.#table !== null) this.#cell.push(text);
    else if (text === "" || FURNITURE.has(this.#placeholder)) return;
    else if (this.#placeholder === "title" || this.#placeholder === "ctrTitle") {
      this.title += this.title === "" ? text : ` ${text}`;
    } else this.#parts.push({ type: "text", text, depth });
  }

  write(writer: MarkdownWriter): void {
    for (const part of this.#parts) {
      if (part.type === "table") writer.table(part.rows);
      else writer.item(part.text, part.depth);
    }
  }
}
