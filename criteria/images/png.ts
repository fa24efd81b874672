// PNG (ISO/IEC 15948), as Pillow reads it: every depth and kind, the first picture of an animation.
// Ours, because libraries scale 16 bits where Pillow keeps the high byte, and refuse checksums that
// it does not look at.

import { crc32, inflateSync } from "node:zlib";
import { SubmissionError } from "../../src/errors.ts";
import { type Pixels, requireFewPixels } from "./pixels.ts";
import { unpackSamples } from "./samples.ts";

const SIGNATURE_BYTES = 8;
const HEADER_CHUNK_BYTES = 12;

const GREY = 0;
const RGB = 2;
const PALETTE = 3;
const GREY_ALPHA = 4;
const RGBA = 6;

/** Samples a pixel, by colour type. */
const CHANNELS: Record<number, number> = {
  [GREY]: 1,
  [RGB]: 3,
  [PALETTE]: 1,
  [GREY_ALPHA]: 2,
  [RGBA]: 4,
};
const DEPTHS: Record<number, readonly number[]> = {
  [GREY]: [1, 2, 4, 8, 16],
  [RGB]: [8, 16],
  [PALETTE]: [1, 2, 4, 8],
  [GREY_ALPHA]: [8, 16],
  [RGBA]: [8, 16],
};

/** Start and step of the seven passes of an interlaced picture. */
const PASSES = [
  { x: 0, y: 0, dx: 8, dy: 8 },
  { x: 4, y: 0, dx: 8, dy: 8 },
  { x: 0, y: 4, dx: 4, dy: 8 },
  { x: 2, y: 0, dx: 4, dy: 4 },
  { x: 0, y: 2, dx: 2, dy: 4 },
  { x: 1, y: 0, dx: 2, dy: 2 },
  { x: 0, y: 1, dx: 1, dy: 2 },
];
const ONE_PASS = [{ x: 0, y: 0, dx: 1, dy: 1 }];

/** What comes before the pixels. */
export interface PngHeader {
  width: number;
  height: number;
  depth: number;
  colourType: number;
  interlaced: boolean;
  palette: Uint8Array;
  /** Alpha of the palette's entries, or the samples that are transparent. */
  transparency: Uint8Array | undefined;
  /** Where the first chunk of pixels starts. */
  dataOffset: number;
}

/**
 * Reads up to the first chunk of pixels; that one has to be there, as in Pillow.
 *
 * @throws {RangeError} If the file breaks off before it.
 * @throws {SubmissionError} If a checksum or a value is wrong.
 */
export function pngHeader(bytes: Uint8Array): PngHeader {
  const view = viewOf(bytes);
  let header: Omit<PngHeader, "dataOffset" | "palette" | "transparency"> | undefined;
  let palette: Uint8Array = new Uint8Array();
  let transparency: Uint8Array | undefined;
  for (let at = SIGNATURE_BYTES;;) {
    const { type, content, next } = chunkAt(bytes, view, at);
    if (type === "IDAT") {
      if (header === undefined) throw new SubmissionError("its PNG header is missing");
      return { ...header, palette, transparency, dataOffset: at };
    }
    if (view.getUint32(next - 4) !== crc32(bytes.subarray(at + 4, next - 4))) {
      throw new SubmissionError(`the checksum of its PNG chunk ${type} does not match`);
    }
    if (type === "IHDR") header = imageHeader(viewOf(content));
    else if (type === "PLTE") palette = content;
    else if (type === "tRNS") transparency = content;
    at = next;
  }
}

/**
 * Decodes a PNG.
 *
 * @throws {RangeError | SubmissionError} If it is damaged or breaks off.
 */
export function decodePng(bytes: Uint8Array): Pixels {
  const header = pngHeader(bytes);
  // Looked at here too: an icon's list may say less of the picture inside.
  requireFewPixels(header);
  const { width, height, depth, colourType } = header;
  const bitsPerPixel = depth * CHANNELS[colourType]!;
  const passes = (header.interlaced ? PASSES : ONE_PASS).map((pass) => ({
    ...pass,
    width: Math.ceil((width - pass.x) / pass.dx),
    height: Math.ceil((height - pass.y) / pass.dy),
  })).filter((pass) => pass.width > 0 && pass.height > 0);
  const rowBytes = (pixels: number): number => Math.ceil(pixels * bitsPerPixel / 8);
  const size = passes.reduce((sum, pass) => sum + pass.height * (1 + rowBytes(pass.width)), 0);
  const filtered = inflate(bytes, header.dataOffset, size);

  const rgba = new Uint8Array(width * height * 4);
  const toRgba = converter(header);
  const none = new Uint8Array(rowBytes(width));
  let at = 0;
  for (const pass of passes) {
    let above: Uint8Array = none.subarray(0, rowBytes(pass.width));
    for (let y = 0; y < pass.height; y++) {
      const row = filtered.subarray(at + 1, at + 1 + above.length);
      unfilter(filtered[at]!, row, above, Math.max(1, bitsPerPixel >> 3));
      toRgba(row, pass.width, rgba, ((pass.y + y * pass.dy) * width + pass.x) * 4, pass.dx * 4);
      at += 1 + row.length;
      above = row;
    }
  }
  return { width, height, rgba };
}

