// Images of a trajectory: files that lie beside it, or Base64 within it.

import type { WorkspaceReader } from "../src/criterion/reader.ts";
import { SubmissionError } from "../src/errors.ts";
import { isWithin, parentOf, resolvePath } from "../src/path.ts";
import { imageTypeOf, MAX_SHOWN_BYTES } from "./evidence/content.ts";
import { sizeProblem } from "./evidence/image.ts";
import type { Block } from "./model.ts";
import { quoteName } from "./quote_name.ts";

/** An image as a block. */
export type ImageBlock = Extract<Block, { type: "image" }>;

/** Most images that a judge is shown of a trajectory. */
const MAX_IMAGES = 100;

/** Most images that are looked for: each takes several calls to the system. */
const MAX_TRIES = 1000;

/** Most images of which a warning says why they are not shown. */
const MAX_WARNINGS = 20;

/** What stands in the text for a medium, and the medium where it is shown. */
export interface ShownMedium {
  text: string;
  block?: ImageBlock;
}

/** Where a medium comes from. */
interface Source {
  /** Shown to people and to the judge. */
  name: string;
  path?: string;
  base64?: string;
}

/** Reads the media that steps refer to; files only from the trajectory's own folder. */
export class TrajectoryMedia {
  readonly #warnings: string[] = [];
  readonly #folder: string;
  readonly #path: string;
  readonly #reader: WorkspaceReader;
  #shown = 0;
  #tried = 0;
  #refused = 0;

  constructor(path: string, reader: WorkspaceReader) {
    this.#path = path;
    this.#reader = reader;
    this.#folder = parentOf(reader.resolve(path));
  }

  /** What is not shown, and why. */
  get warnings(): string[] {
    const more = this.#refused - this.#warnings.length;
    if (more <= 0) return [...this.#warnings];
    return [
      ...this.#warnings,
      `${this.#path}: ${more} more images or other media are not shown to the judge`,
    ];
  }

  /**
   * One part of a content; `null` if it is no medium.
   *
   * @param part `{ type: "image", source: { path } }` as in ATIF, or Base64 in the forms in which
   * the services take it.
   */
  read(part: Readonly<Record<string, unknown>>): ShownMedium | null {
    const source = sourceOf(part);
    if (source === null) return null;
    const kind = kindOf(part.type);
    try {
      if (kind !== "image") throw new SubmissionError("it is no image");
      if (this.#shown === MAX_IMAGES) {
        throw new SubmissionError(`there are ${MAX_IMAGES} images before it`);
      }
      if (++this.#tried > MAX_TRIES) throw new SubmissionError("too many were tried before it");
      const bytes = source.base64 === undefined ? this.#file(source.path) : decoded(source.base64);
      const mediaType = imageTypeOf(bytes);
      if (mediaType === null) throw new SubmissionError("it is no PNG, JPEG, GIF or WebP image");
      const problem = sizeProblem(bytes);
      if (problem !== null) throw new SubmissionError(`it has ${problem}`);
      this.#shown++;
      return { text: `[image ${source.name}]`, block: { type: "image", mediaType, bytes } };
    } catch (error) {
      if (!(error instanceof SubmissionError)) throw error;
      if (++this.#refused <= MAX_WARNINGS) {
        this.#warnings.push(
          `${this.#path}: ${kind} ${source.name} is not shown to the judge: ${error.message}`,
        );
      }
      return { text: `[${kind} ${source.name}: not shown]` };
    }
  }

  #file(path: string | undefined): Uint8Array {
    if (path === undefined || path === "" || path.includes("\0")) {
      throw new SubmissionError("it has no path");
    }
    const absolute = resolvePath(this.#folder, path);
    if (!isWithin(absolute, this.#folder)) {
      throw new SubmissionError("it lies outside of the trajectory's folder");
    }
    let real: string;
    let size: number;
    let folder: string;
    try {
      real = Deno.realPathSync(absolute);
      size = Deno.statSync(real).size;
      folder = Deno.realPathSync(this.#folder);
    } catch (error) {
      if (error instanceof Deno.errors.NotCapable) throw error;
      throw new SubmissionError("it does not exist");
    }
    if (!isWithin(real, folder)) {
      throw new SubmissionError("it leads out of the trajectory's folder through a link");
    }
    refuseLarge(size);
    // The real path: a link may lead elsewhere by now.
    return this.#reader.readBytes(real);
  }
}

function refuseLarge(size: number): void {
  if (size <= MAX_SHOWN_BYTES) return;
  throw new SubmissionError(`it is too large: ${size} bytes, the limit is ${MAX_SHOWN_BYTES}`);
}

function decoded(base64: string): Uint8Array {
  refuseLarge(Math.floor(base64.length * 0.75));
  try {
    return Uint8Array.fromBase64(base64);
  } catch {
    throw new SubmissionError("its Base64 is damaged");
  }
}

function kindOf(type: unknown): string {
  if (typeof type !== "string") return "medium";
  if (type === "image_url" || type === "input_image") return "image";
  return type.replace(/\W/g, "").slice(0, 20) || "medium";
}

function sourceOf(part: Readonly<Record<string, unknown>>): Source | null {
  const source = part.source ?? part.image_url;
  if (typeof source === "string") return sourceOfUrl(source);
  if (!isRecord(source)) return null;
  if (typeof source.path === "string") return sourceOfUrl(source.path);
  if (typeof source.data === "string") return { name: "in the trajectory", base64: source.data };
  if (typeof source.url === "string") return sourceOfUrl(source.url);
  return { name: "without a path" };
}

function sourceOfUrl(url: string): Source {
  const comma = url.startsWith("data:") ? url.slice(0, 100).indexOf(";base64,") : -1;
  if (comma !== -1) return { name: "in the trajectory", base64: url.slice(comma + 8) };
  // An address on the net is a path that is not there: nothing is fetched.
  return { name: url === "" ? "without a path" : quoteName(url), path: url };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
