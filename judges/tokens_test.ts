import assert from "node:assert/strict";
import { estimateTokens, fairShare, loadTokenizer } from "./tokens.ts";

Deno.test("the estimate is no smaller than the count for ordinary texts", async () => {
  const tokenizer = await loadTokenizer();
  const texts = [
    Deno.readTextFileSync(new URL("../README.md", import.meta.url)),
    Deno.readTextFileSync(new URL("./guard.ts", import.meta.url)),
    "判断这个提交是否满足标准。".repeat(50),
    "1234567890".repeat(100),
  ];
  for (const text of texts) {
    const [estimate, count] = [estimateTokens(text), tokenizer.count(text)];
    assert.ok(estimate >= count, `${estimate} for ${count}: ${text.slice(0, 20)}`);
    assert.ok(estimate < count * 4);
  }
});

Deno.test("a cut text has the tokens it may have, its beginning, its end and a mark", async () => {
  const { count, cut } = await loadTokenizer();
  const text = `START ${"some words in between ".repeat(500)}END`;
  for (const most of [20, 50, 500, 1999]) {
    const shown = cut(text, most);
    assert.ok(count(shown) <= most, `${count(shown)} of ${most}`);
    assert.match(shown, /^START [^]*\[… \d+ tokens left out …\][^]*END$/);
  }
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
