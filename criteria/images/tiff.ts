// TIFF 6.0, its first picture: grey, RGB, palette and CMYK in whole pixels, in strips or tiles.

import { SubmissionError } from "../../src/errors.ts";
import type { Pixels } from "./pixels.ts";
import { unpackSamples } from "./samples.ts";
import { unpackBlock } from "./tiff_compression.ts";

/** Numbers of the fields that are read. */
const FIELD = {
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  stripOffsets: 273,
  orientation: 274,
  samples: 277,
  rowsPerStrip: 278,
  stripBytes: 279,
  planes: 284,
  predictor: 317,
  colourMap: 320,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileBytes: 325,
  extraSamples: 338,
  sampleFormat: 339,
} as const;

/** Bytes of the types of whole numbers: byte, short, long. */
const TYPE_BYTES: Record<number, 1 | 2 | 4> = { 1: 1, 3: 2, 4: 4 };

/** Most values of a field; a row takes one at most. */
const MAX_VALUES = 1_000_000;

/** The fields of the first picture. */
export interface TiffHeader {
  width: number;
  height: number;
  littleEndian: boolean;
  /** Values of a field; empty if it is not there. */
  field(number: number): number[];
}

/**
 * Reads the list of fields.
 *
 * @throws {RangeError} If it breaks off or lacks the size.
 */
export function tiffHeader(bytes: Uint8Array): TiffHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const littleEndian = bytes[0] === 0x49;
  const directory = view.getUint32(4, littleEndian);
  const fields = new Map<number, number>();
  const count = view.getUint16(directory, littleEndian);
  for (let index = 0; index < count; index++) {
    const at = directory + 2 + index * 12;
    fields.set(view.getUint16(at, littleEndian), at);
  }
  const field = (number: number): number[] => {
    const at = fields.get(number);
    if (at === undefined) return [];
    const size = TYPE_BYTES[view.getUint16(at + 2, littleEndian)];
    if (size === undefined) return [];
    const length = view.getUint32(at + 4, littleEndian);
    const start = length * size <= 4 ? at + 8 : view.getUint32(at + 8, littleEndian);
    if (length > MAX_VALUES || start + length * size > bytes.length) {
      throw new RangeError("a field breaks off");
    }
    return Array.from({ length }, (_, index) => {
      const offset = start + index * size;
      if (size === 1) return view.getUint8(offset);
      return size === 2
        ? view.getUint16(offset, littleEndian)
        : view.getUint32(offset, littleEndian);
    });
  };
  const [width] = field(FIELD.width);
  const [height] = field(FIELD.height);
  if (width === undefined || height === undefined) throw new RangeError("no size");
  return { width, height, littleEndian, field };
}

/**
 * Decodes the first picture of a TIFF.
 *
 * @throws {RangeError | SubmissionError} If it is damaged, or of a kind that is not read; the
 * message names it.
 */
export function decodeTiff(bytes: Uint8Array): Pixels {
  const header = tiffHeader(bytes);
  const { width, height, littleEndian } = header;
  const layout = readLayout(header);
  const rgba = new Uint8Array(width * height * 4);
  for (const block of blocks(header)) {
    const rowBytes = Math.ceil(block.width * layout.samples * layout.bits / 8);
    const packed = bytes.subarray(block.offset, block.offset + block.bytes);
    const content = unpackBlock(layout.compression, packed, rowBytes * block.height);
    for (let y = 0; y < block.height && block.y + y < height; y++) {
      const row = content.subarray(y * rowBytes, (y + 1) * rowBytes);
      if (layout.bits === 16 && littleEndian) swapBytes(row);
      if (layout.hasPredictor) addLeft(row, layout.samples);
      const samples = unpackSamples(row, block.width * layout.samples, layout.bits);
      const visible = Math.min(block.width, width - block.x);
      writeRow(samples, visible, layout, rgba, ((block.y + y) * width + block.x) * 4);
    }
  }
  return { width, height, rgba };
}

interface Layout {
  bits: number;
  samples: number;
  compression: number;
  photometric: number;
  hasPredictor: boolean;
  hasAlpha: boolean;
  colourMap: number[];
}

const WHITE_IS_ZERO = 0;
const BLACK_IS_ZERO = 1;
const RGB = 2;
const PALETTE = 3;
const CMYK = 5;
/** Samples that make a pixel's colour. */
const COLOUR_SAMPLES: Record<number, number> = {
  [WHITE_IS_ZERO]: 1,
  [BLACK_IS_ZERO]: 1,
  [RGB]: 3,
  [PALETTE]: 1,
  [CMYK]: 4,
};
const UNASSOCIATED_ALPHA = 2;
const HORIZONTAL = 2;

