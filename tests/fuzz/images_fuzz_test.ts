import assert from "node:assert/strict";
import { crc32, deflateSync } from "node:zlib";
import fc from "fast-check";
import { checks } from "../../criteria/images.ts";
import { damaged, joined, samplesIn } from "./damage.ts";
import { isolatedTest } from "./isolated.ts";
import { tries, within } from "./runs.ts";
import { Workspace } from "./workspace.ts";

const size = checks.image_size_equals!;
const similarity = checks.image_similarity!;

const SAMPLES = [
  ...samplesIn("images", /^(?!.*expected)(?!big)/),
  ...samplesIn("conformance/workspace/img"),
].filter(({ bytes }) => bytes.length < 200_000);

const LIMITS = { limitSec: 60, maxMib: 1200 };

isolatedTest(
  import.meta.url,
  "a damaged image has a size and pixels, or is refused",
  LIMITS,
  async () => {
    using workspace = new Workspace();
    await fc.assert(
      fc.asyncProperty(damaged(SAMPLES), async ({ bytes }) => {
        workspace.write("a", bytes);
        await workspace.grade(size, "a", 1, 1);
        const outcome = await workspace.grade(similarity, "a", "a");
        assert.match(outcome, /^1$|^0: "a"/, "an image that can be read is like itself");
      }),
      tries(1300),
    );
  },
);

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = joined(new TextEncoder().encode(type), data);
  const [length, checksum] = [new Uint8Array(4), new Uint8Array(4)];
  new DataView(length.buffer).setUint32(0, data.length);
  new DataView(checksum.buffer).setUint32(0, crc32(body));
  return joined(length, body, checksum);
}

interface PngParts {
  width: number;
  height: number;
  /** Bits of a sample, kind of colour, compression, filter, interlacing. */
  kind: readonly number[];
  /** Not packed. */
  data: Uint8Array;
}

function png({ width, height, kind, data }: PngParts): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(13);
  new DataView(header.buffer).setUint32(0, width);
  new DataView(header.buffer).setUint32(4, height);
  header.set(kind, 8);
  return joined(
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk("IHDR", header),
    chunk("PLTE", new Uint8Array(30)),
    chunk("IDAT", new Uint8Array(deflateSync(data))),
    chunk("IEND", new Uint8Array()),
  );
}

isolatedTest(
  import.meta.url,
  "a PNG whose checksums are right can be anything else",
  LIMITS,
  async () => {
    using workspace = new Workspace();
    const side = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.nat(0xffffffff));
    const few = (...values: number[]) => fc.oneof(fc.constantFrom(...values), fc.nat(255));
    const parts = fc.record<PngParts>({
      width: side,
      height: side,
      kind: fc.tuple(few(1, 2, 4, 8, 16), few(0, 2, 3, 4, 6), few(0), few(0), few(0, 1)),
      data: fc.uint8Array({ maxLength: 3000, max: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(parts, async (parts) => {
        workspace.write("a", png(parts));
        const outcome = await workspace.grade(similarity, "a", "a");
        assert.match(outcome, /^1$|^0: "a"/);
      }),
      tries(800),
    );
  },
);

isolatedTest(import.meta.url, "no image takes more memory than its pixels", LIMITS, async () => {
  using workspace = new Workspace();
  const huge = [
    { width: 0xffffffff, height: 0xffffffff, kind: [8, 6, 0, 0, 0], data: new Uint8Array() },
    { width: 20_000, height: 20_000, kind: [16, 6, 0, 0, 0], data: new Uint8Array(1000) },
    { width: 100_000_000, height: 1, kind: [1, 0, 0, 0, 0], data: new Uint8Array(1000) },
    { width: 1, height: 100_000_000, kind: [16, 6, 0, 0, 1], data: new Uint8Array(1000) },
    // Unpacks to a thousand times what the header speaks of.
    { width: 10, height: 10, kind: [8, 6, 0, 0, 0], data: new Uint8Array(300_000_000) },
  ];
  for (const parts of huge) {
    workspace.write("a", png(parts));
    const outcome = await within(20, () => workspace.grade(similarity, "a", "a"));
    assert.match(outcome, /^1$|^0: "a"/);
  }
});

/** A line of tiles of one pixel in width, each of which lies at the same place and unpacks to much. */
function tiledTiff(tiles: number, tileHeight: number): Uint8Array<ArrayBuffer> {
  const packed = new Uint8Array(deflateSync(new Uint8Array(tileHeight * 8)));
  const entries = 11;
  const offsets = 8 + 2 + entries * 12 + 4;
  const bits = offsets + 8 * tiles;
  const bytes = new Uint8Array(bits + 8 + packed.length);
  const view = new DataView(bytes.buffer);
  bytes.set([0x49, 0x49, 42, 0, 8, 0, 0, 0, entries, 0]);
  const [short, long] = [3, 4];
  const fields: [tag: number, type: number, count: number, value: number][] = [
    ...[[256, long, 1, tiles], [257, long, 1, 1], [258, short, 4, bits], [259, short, 1, 8]],
    ...[[262, short, 1, 2], [277, short, 1, 4], [322, long, 1, 1], [323, long, 1, tileHeight]],
    ...[[324, long, tiles, offsets], [325, long, tiles, offsets + 4 * tiles], [338, short, 1, 2]],
  ] as [number, number, number, number][];
  fields.forEach(([tag, type, count, value], index) => {
    const at = 10 + index * 12;
    view.setUint16(at, tag, true);
    view.setUint16(at + 2, type, true);
    view.setUint32(at + 4, count, true);
    view.setUint32(at + 8, value, true);
  });
  for (let tile = 0; tile < tiles; tile++) {
    view.setUint32(offsets + 4 * tile, bits + 8, true);
    view.setUint32(offsets + 4 * (tiles + tile), packed.length, true);
  }
  for (let sample = 0; sample < 4; sample++) view.setUint16(bits + 2 * sample, 16, true);
  bytes.set(packed, bits + 8);
  return bytes;
}

isolatedTest(
  import.meta.url,
  "tiles of a TIFF that lie in one place are not all unpacked",
  LIMITS,
  async () => {
    using workspace = new Workspace();
    workspace.write("a", tiledTiff(2, 8));
    assert.equal(await workspace.grade(similarity, "a", "a"), "1");
    for (const [tiles, tileHeight] of [[2000, 1_000_000], [100_000, 20_000]] as const) {
      workspace.write("a", tiledTiff(tiles, tileHeight));
      const outcome = await within(10, () => workspace.grade(similarity, "a", "a"));
      assert.match(outcome, /^1$|^0: "a"/);
    }
  },
);
