// Reads ZIP archives, on the assumption that they lie about their contents.

import { SubmissionError } from "../../src/errors.ts";

interface Entry {
  flags: number;
  method: number;
  checksum: number;
  compressedSize: number;
  headerOffset: number;
}

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const HEADER_SIGNATURE = 0x04034b50;
const HEADER_BYTES = 30;
const MAX_COMMENT_BYTES = 65_535;
const MAX_32 = 0xffffffff;
const ZIP64_FIELD = 0x0001;
const ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;
/** Packed bytes at a time; they can unpack to a thousand times as many. */
const PIECE_BYTES = 1 << 12;

/** The files of an archive that is in memory; what is read of one is never all there at once. */
export class ZipArchive {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #maxBytes: number;
  readonly #entries = new Map<string, Entry>();

  /**
   * Reads the list of files; of equal names the last counts.
   *
   * @param maxBytes Largest file that is read, unpacked: what the archive says of it is not relied on.
   * @throws {SubmissionError} If it is no ZIP archive, or a damaged one.
   */
  constructor(bytes: Uint8Array, maxBytes: number) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#maxBytes = maxBytes;
    try {
      this.#readDirectory();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new SubmissionError("it is a damaged ZIP archive", { cause: error });
    }
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /**
   * The text of a file, piece by piece.
   *
   * @param maxBytes Lowers the archive's own limit.
   * @throws {SubmissionError} If it is not there, damaged, encrypted, not UTF-8 or too large.
   */
  async *text(name: string, maxBytes = this.#maxBytes): AsyncGenerator<string, void, undefined> {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    try {
      for await (const piece of this.#unpacked(name, Math.min(maxBytes, this.#maxBytes))) {
        yield decoder.decode(piece, { stream: true });
      }
      yield decoder.decode();
    } catch (error) {
      // What the decoder and the inflater throw for bad bytes.
      if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
      throw new SubmissionError(`its part "${name}" is damaged or not UTF-8`, { cause: error });
    }
  }

  async *#unpacked(
    name: string,
    maxBytes: number,
  ): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
    const { crc32 } = await import("node:zlib");
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new SubmissionError(`its part "${name}" is missing`);
    const packed = this.#packed(entry);
    const pieces = entry.method === STORED
      ? packed
      : packed.pipeThrough(new DecompressionStream("deflate-raw"));
    let size = 0;
    let checksum = 0;
    for await (const piece of pieces) {
      size += piece.length;
      if (size > maxBytes) {
        throw new SubmissionError(
          `its part "${name}" is larger than ${maxBytes} bytes when unpacked`,
        );
      }
      checksum = crc32(piece, checksum);
      yield piece;
    }
    if (checksum !== entry.checksum) throw new TypeError(`checksum of "${name}" does not match`);
  }

  #packed(entry: Entry): ReadableStream<Uint8Array<ArrayBuffer>> {
    if ((entry.flags & ENCRYPTED) !== 0) throw new SubmissionError("it is encrypted");
    if (entry.method !== STORED && entry.method !== DEFLATED) {
      throw new SubmissionError(`it uses compression method ${entry.method}, expected 0 or 8`);
    }
    const view = this.#view;
    const offset = entry.headerOffset;
    if (view.getUint32(offset, true) !== HEADER_SIGNATURE) throw new RangeError("no local header");
    let at = offset + HEADER_BYTES + view.getUint16(offset + 26, true) +
      view.getUint16(offset + 28, true);
    const end = at + entry.compressedSize;
    if (end > this.#bytes.length) throw new RangeError("breaks off");
    const bytes = this.#bytes;
    return new ReadableStream({
      pull(controller): void {
        if (at >= end) return controller.close();
        const piece = bytes.slice(at, Math.min(at + PIECE_BYTES, end));
        at += piece.length;
        controller.enqueue(piece);
      },
    });
  }

  #readDirectory(): void {
    const view = this.#view;
    const endOffset = this.#findEnd();
    const count = view.getUint16(endOffset + 10, true);
    const size = view.getUint32(endOffset + 12, true);
    // Whatever was put in front of the archive moves all its offsets.
    const shift = endOffset - size - view.getUint32(endOffset + 16, true);
    let at = endOffset - size;
    if (shift < 0) throw new SubmissionError("it is a damaged ZIP archive, or larger than 4 GiB");
    for (let index = 0; index < count; index++) {
      if (view.getUint32(at, true) !== ENTRY_SIGNATURE) throw new RangeError("no entry");
      const nameLength = view.getUint16(at + 28, true);
      const extraLength = view.getUint16(at + 30, true);
      const commentLength = view.getUint16(at + 32, true);
      const nameBytes = this.#bytes.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + nameLength);
      const entry: Entry = {
        flags: view.getUint16(at + 8, true),
        method: view.getUint16(at + 10, true),
        checksum: view.getUint32(at + 16, true),
        compressedSize: view.getUint32(at + 20, true),
        headerOffset: view.getUint32(at + 42, true),
      };
      this.#widen(entry, view.getUint32(at + 24, true), at + ENTRY_BYTES + nameLength, extraLength);
      entry.headerOffset += shift;
      this.#entries.set(new TextDecoder().decode(nameBytes), entry);
      at += ENTRY_BYTES + nameLength + extraLength + commentLength;
    }
  }

  /** Takes from the ZIP64 field what did not fit into 32 bits, in the order that it has there. */
  #widen(entry: Entry, size: number, at: number, length: number): void {
    const view = this.#view;
    const end = at + length;
    while (at + 4 <= end) {
      const fieldEnd = at + 4 + view.getUint16(at + 2, true);
      if (view.getUint16(at, true) === ZIP64_FIELD) {
        let value = at + 4;
        if (size === MAX_32) value += 8;
        if (entry.compressedSize === MAX_32) {
          entry.compressedSize = Number(view.getBigUint64(value, true));
          value += 8;
        }
        if (entry.headerOffset === MAX_32) {
          entry.headerOffset = Number(view.getBigUint64(value, true));
        }
      }
      at = fieldEnd;
    }
  }

  #findEnd(): number {
    const last = this.#bytes.length - END_BYTES;
    for (let at = last; at >= Math.max(0, last - MAX_COMMENT_BYTES); at--) {
      if (this.#view.getUint32(at, true) === END_SIGNATURE) return at;
    }
    throw new SubmissionError("it is not a ZIP archive");
  }
}
