// What the bytes of a file show to a judge.

import { SubmissionError } from "../../src/errors.ts";
import { lazily } from "../../src/lazy.ts";
import type { ImageType } from "../model.ts";
import type { Attachment } from "./attachment.ts";

/** Largest text or image in bytes. */
export const MAX_SHOWN_BYTES = 1024 * 1024;

/** Largest document in bytes; its text is cut at {@link MAX_SHOWN_BYTES}. */
export const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;

/** Kinds of documents that are shown as Markdown. */
export type DocumentKind = "pdf" | "docx" | "pptx" | "xlsx" | "html";

/** Seconds that all documents of a judge may take to read. */
export const DOCUMENTS_SEC = 120;

/**
 * By what a file is, whatever its name says.
 *
 * @param documentsUntil When no more documents are read, in milliseconds of `performance.now()`: a
 * folder full of them must not hold up a run.
 */
export async function contentOf(
  label: string,
  bytes: Uint8Array,
  documentsUntil: number,
): Promise<Pick<Attachment, "content" | "note">> {
  const mediaType = imageTypeOf(bytes);
  const kind = mediaType === null ? documentKindOf(label, bytes) : null;
  if (kind === null && bytes.length > MAX_SHOWN_BYTES) {
    return none(`too large: ${bytes.length} bytes, the limit is ${MAX_SHOWN_BYTES}`);
  }
  if (mediaType !== null) return await imageContent(mediaType, bytes);
  if (kind !== null && performance.now() >= documentsUntil) {
    return none(`the documents before it took the ${DOCUMENTS_SEC} s there are for all of them`);
  }
  if (kind !== null) return await documentContent(kind, bytes);
  return textContent(bytes);
}

function none(reason: string): Pick<Attachment, "content"> {
  return { content: { type: "none", reason } };
}

async function imageContent(
  mediaType: ImageType,
  bytes: Uint8Array,
): Promise<Pick<Attachment, "content">> {
  const { sizeProblem } = await lazily<typeof import("./image.ts")>("./image.ts", import.meta.url);
  try {
    const problem = sizeProblem(bytes);
    if (problem !== null) return none(problem);
    return { content: { type: "image", mediaType, bytes } };
  } catch (error) {
    if (!(error instanceof SubmissionError)) throw error;
    return none(error.message);
  }
}

/** The kind of image that bytes are; `null` if none that models take. */
export function imageTypeOf(bytes: Uint8Array): ImageType | null {
  const start = String.fromCharCode(...bytes.subarray(0, 12));
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(start)) return "image/gif";
  if (/^RIFF[^]{4}WEBP/.test(start)) return "image/webp";
  return null;
}

function documentKindOf(label: string, bytes: Uint8Array): DocumentKind | null {
  const start = String.fromCharCode(...bytes.subarray(0, 1024));
  if (start.includes("%PDF-")) return "pdf";
  const extension = /\.([a-z]+)$/i.exec(label)?.[1]?.toLowerCase();
  if (start.startsWith("PK\x03\x04")) {
    if (extension === "docx" || extension === "pptx" || extension === "xlsx") return extension;
    return extension === "xlsm" ? "xlsx" : null;
  }
  return extension === "html" || extension === "htm" || extension === "xhtml" ? "html" : null;
}

async function documentContent(
  kind: DocumentKind,
  bytes: Uint8Array,
): Promise<Pick<Attachment, "content" | "note">> {
  const { convertDocument } = await lazily<typeof import("./conversion.ts")>(
    "./conversion.ts",
    import.meta.url,
  );
  const converted = await convertDocument(kind, bytes);
  if ("problem" in converted) return none(converted.problem);
  const { markdown, note } = converted;
  if (markdown.trim() === "") return none(`a ${kind.toUpperCase()} file without any text`);
  if (markdown.length <= MAX_SHOWN_BYTES) {
    return { content: { type: "text", text: markdown }, ...(note !== undefined && { note }) };
  }
  return {
    content: { type: "text", text: markdown.slice(0, MAX_SHOWN_BYTES) },
    note: [
      ...(note === undefined ? [] : [note]),
      `cut after ${MAX_SHOWN_BYTES} of ${markdown.length} characters`,
    ].join("; "),
  };
}

/** Above this part of replaced letters, nothing is left to read. */
const MAX_REPLACED = 0.1;

function textContent(bytes: Uint8Array): Pick<Attachment, "content" | "note"> {
  const encoding = encodingOf(bytes);
  if (encoding === "utf-8" && bytes.subarray(0, 65_536).includes(0)) return none("a binary file");
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return { content: { type: "text", text } };
  } catch {
    const text = new TextDecoder(encoding).decode(bytes);
    const replaced = text.split("\ufffd").length - 1;
    if (replaced > 2 && replaced > text.length * MAX_REPLACED) return none("a binary file");
    return {
      content: { type: "text", text },
      note: `not UTF-8: what cannot be read is shown as \ufffd (${replaced} times)`,
    };
  }
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
}
