// The parts of an Office document and what they refer to (ECMA-376, part 2).

import { SubmissionError } from "../../src/errors.ts";
import { resolvePath } from "../../src/path.ts";
import { attribute, readXml } from "./xml.ts";
import type { ZipArchive } from "./zip.ts";

/** Largest part that is kept in memory as a whole: lists of sheets, relationships and styles. */
export const MAX_INDEX_BYTES = 16 * 1024 * 1024;

/** Where one part of a document leads to another, or out of it. */
export interface Relationship {
  id: string;
  type: string;
  /** Name of the part in the archive; of an external target, the address as it stands. */
  target: string;
}

/**
 * Name of the main part, by the relationships of the archive itself.
 *
 * @param usual Its name where they do not say.
 * @throws {SubmissionError} If there is none.
 */
export async function mainPart(archive: ZipArchive, usual: string): Promise<string> {
  const links = await relationships(archive, "");
  const main = links.find(({ type }) => type.endsWith("/officeDocument"))?.target;
  const part = main ?? usual;
  if (!archive.has(part)) {
    const kind = usual.startsWith("xl/") ? "workbook" : "document";
    throw new SubmissionError(`it is a ZIP archive without a ${kind}`);
  }
  return part;
}

/** Everything that a part refers to. */
export async function relationships(archive: ZipArchive, part: string): Promise<Relationship[]> {
  const folder = part.slice(0, part.lastIndexOf("/") + 1);
  const file = `${folder}_rels/${part.slice(folder.length)}.rels`;
  const links: Relationship[] = [];
  if (!archive.has(file)) return links;
  await readXml(archive.text(file, MAX_INDEX_BYTES), file, {
    open(name, attributes) {
      if (name !== "Relationship") return;
      const target = attribute(attributes, "Target") ?? "";
      links.push({
        id: attribute(attributes, "Id") ?? "",
        type: attribute(attributes, "Type") ?? "",
        // Relative to the part that the relationships are of; a leading slash means the archive.
        target: attribute(attributes, "TargetMode") === "External"
          ? target
          : resolvePath(`/${folder}`, target).slice(1),
      });
    },
    text() {},
    close() {},
  });
  return links;
}
