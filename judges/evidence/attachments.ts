// Reads what an author names for a judge: files, folders and globs of the workspace.

import { WorkspaceReader } from "../../src/criterion/reader.ts";
import { openUnblocked } from "../../src/criterion/unblocked.ts";
import { SubmissionError } from "../../src/errors.ts";
import { lazily } from "../../src/lazy.ts";
import type { Attachment } from "./attachment.ts";
import { contentOf, DOCUMENTS_SEC, MAX_DOCUMENT_BYTES } from "./content.ts";

/** What was read, in the author's order, folders and globs sorted. */
export interface Attachments {
  attachments: Attachment[];
  /** What is shown in part or not at all. */
  warnings: string[];
}

/** Most files that a judge is shown. */
const MAX_FILES = 2000;

/** Most characters of a reason: the system's messages hold paths, which can be long. */
const MAX_REASON = 200;

/** Most bytes of text and images in all: as Base64, what services take in one request. */
const MAX_TOTAL_BYTES = 24 * 1024 * 1024;

/**
 * Reads files for a judge. Relative paths start at the workspace. A folder is read with everything
 * below it but what is hidden or made by tools; a path that exists is never taken for a glob.
 *
 * Nothing about the graded work makes it fail: what cannot be shown says why in its place.
 */
export async function readAttachments(
  paths: readonly string[],
  { workspace }: WorkspaceReader,
): Promise<Attachments> {
  const reader = new WorkspaceReader({
    workspace,
    maxFileBytes: MAX_DOCUMENT_BYTES,
    open: openUnblocked,
  });
  const warnings: string[] = [];
  const attachments: Attachment[] = [];
  const seen = new Set<string>();
  const documentsUntil = performance.now() + DOCUMENTS_SEC * 1000;
  let left = MAX_TOTAL_BYTES;
  let leftOut = 0;
  for (const path of paths) {
    for (const label of await expand(path, reader, warnings)) {
      const absolute = reader.resolve(label);
      if (seen.has(absolute)) continue;
      seen.add(absolute);
      if (attachments.length === MAX_FILES || left <= 0) {
        leftOut++;
        continue;
      }
      const attachment = await read(label, reader, documentsUntil);
      left -= sizeOf(attachment);
      attachments.push(attachment);
      const { content, note } = attachment;
      if (content.type === "none") {
        warnings.push(`${label}: not shown to the judge: ${content.reason}`);
      } else if (note !== undefined) warnings.push(`${label}: ${note}`);
    }
  }
  if (leftOut > 0) {
    warnings.push(
      `${leftOut} more files are not shown to the judge: it is shown at most ${MAX_FILES} files ` +
        `and ${MAX_TOTAL_BYTES / 1024 / 1024} MiB`,
    );
  }
  return { attachments, warnings };
}

/** Labels of the files that a path stands for; itself if it is one, or if there is nothing. */
async function expand(
  path: string,
  reader: WorkspaceReader,
  warnings: string[],
): Promise<string[]> {
  const info = infoOf(path, reader);
  if (info !== null && !info.isDirectory) return [path];
  const { walkFolder, walkGlob } = await lazily<typeof import("./folder_walk.ts")>(
    "./folder_walk.ts",
    import.meta.url,
  );
  const walked = info === null ? walkGlob(path, reader) : walkFolder(path, reader);
  warnings.push(...walked.warnings);
  if (walked.files.length > 0) return walked.files;
  if (info === null) return [path];
  warnings.push(`${path}: the folder holds nothing to show`);
  return [];
}

function infoOf(path: string, reader: WorkspaceReader): Deno.FileInfo | null {
  try {
    return Deno.statSync(reader.resolve(path));
  } catch {
    return null;
  }
}

async function read(
  label: string,
  reader: WorkspaceReader,
  documentsUntil: number,
): Promise<Attachment> {
  try {
    const bytes = reader.readBytes(label);
    return { label, size: bytes.length, ...await contentOf(label, bytes, documentsUntil) };
  } catch (error) {
    if (!(error instanceof SubmissionError)) throw error;
    const reason = error.message.replace(`"${label}" `, "");
    const shown = reason.slice(0, MAX_REASON).toWellFormed();
    return { label, size: 0, content: { type: "none", reason: shown } };
  }
}

function sizeOf({ content }: Attachment): number {
  if (content.type === "text") return content.text.length;
  return content.type === "image" ? content.bytes.length : 0;
}
