import assert from "node:assert/strict";
import fc from "fast-check";
import { SubmissionError } from "../errors.ts";
import { decodeText } from "./text.ts";

const encode = (text: string) => new TextEncoder().encode(text);

/** Table 3-7 of the Unicode Standard, a byte at a time: where no UTF-8 text could go on. */
function firstBadByte(bytes: Uint8Array): number | null {
  for (let at = 0; at < bytes.length;) {
    const lead = bytes[at]!;
    const length = lead < 0x80
      ? 1
      : lead >= 0xc2 && lead < 0xe0
      ? 2
      : lead >= 0xe0 && lead < 0xf0
      ? 3
      : lead >= 0xf0 && lead < 0xf5
      ? 4
      : 0;
    if (length === 0) return at;
    for (let offset = 1; offset < length; offset++) {
      const byte = bytes[at + offset];
      if (byte === undefined) return bytes.length;
      const [from, to] = offset > 1 ? [0x80, 0xbf] : ({
        0xe0: [0xa0, 0xbf],
        0xed: [0x80, 0x9f],
        0xf0: [0x90, 0xbf],
        0xf4: [0x80, 0x8f],
      } as Record<number, [number, number]>)[lead] ?? [0x80, 0xbf];
      if (byte < from || byte > to) return at + offset;
    }
    at += length;
  }
  return null;
}

const byte = fc.oneof(
  fc.constantFrom(0x0a, 0x0d, 0x41, 0x80, 0xbf, 0xc3, 0xe2, 0x82, 0xac, 0xed, 0xf0, 0x9f, 0xff),
  fc.nat(255),
);

Deno.test("bytes that are not UTF-8 are refused with the offset of the first bad one", () => {
  const refused: [number[], number][] = [
    [[0xff], 0],
    [[0x41, 0x80], 1],
    [[0xc0, 0x80], 0],
    [[0xe2, 0x28], 1],
    [[0xed, 0xa0, 0x80], 1],
    [[0xf5], 0],
    [[0x61, 0xe2, 0x82], 3],
    [[0x0d, 0x0a, 0x0d, 0xff], 3],
  ];
  for (const [bytes, offset] of refused) {
    assert.throws(() => decodeText(Uint8Array.from(bytes), "a.txt"), (error: Error) => {
      assert.equal(error.message, `"a.txt" is not UTF-8: bad byte at offset ${offset}`);
      return error instanceof SubmissionError;
    });
  }
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 12 }), (bytes) => {
      const bad = firstBadByte(Uint8Array.from(bytes));
      if (bad === null) return void decodeText(Uint8Array.from(bytes), "a");
      assert.throws(() => decodeText(Uint8Array.from(bytes), "a"), {
        message: `"a" is not UTF-8: bad byte at offset ${bad}`,
      });
    }),
    { numRuns: 2000 },
  );
});

Deno.test("the offset is the file's own, far into it and after folded newlines", () => {
  const size = 200_000;
  const bytes = new Uint8Array(size).fill(0x61);
  for (let at = 0; at < size; at += 10) bytes.set([0x0d, 0x0a], at);
  bytes[150_007] = 0xff;
  assert.throws(() => decodeText(bytes, "a"), /bad byte at offset 150007$/);
});

Deno.test("newlines are universal and a byte order mark at the start is no content", () => {
  const piece = fc.constantFrom("\r", "\n", "\r\n", "a", "é", "€", "😀", "\ufeff", "\u2028", "\0");
  const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(text, (text) => {
      const expected = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
      assert.equal(decodeText(encode(text), "a"), expected);
    }),
    { numRuns: 1000 },
  );
  assert.equal(decodeText(encode("\ufeff\ufeffa\r"), "a"), "\ufeffa\n");
  assert.equal(decodeText(new Uint8Array(), "a"), "");
});

Deno.test("characters that lie across the steps of a long text are whole", () => {
  for (const shift of [0, 1, 2, 3]) {
    const text = "x".repeat(65_533 + shift) + "😀\r\n".repeat(20_000);
    assert.equal(decodeText(encode(text), "a"), text.replaceAll("\r\n", "\n"));
  }
});

Deno.test("a bad byte near the border of two steps has its own offset", () => {
  const filler = fc.integer({ min: 65_528, max: 65_540 });
  fc.assert(
    fc.property(filler, fc.array(byte, { maxLength: 12 }), (length, bytes) => {
      const text = new Uint8Array(length + bytes.length).fill(0x61);
      text.set(bytes, length);
      const bad = firstBadByte(text);
      if (bad === null) return void decodeText(text, "a");
      assert.throws(() => decodeText(text, "a"), { message: new RegExp(`offset ${bad}$`) });
    }),
    { numRuns: 300 },
  );
});

Deno.test("a text beyond the engine's longest string is refused as too large, not as bad", () => {
  const Decoder = globalThis.TextDecoder;
  // The real thing takes half a gigabyte: this one has a limit of 8 bytes.
  globalThis.TextDecoder = class extends Decoder {
    override decode(input?: BufferSource, options?: TextDecodeOptions): string {
      if (!options?.stream && (input?.byteLength ?? 0) > 8) throw new TypeError("too long");
      return super.decode(input, options);
    }
  };
  try {
    for (const text of ["123456789", "123456789\r"]) {
      assert.throws(() => decodeText(encode(text), "big.txt"), {
        name: "SubmissionError",
        message: '"big.txt" is too large to be read as text',
      });
    }
    assert.equal(decodeText(encode("12345678"), "small.txt"), "12345678");
  } finally {
    globalThis.TextDecoder = Decoder;
  }
});
