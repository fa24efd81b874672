// PBM, PGM and PPM, as text (P1 to P3) or binary (P4 to P6).

import { SubmissionError } from "../../src/errors.ts";
import type { Pixels } from "./pixels.ts";

/** What comes before the pixels. */
export interface PnmHeader {
  width: number;
  height: number;
  /** The digit after the P. */
  kind: number;
  /** Largest sample. */
  maximum: number;
  dataOffset: number;
}

/**
 * Reads up to the pixels.
 *
 * @throws {SubmissionError} If a number is missing.
 */
export function pnmHeader(bytes: Uint8Array): PnmHeader {
  const kind = bytes[1]! - 0x30;
  const numbers: number[] = [];
  let at = 2;
  const wanted = kind === 1 || kind === 4 ? 2 : 3;
  while (numbers.length < wanted) {
    const token = tokenAt(bytes, at);
    if (token === undefined || !/^\d{1,9}$/.test(token.text)) {
      throw new SubmissionError("its PNM header is damaged or cut short");
    }
    numbers.push(Number(token.text));
    at = token.end;
  }
  const [width, height, maximum = 1] = numbers as [number, number, number?];
  if (maximum < 1 || maximum > 65_535) throw new SubmissionError("its PNM header is damaged");
  return { width, height, kind, maximum, dataOffset: at + 1 };
}

/**
 * Decodes a PNM.
 *
 * @throws {SubmissionError} If it is damaged or breaks off.
 */
export function decodePnm(bytes: Uint8Array): Pixels {
  const header = pnmHeader(bytes);
  const { width, height, kind, maximum } = header;
  const channels = kind === 3 || kind === 6 ? 3 : 1;
  const isBitmap = kind === 1 || kind === 4;
  const next = sampleReader(bytes, header);
  const rgba = new Uint8Array(width * height * 4);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      for (let channel = 0; channel < channels; channel++) {
        const sample = next(x);
        // In a bitmap 1 is black.
        rgba[at + channel] = isBitmap
          ? (sample === 0 ? 255 : 0)
          : Math.round(sample * 255 / maximum);
      }
      if (channels === 1) rgba[at + 1] = rgba[at + 2] = rgba[at]!;
      rgba[at + 3] = 255;
    }
  }
  return { width, height, rgba };
}

function sampleReader(bytes: Uint8Array, header: PnmHeader): (x: number) => number {
  const { kind, maximum, width } = header;
  let at = header.dataOffset;
  const byte = (): number => {
    if (at >= bytes.length) throw new SubmissionError("its PNM pixels break off");
    return bytes[at++]!;
  };
  if (kind === 4) {
    let bits = 0;
    // Every row starts with a new byte.
    return (x) => {
      if (x % 8 === 0 || x >= width) bits = byte();
      return bits >> (7 - x % 8) & 1;
    };
  }
  if (kind >= 5) return maximum < 256 ? byte : () => byte() << 8 | byte();
  return () => {
    const token = tokenAt(bytes, at, kind === 1);
    const sample = Number(token?.text);
    if (token === undefined || !(sample <= maximum)) {
      throw new SubmissionError("its PNM pixels are damaged or break off");
    }
    at = token.end;
    return sample;
  };
}

const LINE_FEED = 0x0a;
const HASH = 0x23;
const LONGEST_TOKEN = 10;

/** The next run of printing characters; comments run from # to the end of the line. */
function tokenAt(
  bytes: Uint8Array,
  from: number,
  oneDigit = false,
): { text: string; end: number } | undefined {
  let at = from;
  while (at < bytes.length && (isSpace(bytes[at]!) || bytes[at] === HASH)) {
    if (bytes[at] === HASH) { while (at < bytes.length && bytes[at] !== LINE_FEED) at++; }
    else at++;
  }
  let end = at;
  const last = at + (oneDigit ? 1 : LONGEST_TOKEN);
  while (end < bytes.length && end < last && !isSpace(bytes[end]!)) end++;
  return end === at ? undefined : { text: String.fromCharCode(...bytes.subarray(at, end)), end };
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte >= 0x09 && byte <= 0x0d;
}
