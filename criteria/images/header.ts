// Format and size of an image, from its first bytes alone.

import { SubmissionError } from "../../src/errors.ts";
import { gifSize } from "./gif.ts";
import { icoEntries } from "./ico.ts";
import { jpegHeader } from "./jpeg.ts";
import { pngHeader } from "./png.ts";
import { pnmHeader } from "./pnm.ts";
import { tiffHeader } from "./tiff.ts";

/** The formats whose pixels can be compared. */
export type ImageFormat = "PNG" | "JPEG" | "GIF" | "BMP" | "WebP" | "TIFF" | "PNM" | "ICO";

/** What {@link readHeader} finds. */
export interface ImageHeader {
  format: ImageFormat;
  width: number;
  height: number;
}

/**
 * Reads the size that an image claims; its contents decide the format, not its name.
 *
 * @throws {SubmissionError} If it is no image of these formats, or its header is damaged.
 */
export function readHeader(bytes: Uint8Array): ImageHeader {
  const format = formatOf(bytes);
  if (format === undefined) throw new SubmissionError("it is not an image of a known format");
  try {
    const { width, height } = SIZES[format](bytes);
    if (width < 1 || height < 1) throw new RangeError("no pixels");
    return { format, width, height };
  } catch (error) {
    // What a DataView throws past the end.
    if (!(error instanceof RangeError)) throw error;
    throw new SubmissionError(`its ${format} header is damaged or cut short`, { cause: error });
  }
}

function formatOf(bytes: Uint8Array): ImageFormat | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 12));
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "PNG";
  if (start.startsWith("\xff\xd8\xff")) return "JPEG";
  if (/^GIF8[79]a/.test(start)) return "GIF";
  if (start.startsWith("BM")) return "BMP";
  if (/^RIFF[^]{4}WEBP/.test(start)) return "WebP";
  if (/^(?:II\*\0|MM\0\*)/.test(start)) return "TIFF";
  if (/^P[1-6][\s#]/.test(start)) return "PNM";
  if (start.startsWith("\0\0\x01\0")) return "ICO";
}

interface Size {
  width: number;
  height: number;
}

const SIZES: Record<ImageFormat, (bytes: Uint8Array) => Size> = {
  PNG: pngHeader,
  JPEG: jpegHeader,
  GIF: gifSize,
  BMP: bmpSize,
  WebP: webpSize,
  TIFF: tiffHeader,
  PNM: pnmHeader,
  ICO: (bytes) => icoEntries(bytes)[0]!,
};

function bmpSize(bytes: Uint8Array): Size {
  const view = viewOf(bytes);
  if (view.getUint32(14, true) === 12) {
    return { width: view.getUint16(18, true), height: view.getUint16(20, true) };
  }
  // A negative height means that the rows run from top to bottom.
  return { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) };
}

function webpSize(bytes: Uint8Array): Size {
  const view = viewOf(bytes);
  const at = 20;
  switch (String.fromCharCode(...bytes.subarray(12, 16))) {
    case "VP8X": {
      const low = view.getUint32(at + 4, true) & 0xffffff;
      return { width: low + 1, height: (view.getUint32(at + 6, true) >>> 8) + 1 };
    }
    case "VP8L": {
      const bits = view.getUint32(at + 1, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "VP8 ":
      return {
        width: view.getUint16(at + 6, true) & 0x3fff,
        height: view.getUint16(at + 8, true) & 0x3fff,
      };
  }
  throw new RangeError("unknown kind of WebP");
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
