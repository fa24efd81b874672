import assert from "node:assert/strict";
import fc from "fast-check";
import { imageTokens } from "./image_tokens.ts";
import { estimateTokens, fairShare, loadTokenizer } from "./tokens.ts";

Deno.test("the estimate is no smaller than the count for ordinary texts", async () => {
  const tokenizer = await loadTokenizer();
  const texts = [
    Deno.readTextFileSync(new URL("../README.md", import.meta.url)),
    Deno.readTextFileSync(new URL("./guard.ts", import.meta.url)),
    "判断这个提交是否满足标准。".repeat(50),
    "1234567890".repeat(100),
    crypto.getRandomValues(new Uint8Array(3000)).toBase64(),
    crypto.getRandomValues(new Uint8Array(3000)).toHex(),
    "!@#$%^&*()_+{}[]".repeat(100),
    "ሀለሐመሠረሰቀ".repeat(50),
    "👩‍👩‍👧‍👦🙂🇩🇪".repeat(50),
    "Съешь же ещё этих мягких французских булок. ".repeat(20),
  ];
  for (const text of texts) {
    const [estimate, count] = [estimateTokens(text), tokenizer.count(text)];
    assert.ok(estimate >= count, `${estimate} for ${count}: ${text.slice(0, 20)}`);
    assert.ok(estimate < count * 10, `${estimate} for ${count}: ${text.slice(0, 20)}`);
  }
});

Deno.test("a cut text has the tokens it may have, its beginning, its end and a mark", async () => {
  const { count, cut } = await loadTokenizer();
  const text = `START ${"some words in between ".repeat(500)}END`;
  for (const most of [20, 50, 500, 1999]) {
    const shown = cut(text, most);
    assert.ok(count(shown) <= most, `${count(shown)} of ${most}`);
    assert.match(shown, /^START [^]*\[… about \d+ tokens left out …\][^]*END$/);
  }
  const [, start, left, end] = /^([^]*)\n\[… about (\d+) tokens left out …\]\n([^]*)$/.exec(
    cut(text, 50),
  )!;
  const between = count(text.slice(start!.length, -end!.length));
  assert.ok(Math.abs(Number(left) - between) < between / 10, `${left} for ${between}`);
  assert.ok(text.startsWith(start!) && text.endsWith(end!));
  assert.equal(cut(text, 1e6), text);
  assert.equal(cut(text, 0), "");
  assert.ok(count(cut(text, 3)) <= 3);
});

Deno.test("a cut splits no character", async () => {
  const { cut } = await loadTokenizer();
  const shown = cut("👩‍👩‍👧‍👦𝄞漢".repeat(300), 100);
  assert.ok(shown.isWellFormed());
  assert.ok(!shown.includes("\ufffd"));
});

Deno.test("no cut is longer than it may be", async () => {
  const { count, cut } = await loadTokenizer();
  const texts = fc.oneof(
    fc.string({ unit: "binary", maxLength: 4000 }),
    fc.string({ maxLength: 30 }).map((text) => text.repeat(300)),
    fc.lorem({ maxCount: 400 }),
  );
  fc.assert(fc.property(texts, fc.integer({ min: 0, max: 1500 }), (text, most) => {
    const shown = cut(text, most);
    assert.ok(count(shown) <= most, `${count(shown)} of ${most}`);
    assert.equal(count(text) <= most, shown === text);
    assert.ok(count(text, most) > most === count(text) > most);
    assert.ok(!text.isWellFormed() || shown.isWellFormed());
  }));
});

Deno.test("a cut takes time for what it keeps", async () => {
  const { cut } = await loadTokenizer();
  const started = performance.now();
  assert.match(cut("word ".repeat(10_000_000), 100), /left out …\]\n[^]*word $/);
  assert.ok(performance.now() - started < 1000);
});

Deno.test("an image takes tokens by its pixels, within bounds", () => {
  const sized = (width: number, height: number) => {
    const bytes = new TextEncoder().encode(`GIF89a${"\0".repeat(7)},${"\0".repeat(9)}`);
    new DataView(bytes.buffer).setUint16(6, width, true);
    new DataView(bytes.buffer).setUint16(8, height, true);
    return imageTokens(bytes);
  };
  assert.equal(sized(750, 1000), 1000);
  assert.equal(sized(10, 10), 256);
  assert.equal(sized(60_000, 60_000), 1600);
  assert.equal(imageTokens(new TextEncoder().encode("GIF89a")), 1600);
});

Deno.test("special tokens are plain text, and long runs do not take for ever", async () => {
  const { count } = await loadTokenizer();
  assert.ok(count("<|endoftext|><|im_start|>") > 2);
  const started = performance.now();
  for (const piece of ["a", " ", "!", "é", "\n"]) count(piece.repeat(300_000));
  assert.ok(performance.now() - started < 10_000);
});

Deno.test("short texts stay whole, long ones share what is left", () => {
  assert.equal(fairShare([], 10), Infinity);
  assert.equal(fairShare([5, 5], 10), Infinity);
  assert.equal(fairShare([1, 100, 50], 101), 50);
  assert.equal(fairShare([100, 100], 0), 0);
});
