// Puts Markdown together.

/** Most characters that are written; the rest of a document is left out. */
const MAX_LENGTH = 4 * 1024 * 1024;

/** Collects the paragraphs, lists and tables of a document. */
export class MarkdownWriter {
  readonly #blocks: string[] = [];
  #length = 0;
  #lastWasItem = false;

  /** Whether so much has been written that nothing more is. */
  get isFull(): boolean {
    return this.#length >= MAX_LENGTH;
  }

  paragraph(text: string): void {
    this.#add(tidy(text), false);
  }

  /** @param level From 1 on; more than 6 are 6. */
  heading(text: string, level: number): void {
    const title = tidy(text).replaceAll("\n", " ");
    if (title !== "") this.#add(`${"#".repeat(Math.min(Math.max(level, 1), 6))} ${title}`, false);
  }

  /** @param depth 0 for a list that is not inside of another. */
  item(text: string, depth: number, marker = "-"): void {
    const lines = tidy(text).replaceAll("\n", " ");
    if (lines !== "") this.#add(`${"  ".repeat(Math.min(depth, 20))}${marker} ${lines}`, true);
  }

  /** Text that is kept as it stands. */
  code(text: string): void {
    const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
    this.#add(`${fence}\n${text.replace(/\n+$/, "")}\n${fence}`, false);
  }

  /** The first row is the head; short rows are filled up. */
  table(rows: readonly (readonly string[])[]): void {
    const filled = rows.filter((row) => row.some((cell) => cell.trim() !== ""));
    const width = filled.reduce((most, { length }) => Math.max(most, length), 0);
    if (width === 0) return;
    const [head, ...body] = filled.map((row) => {
      const cells = Array.from({ length: width }, (_, index) => cellText(row[index] ?? ""));
      return `| ${cells.join(" | ")} |`;
    });
    this.#add([head, `|${" --- |".repeat(width)}`, ...body].join("\n"), false);
  }

  toString(): string {
    return this.#blocks.join("");
  }

  #add(block: string, isItem: boolean): void {
    if (block.trim() === "" || this.isFull) return;
    const gap = this.#blocks.length === 0 ? "" : isItem && this.#lastWasItem ? "\n" : "\n\n";
    this.#blocks.push(`${gap}${block}`);
    this.#length += block.length;
    this.#lastWasItem = isItem;
  }
}

/** One space where there are several, no empty lines, none around it. */
function tidy(text: string): string {
  return text.split("\n").map((line) => line.replace(/[ \t\u00a0]+/g, " ").trim())
    .filter((line) => line !== "").join("\n");
}

function cellText(text: string): string {
  return tidy(text).replaceAll("\n", "<br>").replaceAll("|", "\\|");
}

function longestRun(text: string): number {
  return [...text.matchAll(/`+/g)].reduce((longest, [run]) => Math.max(longest, run.length), 0);
}
