// A SQLite database file and the logs beside it, put together in memory as SQLite itself would do.
// After https://www.sqlite.org/fileformat2.html, §3 (rollback journal) and §4 (write-ahead log).

import { SubmissionError } from "../../src/errors.ts";

const HEADER_BYTES = 100;
const WRITE_VERSION_OFFSET = 18;
const READ_VERSION_OFFSET = 19;
const LEGACY = 1;

/**
 * The database as a reader sees it that comes by now: an unfinished transaction is rolled back, the
 * committed part of the write-ahead log is in.
 *
 * @param database Bytes of the file; changed and perhaps returned.
 * @param journal Bytes of the file `-journal` beside it, if there is one.
 * @param log Bytes of the file `-wal` beside it, if there is one.
 * @param maxBytes Largest result; the sizes in the logs are the graded program's word.
 * @throws {SubmissionError} If the result would be larger.
 */
export function databaseImage(
  database: Uint8Array,
  { journal, log, maxBytes }: { journal?: Uint8Array; log?: Uint8Array; maxBytes: number },
): Uint8Array {
  let image = database;
  if (journal !== undefined) image = rollBack(image, journal, maxBytes);
  // Without a single page SQLite throws the log away.
  if (log !== undefined && image.length > 0) image = applyLog(image, log, maxBytes);
  if (image.length >= HEADER_BYTES) {
    // A database in memory cannot have a log, and is refused as long as its header asks for one.
    image[WRITE_VERSION_OFFSET] = LEGACY;
    image[READ_VERSION_OFFSET] = LEGACY;
  }
  return image;
}

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const LOG_MAGIC = 0x377f0682;
const LOG_VERSION = 3_007_000;

/** Puts in the pages of every frame up to the last commit that is whole. */
function applyLog(database: Uint8Array, log: Uint8Array, maxBytes: number): Uint8Array {
  if (log.length < LOG_HEADER_BYTES) return database;
  const view = viewOf(log);
  const pageSize = view.getUint32(8);
  if ((view.getUint32(0) & ~1) !== LOG_MAGIC || !isPageSize(pageSize)) return database;
  const littleEndian = (view.getUint32(0) & 1) === 0;
  let sums = checksum(view, 0, 24, [0, 0], littleEndian);
  if (sums[0] !== view.getUint32(24) || sums[1] !== view.getUint32(28)) return database;
  if (view.getUint32(4) !== LOG_VERSION) {
    throw new SubmissionError("the write-ahead log is of an unknown version");
  }

  const committed = new Map<number, number>();
  let pending: [page: number, offset: number][] = [];
  let pages = 0;
  const frameBytes = FRAME_HEADER_BYTES + pageSize;
  for (let at = LOG_HEADER_BYTES; at + frameBytes <= log.length; at += frameBytes) {
    const page = view.getUint32(at);
    // Frames of an earlier round of the log carry other salts.
    const sameSalts = view.getUint32(at + 8) === view.getUint32(16) &&
      view.getUint32(at + 12) === view.getUint32(20);
    if (!sameSalts || page === 0) break;
    sums = checksum(view, at, 8, sums, littleEndian);
    sums = checksum(view, at + FRAME_HEADER_BYTES, pageSize, sums, littleEndian);
    if (sums[0] !== view.getUint32(at + 16) || sums[1] !== view.getUint32(at + 20)) break;
    pending.push([page, at + FRAME_HEADER_BYTES]);
    const pagesAfterCommit = view.getUint32(at + 4);
    if (pagesAfterCommit === 0) continue;
    for (const [number, offset] of pending) committed.set(number, offset);
    pending = [];
    pages = pagesAfterCommit;
  }
  if (pages === 0) return database;

  const image = resized(database, pages * pageSize, maxBytes);
  for (const [page, offset] of committed) {
    if (page <= pages) image.set(log.subarray(offset, offset + pageSize), (page - 1) * pageSize);
  }
  return image;
}

const JOURNAL_MAGIC = 0xd9d505f920a163d7n;
const JOURNAL_HEADER_BYTES = 28;
const UNCOUNTED = 0xffffffff;

/** Puts back the pages that an unfinished transaction had saved. */
function rollBack(database: Uint8Array, journal: Uint8Array, maxBytes: number): Uint8Array {
  const view = viewOf(journal);
  let image = database;
  let at = 0;
  while (at + JOURNAL_HEADER_BYTES <= journal.length && view.getBigUint64(at) === JOURNAL_MAGIC) {
    const nonce = view.getUint32(at + 12);
    const pages = view.getUint32(at + 16);
    const sectorSize = view.getUint32(at + 20);
    const pageSize = view.getUint32(at + 24);
    if (!isPageSize(pageSize) || sectorSize < 32 || sectorSize > 65_536) break;
    if (at === 0) image = resized(image, pages * pageSize, maxBytes);
    const recordBytes = 4 + pageSize + 4;
    const counted = view.getUint32(at + 8);
    const whole = Math.floor((journal.length - at - sectorSize) / recordBytes);
    const records = counted === UNCOUNTED ? whole : Math.min(counted, whole);
    let record = at + sectorSize;
    for (let index = 0; index < records; index++, record += recordBytes) {
      const page = view.getUint32(record);
      const content = journal.subarray(record + 4, record + 4 + pageSize);
      // A record that was not written to its end is where the rollback stops.
      if (view.getUint32(record + 4 + pageSize) !== sampleSum(content, nonce)) return image;
      if (page >= 1 && page * pageSize <= image.length) image.set(content, (page - 1) * pageSize);
    }
    at = Math.ceil(record / sectorSize) * sectorSize;
  }
  return image;
}

/** Sum of every 200th byte from the end, on top of the nonce. */
function sampleSum(page: Uint8Array, nonce: number): number {
  let sum = nonce;
  for (let at = page.length - 200; at > 0; at -= 200) sum = (sum + page[at]!) >>> 0;
  return sum;
}

function checksum(
  view: DataView,
  from: number,
  length: number,
  [first, second]: [number, number],
  littleEndian: boolean,
): [number, number] {
  for (let at = from; at < from + length; at += 8) {
    first = (first + view.getUint32(at, littleEndian) + second) >>> 0;
    second = (second + view.getUint32(at + 4, littleEndian) + first) >>> 0;
  }
  return [first, second];
}

function isPageSize(size: number): boolean {
  return size >= 512 && size <= 65_536 && (size & (size - 1)) === 0;
}

function resized(bytes: Uint8Array, length: number, maxBytes: number): Uint8Array {
  if (bytes.length === length) return bytes;
  if (length > maxBytes) {
    throw new SubmissionError(`it claims to be of ${length} bytes, the limit is ${maxBytes}`);
  }
  const result = new Uint8Array(length);
  result.set(bytes.subarray(0, length));
  return result;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
