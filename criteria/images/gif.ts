// GIF: the size of its first picture, which may be larger than the screen that the header names.

const HEADER_BYTES = 13;
const HAS_COLOURS = 0x80;
const EXTENSION = 0x21;
const PICTURE = 0x2c;

/**
 * Size of the screen, widened to hold the first picture, as in Pillow.
 *
 * @throws {RangeError} If the file breaks off before its first picture.
 */
export function gifSize(bytes: Uint8Array): { width: number; height: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = HEADER_BYTES + colourBytes(view.getUint8(10));
  while (view.getUint8(at) === EXTENSION) {
    at += 2;
    // Blocks, each after its length, up to one of length 0.
    for (let length = view.getUint8(at); length > 0; length = view.getUint8(at)) at += 1 + length;
    at++;
  }
  if (view.getUint8(at) !== PICTURE) throw new RangeError("no picture");
  const right = view.getUint16(at + 1, true) + view.getUint16(at + 5, true);
  const bottom = view.getUint16(at + 3, true) + view.getUint16(at + 7, true);
  return {
    width: Math.max(view.getUint16(6, true), right),
    height: Math.max(view.getUint16(8, true), bottom),
  };
}

/** Bytes of the colour table that these flags announce. */
function colourBytes(flags: number): number {
  return flags & HAS_COLOURS ? 3 << (flags & 7) + 1 : 0;
}
