// Web pages as Markdown.

import { Parser } from "htmlparser2";
import { MarkdownWriter } from "./markdown.ts";

/** Elements whose content is no text of the page. */
const UNSEEN = new Set(["script", "style", "template", "noscript", "svg", "head"]);

/** Elements that begin and end a paragraph. */
const BLOCKS = new Set(
  ("address article aside blockquote body dd details dialog div dl dt fieldset figcaption figure " +
    "footer form header hr html main nav p section summary caption tbody thead tfoot").split(" "),
);

/** Deeper nesting is cut: no page needs it. */
const MAX_DEPTH = 500;

interface Table {
  rows: string[][];
  cell: string[] | null;
}

/** The text of a page: headings, paragraphs, lists, tables, links and code. Comments are left out. */
export function htmlToMarkdown(html: string): string {
  const reader = new PageReader();
  const parser = new Parser({
    onopentag: (name, attributes) => reader.open(name, attributes),
    ontext: (text) => reader.text(text),
    onclosetag: (name) => reader.close(name),
  }, { decodeEntities: true });
  parser.write(html);
  parser.end();
  return reader.markdown();
}

class PageReader {
  readonly #writer = new MarkdownWriter();
  readonly #lists: { marker: string; count: number }[] = [];
  readonly #tables: Table[] = [];
  readonly #links: { at: number; address: string }[] = [];
  #text = "";
  #heading = 0;
  #isItem = false;
  #code: string | null = null;
  #unseen = 0;
  #depth = 0;

  open(name: string, attributes: Record<string, string>): void {
    this.#depth++;
    if (UNSEEN.has(name)) this.#unseen++;
    // A title stands in the head and says what the page is.
    if (this.#unseen > 0 || this.#depth > MAX_DEPTH) return;
    const heading = /^h([1-6])$/.exec(name)?.[1];
    if (heading !== undefined) {
      this.#flush();
      this.#heading = Number(heading);
    } else if (name === "ul" || name === "ol") {
      this.#flush();
      this.#lists.push({ marker: name, count: 0 });
    } else if (name === "li") {
      this.#flush();
      this.#isItem = true;
      const list = this.#lists.at(-1);
      if (list !== undefined) list.count++;
    } else if (name === "pre") {
      this.#flush();
      this.#code = "";
    } else if (name === "br") this.#add("\n");
    else if (name === "a") {
      this.#links.push({ at: this.#text.length, address: attributes.href ?? "" });
    } else if (name === "img") this.#add(attributes.alt ? `[image: ${attributes.alt}]` : "");
    else if (name === "table") {
      this.#flush();
      this.#tables.push({ rows: [], cell: null });
    } else if (name === "tr") this.#tables.at(-1)?.rows.push([]);
    else if (name === "td" || name === "th") this.#openCell();
    else if (BLOCKS.has(name)) this.#flush();
  }

  text(text: string): void {
    if (this.#unseen === 0) this.#add(this.#code === null ? text.replace(/\s+/g, " ") : text);
  }

  close(name: string): void {
    this.#depth--;
    if (UNSEEN.has(name)) this.#unseen--;
    if (this.#unseen > 0) return;
    if (/^h[1-6]$/.test(name) || name === "li" || BLOCKS.has(name)) this.#flush();
    else if (name === "ul" || name === "ol") {
      this.#flush();
      this.#lists.pop();
    } else if (name === "a") this.#endLink();
    else if (name === "pre") this.#endCode();
    else if (name === "td" || name === "th") this.#closeCell();
    else if (name === "table") {
      this.#closeCell();
      this.#endTable();
    }
  }

  markdown(): string {
    this.#endCode();
    this.#flush();
    while (this.#tables.length > 0) this.#endTable();
    return this.#writer.toString();
  }

  #add(text: string): void {
    if (this.#code === null) this.#text += text;
    else this.#code += text;
  }

  #flush(): void {
    const text = this.#text;
    const heading = this.#heading;
    const isItem = this.#isItem;
    this.#text = "";
    this.#heading = 0;
    this.#isItem = false;
    this.#links.length = 0;
    if (text.trim() === "") return;
    const cell = this.#tables.at(-1)?.cell;
    const list = this.#lists.at(-1);
    if (cell) cell.push(text);
    else if (heading > 0) this.#writer.heading(text, heading);
    else if (isItem && list !== undefined) {
      const marker = list.marker === "ol" ? `${list.count}.` : "-";
      this.#writer.item(text, this.#lists.length - 1, marker);
    } else this.#writer.paragraph(text);
  }

  #endLink(): void {
    const link = this.#links.pop();
    if (link === undefined || link.address === "" || this.#code !== null) return;
    const shown = this.#text.slice(link.at);
    if (shown.trim() === "") return;
    this.#text = `${this.#text.slice(0, link.at)}[${shown.trim()}](${link.address})`;
  }

  #endCode(): void {
    if (this.#code === null) return;
    const code = this.#code;
    this.#code = null;
    const cell = this.#tables.at(-1)?.cell;
    if (cell) cell.push(code);
    else this.#writer.code(code);
  }

  #openCell(): void {
    this.#closeCell();
    const table = this.#tables.at(-1);
    if (table !== undefined) table.cell = [];
  }

  #closeCell(): void {
    this.#flush();
    const table = this.#tables.at(-1);
    if (!table?.cell) return;
    if (table.rows.length === 0) table.rows.push([]);
    table.rows.at(-1)!.push(table.cell.join("\n"));
    table.cell = null;
  }

  #endTable(): void {
    this.#flush();
    const table = this.#tables.pop();
    const outer = this.#tables.at(-1)?.cell;
    if (table === undefined) return;
    if (outer) outer.push(...table.rows.map((row) => row.join("; ")));
    else this.#writer.table(table.rows);
  }
}
