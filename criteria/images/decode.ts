// Pixels of an image of any format that is read.

import { RewardKitError, SubmissionError } from "../../src/errors.ts";
import { decodeOnCanvas } from "./canvas.ts";
import { type ImageHeader, readHeader } from "./header.ts";
import { icoEntries, singleIcon } from "./ico.ts";
import { decodeJpeg } from "./jpeg.ts";
import { type Pixels, requireFewPixels } from "./pixels.ts";
import { decodePng } from "./png.ts";
import { decodePnm } from "./pnm.ts";
import { decodeTiff } from "./tiff.ts";

/**
 * Decodes an image.
 *
 * @throws {SubmissionError} If it is damaged, breaks off, or claims to have too many pixels.
 */
export async function decodeImage(bytes: Uint8Array<ArrayBuffer>): Promise<Pixels> {
  const header = readHeader(bytes);
  requireFewPixels(header);
  try {
    const pixels = await decode(bytes, header);
    if (pixels.width !== header.width || pixels.height !== header.height) {
      throw new RangeError("they are of another size than the header says");
    }
    return pixels;
  } catch (error) {
    if (error instanceof RewardKitError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new SubmissionError(`its ${header.format} pixels are damaged: ${reason}`, {
      cause: error,
    });
  }
}

function decode(
  bytes: Uint8Array<ArrayBuffer>,
  { format }: ImageHeader,
): Pixels | Promise<Pixels> {
  switch (format) {
    case "PNG":
      return decodePng(bytes);
    case "JPEG":
      return decodeJpeg(bytes);
    case "TIFF":
      return decodeTiff(bytes);
    case "PNM":
      return decodePnm(bytes);
    case "ICO": {
      const [largest] = icoEntries(bytes);
      const isPng = largest!.content[0] === 0x89;
      return isPng ? decodePng(largest!.content) : decodeOnCanvas(singleIcon(largest!));
    }
    default:
      return decodeOnCanvas(bytes);
  }
}
