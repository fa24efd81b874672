// JPEG: its size, and its pixels by MozJPEG, which agrees with Pillow's decoder to the bit.

import { CriterionError, SubmissionError } from "../../src/errors.ts";
import { decodeOnCanvas } from "./canvas.ts";
import type { Pixels } from "./pixels.ts";

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
const APP1 = 0xe1;
const CMYK_CHANNELS = 4;

/** What the frame header of a JPEG says. */
export interface JpegHeader {
  width: number;
  height: number;
  channels: number;
}

/**
 * Reads up to the frame header.
 *
 * @throws {RangeError} If the file breaks off before it.
 */
export function jpegHeader(bytes: Uint8Array): JpegHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const { marker, at } of segments(bytes)) {
    if (marker === START_OF_SCAN) break;
    if (!isFrameHeader(marker)) continue;
    return {
      height: view.getUint16(at + 5),
      width: view.getUint16(at + 7),
      channels: view.getUint8(at + 9),
    };
  }
  throw new RangeError("no frame header");
}

/**
 * Decodes a JPEG; how it wants to be turned (EXIF) is not looked at, as in Pillow. One in CMYK is
 * decoded by Deno, which may be two steps off in a channel.
 *
 * @throws {SubmissionError} If it breaks off: the decoder would fill up the rest with grey.
 */
export async function decodeJpeg(bytes: Uint8Array<ArrayBuffer>): Promise<Pixels> {
  let isComplete = false;
  for (const { marker } of segments(bytes)) isComplete ||= marker === END_OF_IMAGE;
  if (!isComplete) throw new SubmissionError("its JPEG pixels break off");
  if (jpegHeader(bytes).channels === CMYK_CHANNELS) return decodeOnCanvas(withoutExif(bytes));

  const [{ default: decode, init }, { default: wasm }] = await loadDecoder();
  // The package takes the compiled decoder first, which its types leave out. What the decoder says
  // of a damaged image would go to standard error.
  await (init as (module: WebAssembly.Module, overrides: object) => Promise<void>)(wasm, {
    printErr: () => {},
  });
  const whole = bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice();
  const { width, height, data } = await decode(whole.buffer);
  return { width, height, rgba: new Uint8Array(data.buffer, data.byteOffset, data.length) };
}

/** That it cannot be had is not the graded work's fault. */
async function loadDecoder() {
  try {
    return await Promise.all([import("@jsquash/jpeg/decode.js"), import("./jpeg_wasm.js")]);
  } catch (cause) {
    throw new CriterionError(`the JPEG decoder cannot be loaded: ${(cause as Error).message}`, {
      hint: "Grade one JPEG where npm can be reached, so that Deno keeps the package in its cache",
      cause,
    });
  }
}

interface Segment {
  marker: number;
  /** Where its marker starts. */
  at: number;
  /** Where it ends, without the pixels that follow a scan's header. */
  end: number;
}

/** The segments of a file, up to its end or to where they stop making sense. */
function* segments(bytes: Uint8Array): Generator<Segment, void, undefined> {
  let at = 2;
  while (at + 1 < bytes.length) {
    // Between segments, and in the pixels, whatever is no marker is passed over.
    at = bytes.indexOf(0xff, at);
    if (at === -1) return;
    const marker = bytes[at + 1];
    if (marker === undefined) return;
    if (marker === 0xff) {
      at++;
      continue;
    }
    const isStandalone = marker <= 0x01 || marker >= 0xd0 && marker <= 0xd8;
    if (isStandalone) {
      at += 2;
      continue;
    }
    if (marker === END_OF_IMAGE) {
      yield { marker, at, end: at + 2 };
      return;
    }
    const length = (bytes[at + 2] ?? 0) << 8 | (bytes[at + 3] ?? 0);
    const end = at + 2 + Math.max(2, length);
    yield { marker, at, end };
    at = end;
  }
}

function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** Deno turns a picture as its EXIF data says; Pillow does not. */
function withoutExif(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(bytes.length);
  let length = 0;
  let from = 0;
  for (const { marker, at, end } of segments(bytes)) {
    if (marker !== APP1) continue;
    result.set(bytes.subarray(from, at), length);
    length += at - from;
    from = Math.min(end, bytes.length);
  }
  result.set(bytes.subarray(from), length);
  return result.subarray(0, length + bytes.length - from);
}