function readLayout({ field }: TiffHeader): Layout {
  const one = (number: number, otherwise: number): number => field(number)[0] ?? otherwise;
  const bits = field(FIELD.bits);
  const layout: Layout = {
    bits: bits[0] ?? 1,
    samples: one(FIELD.samples, 1),
    compression: one(FIELD.compression, 1),
    photometric: one(FIELD.photometric, BLACK_IS_ZERO),
    hasPredictor: one(FIELD.predictor, 1) === HORIZONTAL,
    hasAlpha: one(FIELD.extraSamples, 0) === UNASSOCIATED_ALPHA,
    colourMap: field(FIELD.colourMap),
  };
  const colours = COLOUR_SAMPLES[layout.photometric];
  const extra = layout.samples - (colours ?? layout.samples);
  const isUnsupported = {
    [`photometric interpretation ${layout.photometric}`]: colours === undefined,
    [`${bits} bits`]: ![1, 2, 4, 8, 16].includes(layout.bits) ||
      bits.some((other) => other !== layout.bits),
    [`${layout.samples} samples a pixel`]: extra < 0 || extra > 1,
    "premultiplied alpha": one(FIELD.extraSamples, 0) === 1,
    "separate planes": one(FIELD.planes, 1) !== 1 && layout.samples > 1,
    "samples that are not unsigned": one(FIELD.sampleFormat, 1) !== 1,
    "a reversed fill order": one(FIELD.fillOrder, 1) !== 1,
    "a turned picture": one(FIELD.orientation, 1) !== 1,
    [`predictor ${one(FIELD.predictor, 1)} with ${layout.bits} bits`]:
      one(FIELD.predictor, 1) > HORIZONTAL || layout.hasPredictor && layout.bits !== 8,
  };
  const [kind] = Object.entries(isUnsupported).find(([, applies]) => applies) ?? [];
  if (kind !== undefined) throw new SubmissionError(`TIFF with ${kind} is not supported`);
  return layout;
}

/** What a tile may hold even where the picture is smaller. */
const MAX_TILE_PIXELS = 1 << 22;

interface Block {
  x: number;
  y: number;
  width: number;
  height: number;
  offset: number;
  bytes: number;
}

/** Strips or tiles, in reading order. */
function blocks({ width, height, field }: TiffHeader): Block[] {
  const isTiled = field(FIELD.tileWidth).length > 0;
  const blockWidth = field(FIELD.tileWidth)[0] ?? width;
  const blockHeight = isTiled
    ? field(FIELD.tileHeight)[0] ?? 0
    : Math.min(height, field(FIELD.rowsPerStrip)[0] ?? height);
  const offsets = field(isTiled ? FIELD.tileOffsets : FIELD.stripOffsets);
  const sizes = field(isTiled ? FIELD.tileBytes : FIELD.stripBytes);
  // A tile may reach past the edges; one far larger than the picture is there to use up memory.
  const isSane = blockWidth > 0 && blockHeight > 0 &&
    blockWidth * blockHeight <= Math.max(width * height, MAX_TILE_PIXELS);
  const across = Math.ceil(width / blockWidth);
  const count = across * Math.ceil(height / blockHeight);
  // All of them together, since many tiles can lie at one offset.
  const total = count * blockWidth * (isTiled ? blockHeight : Math.min(blockHeight, height));
  const isBounded = total <= 4 * width * height + MAX_TILE_PIXELS;
  if (!isSane || !isBounded || offsets.length < count || sizes.length < count) {
    throw new SubmissionError("its TIFF pixels are damaged or break off");
  }
  return Array.from({ length: count }, (_, index) => {
    const y = Math.floor(index / across) * blockHeight;
    return {
      x: index % across * blockWidth,
      y,
      width: blockWidth,
      // The last strip ends with the picture; a tile is always whole.
      height: isTiled ? blockHeight : Math.min(blockHeight, height - y),
      offset: offsets[index]!,
      bytes: sizes[index]!,
    };
  });
}

function writeRow(
  samples: Uint8Array,
  width: number,
  layout: Layout,
  rgba: Uint8Array,
  at: number,
): void {
  const { photometric, bits, colourMap } = layout;
  const scale = bits >= 8 ? 1 : 255 / ((1 << bits) - 1);
  const colours = COLOUR_SAMPLES[photometric]!;
  for (let x = 0; x < width; x++, at += 4) {
    const from = x * layout.samples;
    const first = samples[from]!;
    for (let channel = 0; channel < 3; channel++) {
      if (photometric === PALETTE) {
        rgba[at + channel] = (colourMap[(channel << bits) + first] ?? 0) >> 8;
      } else if (photometric === CMYK) {
        rgba[at + channel] = withoutInk(samples[from + channel]!, samples[from + 3]!);
      } else if (photometric === RGB) rgba[at + channel] = samples[from + channel]!;
      else rgba[at + channel] = photometric === WHITE_IS_ZERO ? 255 - first * scale : first * scale;
    }
    rgba[at + 3] = layout.hasAlpha ? samples[from + colours]! * scale : 255;
  }
}

/** What an ink and black leave of white, rounded as Pillow does. */
function withoutInk(ink: number, black: number): number {
  const light = 255 - black;
  const product = ink * light + 128;
  return light - ((product >> 8) + product >> 8);
}

function swapBytes(row: Uint8Array): void {
  for (let at = 0; at + 1 < row.length; at += 2) {
    [row[at], row[at + 1]] = [row[at + 1]!, row[at]!];
  }
}

function addLeft(row: Uint8Array, samples: number): void {
  for (let at = samples; at < row.length; at++) row[at]! += row[at - samples]!;
}
