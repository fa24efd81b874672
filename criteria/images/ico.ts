// ICO: a list of pictures, of which the largest counts, as in Pillow.

/** One picture of an icon. */
export interface IcoEntry {
  width: number;
  height: number;
  /** A PNG file, or a bitmap without its file header. */
  content: Uint8Array;
  /** Its 16 bytes in the icon's directory. */
  directory: Uint8Array;
}

const DIRECTORY_BYTES = 6;
const ENTRY_BYTES = 16;

/**
 * The pictures, largest first.
 *
 * @throws {RangeError} If there is none or the list breaks off.
 */
export function icoEntries(bytes: Uint8Array): IcoEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: (IcoEntry & { depth: number })[] = [];
  const count = view.getUint16(4, true);
  for (let index = 0; index < count; index++) {
    const at = DIRECTORY_BYTES + index * ENTRY_BYTES;
    const offset = view.getUint32(at + 12, true);
    entries.push({
      // One byte cannot say 256, so 0 does.
      width: view.getUint8(at) || 256,
      height: view.getUint8(at + 1) || 256,
      depth: view.getUint16(at + 6, true),
      content: bytes.subarray(offset, offset + view.getUint32(at + 8, true)),
      directory: bytes.subarray(at, at + ENTRY_BYTES),
    });
  }
  if (entries.length === 0) throw new RangeError("no picture");
  return entries.sort((a, b) => b.width * b.height - a.width * a.height || b.depth - a.depth);
}

/**
 * An icon file with this one picture in it, a bitmap.
 *
 * @throws {RangeError} If the bitmap is of another size than the list says.
 */
export function singleIcon(entry: IcoEntry): Uint8Array<ArrayBuffer> {
  const { directory, content } = entry;
  const bitmap = new DataView(content.buffer, content.byteOffset, content.byteLength);
  // Twice the height: the mask lies below the picture.
  if (
    bitmap.getInt32(4, true) !== entry.width || bitmap.getInt32(8, true) !== 2 * entry.height
  ) throw new RangeError("the picture is of another size than its list says");
  const icon = new Uint8Array(DIRECTORY_BYTES + ENTRY_BYTES + content.length);
  icon.set([0, 0, 1, 0, 1, 0]);
  icon.set(directory, DIRECTORY_BYTES);
  const view = new DataView(icon.buffer);
  view.setUint32(DIRECTORY_BYTES + 8, content.length, true);
  view.setUint32(DIRECTORY_BYTES + 12, DIRECTORY_BYTES + ENTRY_BYTES, true);
  icon.set(content, DIRECTORY_BYTES + ENTRY_BYTES);
  return icon;
}
