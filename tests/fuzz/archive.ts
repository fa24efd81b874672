// ZIP archives with checksums that are right, so that damage reaches what is inside.

import { constants, crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import { joined } from "./damage.ts";

/** A file of an archive. */
export interface Member {
  name: string;
  bytes: Uint8Array;
  /** What the archive holds of it. Default: `bytes`, packed. */
  packed?: Uint8Array;
}

const encoder = new TextEncoder();

/** An archive of these files, in this order; names may repeat. */
export function zip(members: readonly Member[]): Uint8Array<ArrayBuffer> {
  const files: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const { name, bytes, packed = new Uint8Array(deflateRawSync(bytes)) } of members) {
    const label = encoder.encode(name);
    const sums = [crc32(bytes), packed.length, bytes.length];
    const local = record(30, 0x04034b50, [[8, 8]], [[14, sums], [26, [label.length]]]);
    const entry = record(46, 0x02014b50, [[10, 8]], [[16, sums], [28, [label.length]], [42, [at]]]);
    files.push(local, label, packed);
    directory.push(entry, label);
    at += local.length + label.length + packed.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const count = members.length & 0xffff;
  const end = record(22, 0x06054b50, [[8, count], [10, count]], [[12, [size, at]]]);
  return joined(...files, ...directory, end);
}

/** A file that unpacks to so many MiB of one byte, though nobody has ever had them in memory. */
export function bomb(name: string, mib: number, byte: number): Member {
  const options = { finishFlush: constants.Z_FULL_FLUSH };
  // Flushed, so that it can follow itself.
  const packed = new Uint8Array(deflateRawSync(new Uint8Array(1 << 20).fill(byte), options));
  const end = new Uint8Array(deflateRawSync(new Uint8Array()));
  const bytes = new Uint8Array();
  return { name, bytes, packed: joined(...Array<Uint8Array>(mib).fill(packed), end) };
}

/** Numbers of two bytes and lists of numbers of four, by their places; a short one's rest is 0. */
function record(
  size: number,
  signature: number,
  short: readonly [at: number, value: number][],
  long: readonly [at: number, values: readonly number[]][],
): Uint8Array {
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, signature, true);
  for (const [at, values] of long) {
    values.forEach((value, index) => view.setUint32(at + 4 * index, value, true));
  }
  for (const [at, value] of short) view.setUint16(at, value, true);
  return bytes;
}

/** The files of an archive that is whole. */
export function unzipped(bytes: Uint8Array): Member[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - 22;
  while (view.getUint32(end, true) !== 0x06054b50) end--;
  const members: Member[] = [];
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    const [packedSize, nameLength] = [view.getUint32(at + 20, true), view.getUint16(at + 28, true)];
    const rest = view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    const header = view.getUint32(at + 42, true);
    const start = header + 30 + view.getUint16(header + 26, true) +
      view.getUint16(header + 28, true);
    const packed = bytes.subarray(start, start + packedSize);
    const isPacked = view.getUint16(at + 10, true) === 8;
    members.push({
      name: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)),
      bytes: isPacked ? new Uint8Array(inflateRawSync(packed)) : packed,
    });
    at += 46 + nameLength + rest;
  }
  return members;
}
