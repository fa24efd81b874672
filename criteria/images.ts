// Criteria on images.

import { requireInteger, requireText } from "../src/criterion/arguments.ts";
import { type Check, type CheckContext, registerBuiltin } from "../src/criterion/builtin.ts";
import type { CriterionOptions } from "../src/criterion/options.ts";
import { SubmissionError } from "../src/errors.ts";
import { lazily } from "../src/lazy.ts";

/**
 * Scores 1 when an image is of this size. Only its header is read, so the image may be of any size;
 * its contents decide the format (PNG, JPEG, GIF, BMP, WebP, TIFF, PNM or ICO), not its name. A
 * rotation that EXIF data asks for is not applied.
 *
 * @param path From the workspace, or absolute.
 * @param width In pixels.
 * @param height In pixels.
 * @throws {TypeError} If an argument is of the wrong type, or a size is no whole number from 0.
 *
 * @example
 * ```ts ignore
 * import * as rk from "@rewardkit/cli";
 *
 * rk.imageSizeEquals("plot.png", 1200, 800);
 * ```
 */
export function imageSizeEquals(
  path: string,
  width: number,
  height: number,
  options?: CriterionOptions,
): void {
  requireText("imageSizeEquals", "path", path);
  requireInteger("imageSizeEquals", "width", width, 0);
  requireInteger("imageSizeEquals", "height", height, 0);
  registerBuiltin({
    criterion: "image_size_equals",
    args: [path, width, height],
    options,
    description: `"${path}" is ${width} x ${height} pixels`,
    needs: [{ read: path }],
  });
}

/**
 * Scores the fraction of pixels that are the same in two images, in red, green, blue and alpha; 0
 * when their sizes differ. Of an animation the first picture counts. Images of more than 100 million
 * pixels score 0 with a warning, and so does one that is damaged.
 *
 * @param path1 From the workspace, or absolute.
 * @param path2 From the workspace, or absolute; such as the expected image in the tests folder.
 * @throws {TypeError} If an argument is of the wrong type.
 *
 * @example
 * ```ts ignore
 * import * as rk from "@rewardkit/cli";
 *
 * rk.imageSimilarity("plot.png", "/tests/expected.png");
 * ```
 */
export function imageSimilarity(path1: string, path2: string, options?: CriterionOptions): void {
  requireText("imageSimilarity", "path1", path1);
  requireText("imageSimilarity", "path2", path2);
  registerBuiltin({
    criterion: "image_similarity",
    args: [path1, path2],
    options,
    description: `"${path1}" looks like "${path2}"`,
    needs: [{ read: path1 }, { read: path2 }],
  });
}

/** How each criterion of this file is computed. */
export const checks: Record<string, Check> = {
  image_size_equals: sizeEquals,
  image_similarity: similarity,
};

async function sizeEquals(
  { files, mismatch }: CheckContext,
  path: string,
  width: number,
  height: number,
): Promise<boolean> {
  const { readHeader } = await lazily<typeof import("./images/header.ts")>(
    "./images/header.ts",
    import.meta.url,
  );
  const header = await naming(path, () => readHeader(files.readBytes(path)));
  return header.width === width && header.height === height ||
    mismatch("within", `${width} × ${height}`, `${header.width} × ${header.height}`);
}

async function similarity(
  { files }: CheckContext,
  path1: string,
  path2: string,
): Promise<number> {
  const { decodeImage } = await lazily<typeof import("./images/decode.ts")>(
    "./images/decode.ts",
    import.meta.url,
  );
  const { readHeader } = await lazily<typeof import("./images/header.ts")>(
    "./images/header.ts",
    import.meta.url,
  );
  const { sharedFraction } = await lazily<typeof import("./images/pixels.ts")>(
    "./images/pixels.ts",
    import.meta.url,
  );
  const read = (path: string) => files.readBytes(path) as Uint8Array<ArrayBuffer>;
  const size1 = await naming(path1, () => readHeader(read(path1)));
  const size2 = await naming(path2, () => readHeader(read(path2)));
  // So nothing is decoded that is larger than what it is compared with.
  if (size1.width !== size2.width || size1.height !== size2.height) return 0;
  const pixels1 = await naming(path1, () => decodeImage(read(path1)));
  const pixels2 = await naming(path2, () => decodeImage(read(path2)));
  return sharedFraction(pixels1, pixels2);
}

/** Puts the image's name in front of what is wrong with it. */
async function naming<T>(path: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof SubmissionError) || error.message.startsWith(`"${path}"`)) throw error;
    throw new SubmissionError(`"${path}" cannot be read: ${error.message}`, { cause: error });
  }
}
