// Images of a trajectory, which lie beside it.

import type { WorkspaceReader } from "../src/criterion/reader.ts";
import { SubmissionError } from "../src/errors.ts";
import { isAbsolute, isWithin, parentOf, resolvePath } from "../src/path.ts";
import { imageTypeOf, MAX_SHOWN_BYTES } from "./evidence/content.ts";
import type { Block } from "./model.ts";

/** Most images that a judge is shown of a trajectory. */
const MAX_IMAGES = 100;

/** What stands in the text for a medium, and the medium where it is shown. */
export type ShownMedium = { text: string; block: Block } | { text: string };

/** Reads the media that steps refer to; only from the trajectory's own folder. */
export class TrajectoryMedia {
  readonly warnings: string[] = [];
  readonly #folder: string;
  readonly #path: string;
  readonly #reader: WorkspaceReader;
  #count = 0;

  constructor(path: string, reader: WorkspaceReader) {
    this.#path = path;
    this.#reader = reader;
    this.#folder = parentOf(reader.resolve(path));
  }

  /** @param source Has a `path` from the trajectory's folder, and perhaps a `media_type`. */
  read(type: string, source: Record<string, unknown>): ShownMedium {
    const path = typeof source.path === "string" ? source.path : "";
    const name = path === "" ? "without a path" : JSON.stringify(path.slice(0, 200));
    try {
      if (type !== "image") throw new SubmissionError("is no image");
      if (this.#count === MAX_IMAGES) throw new SubmissionError("is one image too many");
      const bytes = this.#bytes(path);
      const mediaType = imageTypeOf(bytes);
      if (mediaType === null) throw new SubmissionError("is no PNG, JPEG, GIF or WebP image");
      this.#count++;
      return { text: `[image ${name}]`, block: { type: "image", mediaType, bytes } };
    } catch (error) {
      if (!(error instanceof SubmissionError)) throw error;
      const kind = type.replace(/\W/g, "").slice(0, 20);
      this.warnings.push(
        `${this.#path}: ${kind} ${name} is not shown to the judge: ${error.message}`,
      );
      return { text: `[${kind} ${name}: not shown]` };
    }
  }

  #bytes(path: string): Uint8Array {
    const absolute = resolvePath(this.#folder, path);
    if (path === "" || isAbsolute(path) || !isWithin(absolute, this.#folder)) {
      throw new SubmissionError("lies outside of the trajectory's folder");
    }
    let real: string;
    let size: number;
    try {
      real = Deno.realPathSync(absolute);
      size = Deno.statSync(real).size;
    } catch {
      throw new SubmissionError("does not exist");
    }
    if (!isWithin(real, Deno.realPathSync(this.#folder))) {
      throw new SubmissionError("leads out of the trajectory's folder through a link");
    }
    if (size > MAX_SHOWN_BYTES) {
      throw new SubmissionError(`is larger than ${MAX_SHOWN_BYTES} bytes`);
    }
    return this.#reader.readBytes(absolute);
  }
}
