// Images as services take them: what one cannot read it refuses, with all that is sent along.

import { readHeader } from "../../criteria/images/header.ts";

/** Longest side in pixels that services take. */
const MAX_SIDE = 8000;

/**
 * What is wrong with an image's size; `null` if nothing is.
 *
 * @throws {SubmissionError} If the image is damaged.
 */
export function sizeProblem(bytes: Uint8Array): string | null {
  const { width, height } = readHeader(bytes);
  if (Math.max(width, height) <= MAX_SIDE) return null;
  return `${width} × ${height} pixels, the limit is ${MAX_SIDE} on each side`;
}
