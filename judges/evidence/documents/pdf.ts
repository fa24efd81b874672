// PDF files as text, page by page.

import { extractText, getDocumentProxy } from "unpdf";

/** Most pages that are read. */
const MAX_PAGES = 500;

/** What a PDF shows, and what it leaves out. */
export interface ShownPdf {
  markdown: string;
  note?: string;
}

/**
 * The text of every page, in the order in which it is read.
 *
 * @throws {Error} If it is no PDF, a damaged one, or one with a password.
 */
export async function pdfToMarkdown(bytes: Uint8Array): Promise<ShownPdf> {
  const document = await getDocumentProxy(bytes, { verbosity: 0 });
  if (document.numPages > MAX_PAGES) {
    return { markdown: "", note: `more than ${MAX_PAGES} pages` };
  }
  const { text } = await extractText(document);
  if (text.every((page) => page.trim() === "")) return { markdown: "" };
  const pages = text.map((page, index) => `## Page ${index + 1}\n\n${page.trim()}`);
  return { markdown: pages.join("\n\n") };
}
