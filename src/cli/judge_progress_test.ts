import assert from "node:assert/strict";
import { JudgeProgressLines } from "./judge_progress.ts";

function shown(
  columns: number | null,
): { lines: JudgeProgressLines; text(): string; at(ms: number): void } {
  let text = "";
  let now = 0;
  const output = { write: (part: string) => text += part, columns: () => columns };
  const lines = new JudgeProgressLines(output, () => now);
  return { lines, text: () => text, at: (ms) => now = ms };
}

Deno.test("in a log, a judge says every ten seconds how far it is, and when it is done", () => {
  const { lines, text, at } = shown(null);
  lines.update("q.toml", { done: 0, total: 20, calls: 0 });
  at(5_000);
  lines.update("q.toml", { done: 3, total: 20, calls: 4 });
  assert.equal(text(), "");
  at(10_000);
  lines.update("q.toml", { done: 9, total: 20, calls: 11, costUsd: 0.25 });
  at(12_000);
  lines.update("q.toml", { done: 15, total: 20, calls: 17, costUsd: 0.5 });
  at(13_500);
  lines.update("q.toml", { done: 20, total: 20, calls: 22, costUsd: 0.75 });
  assert.equal(
    text(),
    "judge q.toml: 9 of 20 judgements, 11 calls, $0.2500, 10.0 s\n" +
      "judge q.toml: 20 judgements, 22 calls, $0.7500, 13.5 s\n",
  );
});

Deno.test("on a terminal, one line changes and never wraps", () => {
  const { lines, text, at } = shown(30);
  lines.update("quality.toml", { done: 0, total: 2, calls: 0 });
  const first = "judge quality.toml: 0 of 2 ju";
  assert.equal(text(), first);
  at(1_000);
  lines.update("quality.toml", { done: 2, total: 2, calls: 2 });
  const gone = "\r\x1b[K";
  assert.equal(text(), `${first}${gone}judge quality.toml: 2 judgements, 2 calls, 1.0 s\n`);
});

Deno.test("the changing line makes room for other lines", () => {
  const { lines, text } = shown(80);
  lines.clear();
  assert.equal(text(), "");
  lines.update("a.toml", { done: 0, total: 1, calls: 0 });
  lines.update("b.toml", { done: 0, total: 1, calls: 0 });
  assert.match(text(), /judge a\.toml: 0 of 1 judgement, 0 calls, 0\.0 s \(and 1 more\)$/);
  lines.clear();
  assert.ok(text().endsWith("\r\x1b[K"));
});
