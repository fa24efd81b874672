// Decodes what Deno itself can: GIF, BMP, WebP and icons; of an animation the first picture.

import type { Pixels } from "./pixels.ts";
import { decodePng } from "./png.ts";

/**
 * Decodes an image with Deno's decoder. Its pixels can be had as a PNG only, so they are packed and
 * unpacked once.
 *
 * @throws {DOMException} If it cannot.
 */
export async function decodeOnCanvas(bytes: Uint8Array<ArrayBuffer>): Promise<Pixels> {
  // No options: asked not to premultiply, it spoils the alpha.
  const bitmap = await createImageBitmap(new Blob([bytes]));
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext("bitmaprenderer")!.transferFromImageBitmap(bitmap);
  const png = await canvas.convertToBlob({ type: "image/png" });
  return decodePng(new Uint8Array(await png.arrayBuffer()));
}