function imageHeader(view: DataView) {
  const depth = view.getUint8(8);
  const colourType = view.getUint8(9);
  const interlace = view.getUint8(12);
  if (!DEPTHS[colourType]?.includes(depth) || interlace > 1) {
    throw new SubmissionError(
      `its PNG header is damaged: colour type ${colourType}, ${depth} bits`,
    );
  }
  return {
    width: view.getUint32(0),
    height: view.getUint32(4),
    depth,
    colourType,
    interlaced: interlace === 1,
  };
}

interface Chunk {
  type: string;
  content: Uint8Array;
  next: number;
}

function chunkAt(bytes: Uint8Array, view: DataView, at: number): Chunk {
  const length = view.getUint32(at);
  const next = at + HEADER_CHUNK_BYTES + length;
  const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
  // Pixels that break off are found by the inflater; the size can be read all the same.
  if (next > bytes.length && type !== "IDAT") throw new RangeError("breaks off");
  return { type, content: bytes.subarray(at + 8, at + 8 + length), next };
}

/** Joins the chunks of pixels, whose checksums do not count, and unpacks what is `size` bytes. */
function inflate(bytes: Uint8Array, from: number, size: number): Uint8Array {
  const view = viewOf(bytes);
  const pieces: Uint8Array[] = [];
  for (let at = from; at + HEADER_CHUNK_BYTES <= bytes.length;) {
    const { type, content, next } = chunkAt(bytes, view, at);
    if (type !== "IDAT") break;
    pieces.push(content);
    at = next;
  }
  const packed = pieces.length === 1 ? pieces[0]! : concatenated(pieces);
  let unpacked: Uint8Array;
  try {
    unpacked = inflateSync(packed, { maxOutputLength: size + 1 });
  } catch (error) {
    throw new SubmissionError("its PNG pixels are damaged or break off", { cause: error });
  }
  if (unpacked.length < size) throw new SubmissionError("its PNG pixels break off");
  return unpacked;
}

function concatenated(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Undoes the prediction of a row in place; `above` is the row before it, already undone. */
function unfilter(filter: number, row: Uint8Array, above: Uint8Array, step: number): void {
  switch (filter) {
    case 0:
      return;
    case 1:
      for (let at = step; at < row.length; at++) row[at]! += row[at - step]!;
      return;
    case 2:
      for (let at = 0; at < row.length; at++) row[at]! += above[at]!;
      return;
    case 3:
      for (let at = 0; at < row.length; at++) {
        row[at]! += ((at < step ? 0 : row[at - step]!) + above[at]!) >> 1;
      }
      return;
    case 4:
      for (let at = 0; at < row.length; at++) {
        if (at < step) row[at]! += above[at]!;
        else row[at]! += paeth(row[at - step]!, above[at]!, above[at - step]!);
      }
      return;
  }
  throw new SubmissionError(`its PNG pixels are damaged: filter ${filter}`);
}

function paeth(left: number, up: number, corner: number): number {
  const toLeft = Math.abs(up - corner);
  const toUp = Math.abs(left - corner);
  const toCorner = Math.abs(left + up - 2 * corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

/** Writes a row of pixels to `rgba` from `at` on, `step` bytes apart. */
type RowConverter = (
  row: Uint8Array,
  width: number,
  rgba: Uint8Array,
  at: number,
  step: number,
) => void;

function converter(header: PngHeader): RowConverter {
  const { colourType, depth, palette } = header;
  const channels = CHANNELS[colourType]!;
  const alphas = colourType === PALETTE ? header.transparency : undefined;
  const clear = colourType === GREY || colourType === RGB ? clearSamples(header) : undefined;
  // Of 16 bits the high byte counts; fewer than 8 are spread over the whole range.
  const scale = colourType === PALETTE || depth >= 8 ? 1 : 255 / ((1 << depth) - 1);
  return (row, width, rgba, at, step) => {
    const samples = unpackSamples(row, width * channels, depth);
    for (let x = 0; x < width; x++, at += step) {
      const from = x * channels;
      let alpha = 255;
      if (colourType === PALETTE) {
        const index = samples[from]!;
        for (let channel = 0; channel < 3; channel++) {
          rgba[at + channel] = palette[index * 3 + channel] ?? 0;
        }
        alpha = alphas?.[index] ?? 255;
      } else if (channels < 3) {
        rgba[at] = rgba[at + 1] = rgba[at + 2] = samples[from]! * scale;
        if (channels === 2) alpha = samples[from + 1]!;
      } else {
        rgba[at] = samples[from]!;
        rgba[at + 1] = samples[from + 1]!;
        rgba[at + 2] = samples[from + 2]!;
        if (channels === 4) alpha = samples[from + 3]!;
      }
      if (clear !== undefined && isClear(clear, row, samples, from, depth)) alpha = 0;
      rgba[at + 3] = alpha;
    }
  };
}

/** The samples of the transparent colour as the file has them, 16 bits each. */
function clearSamples({ colourType, transparency }: PngHeader): number[] | undefined {
  const channels = CHANNELS[colourType]!;
  if (transparency === undefined || transparency.length < channels * 2) return undefined;
  const view = viewOf(transparency);
  return Array.from({ length: channels }, (_, channel) => view.getUint16(channel * 2));
}

function isClear(
  clear: readonly number[],
  row: Uint8Array,
  samples: Uint8Array,
  from: number,
  depth: number,
): boolean {
  return clear.every((value, channel) => {
    const index = from + channel;
    return value === (depth < 16 ? samples[index] : row[index * 2]! << 8 | row[index * 2 + 1]!);
  });
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
