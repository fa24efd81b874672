// Damage to files and texts, small enough that what a decoder reads first still makes sense.

import fc from "fast-check";

/** A file that decodes. */
export interface Sample {
  name: string;
  bytes: Uint8Array;
}

/** A place: counted from the start, modulo the length there is. */
type Edit =
  | { edit: "flip"; at: number; bit: number }
  | { edit: "byte"; at: number; value: number }
  | { edit: "cut"; at: number }
  | { edit: "remove"; at: number; length: number }
  | { edit: "copy"; at: number; from: number; length: number }
  | { edit: "repeat"; at: number; length: number; times: number }
  | { edit: "insert"; at: number; text: string }
  | { edit: "number"; at: number; size: 2 | 4 | 8; value: bigint; isLittle: boolean };

/** What numbers in files are when they are meant to do harm. */
const NUMBERS = [
  ...[0n, 1n, 2n, 0x7fn, 0xffn, 0x7fffn, 0x8000n, 0xffffn, 1n << 24n, 0x7fffffffn],
  ...[0x80000000n, 0xffffffffn, 1n << 53n, (1n << 63n) - 1n, (1n << 64n) - 1n],
];

const BYTES = [0, 1, 0x7f, 0x80, 0xff, ..."\"'\\{}[]<>&;,:/\n\r \t".split("").map(codeOf)];

/** Headers are where sizes stand, so much of the damage is there. */
const place = fc.oneof(
  { weight: 1, arbitrary: fc.nat(127) },
  { weight: 2, arbitrary: fc.nat(1 << 24) },
);

function edit(words: readonly string[]): fc.Arbitrary<Edit> {
  const length = fc.integer({ min: 1, max: 200 });
  return fc.oneof(
    fc.record({ edit: fc.constant("flip" as const), at: place, bit: fc.nat(7) }),
    fc.record({ edit: fc.constant("byte" as const), at: place, value: fc.constantFrom(...BYTES) }),
    fc.record({ edit: fc.constant("cut" as const), at: place }),
    fc.record({ edit: fc.constant("remove" as const), at: place, length }),
    fc.record({ edit: fc.constant("copy" as const), at: place, from: place, length }),
    fc.record({ edit: fc.constant("repeat" as const), at: place, length, times: fc.nat(300) }),
    fc.record({
      edit: fc.constant("number" as const),
      at: place,
      size: fc.constantFrom(2 as const, 4 as const, 8 as const),
      value: fc.constantFrom(...NUMBERS),
      isLittle: fc.boolean(),
    }),
    ...(words.length === 0 ? [] : [{
      weight: 4,
      arbitrary: fc.record({
        edit: fc.constant("insert" as const),
        at: place,
        text: fc.constantFrom(...words),
      }),
    }]),
  );
}

/**
 * Samples with some damage each. A failure shows the sample's name and the edits.
 *
 * @param words Texts that mean something to the decoder, to be put in.
 */
export function damaged(
  samples: readonly Sample[],
  words: readonly string[] = [],
): fc.Arbitrary<Sample> {
  return fc.tuple(
    fc.nat(samples.length - 1),
    fc.array(edit(words), { minLength: 1, maxLength: 4 }),
  ).map(([index, edits]) => {
    const { name, bytes } = samples[index]!;
    return {
      name,
      bytes: edits.reduce(edited, bytes),
      [fc.toStringMethod]: () => `${name} ${fc.stringify(edits)}`,
    };
  });
}

function edited(bytes: Uint8Array, edit: Edit): Uint8Array {
  const at = bytes.length === 0 ? 0 : edit.at % bytes.length;
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  switch (edit.edit) {
    case "flip":
      return joined(before, Uint8Array.of((after[0] ?? 0) ^ (1 << edit.bit)), after.subarray(1));
    case "byte":
      return joined(before, Uint8Array.of(edit.value), after.subarray(1));
    case "cut":
      return before;
    case "remove":
      return joined(before, after.subarray(edit.length));
    case "copy": {
      const from = edit.from % Math.max(1, bytes.length);
      const copied = bytes.subarray(from, from + edit.length);
      return joined(before, copied, after.subarray(copied.length));
    }
    case "repeat": {
      const piece = after.subarray(0, edit.length);
      return joined(before, ...Array<Uint8Array>(edit.times).fill(piece), after);
    }
    case "insert":
      return joined(before, new TextEncoder().encode(edit.text), after);
    case "number": {
      const eight = new Uint8Array(8);
      new DataView(eight.buffer).setBigUint64(0, edit.value, edit.isLittle);
      const number = edit.isLittle ? eight.subarray(0, edit.size) : eight.subarray(8 - edit.size);
      return joined(before, number, after.subarray(edit.size));
    }
  }
}

/** One after the other. */
export function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function codeOf(character: string): number {
  return character.charCodeAt(0);
}

/** The regular files of a folder of the fixtures. */
export function samplesIn(folder: string, fits: RegExp = /./): Sample[] {
  const root = new URL(`../../fixtures/${folder}/`, import.meta.url);
  return [...Deno.readDirSync(root)].filter(({ name, isFile }) => isFile && fits.test(name))
    .map(({ name }) => ({
      name,
      bytes: Deno.readFileSync(new URL(encodeURIComponent(name), root)),
    }))
    .sort((a, b) => a.name < b.name ? -1 : 1);
}

/** Texts as samples. */
export function textSamples(texts: readonly string[]): Sample[] {
  return texts.map((text, at) => ({ name: `text ${at}`, bytes: new TextEncoder().encode(text) }));
}
