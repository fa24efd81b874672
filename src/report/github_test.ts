import assert from "node:assert/strict";
import { annotations, summaryText, withoutCommands } from "./github.ts";

Deno.test("errors, failed criteria and the rewards become commands, paths from the repository", () => {
  const failed = [{
    file: "/repo/tests/a.ts",
    index: 0,
    criterion: "file_contains:a.txt",
    score: 0,
    expected: "x",
    found: "y",
  }];
  const errors = [{ file: "/repo/tests/b.ts", message: "no", hint: "do" }];
  assert.deepEqual(annotations({ rewards: { reward: 0.5 }, errors, failed }, "/repo"), [
    "::error file=tests/b.ts::no%0Ado",
    "::warning file=tests/a.ts,title=file_contains%3Aa.txt scored 0::expected  x%0Afound     y",
    "::notice title=Reward::reward: 0.5",
  ]);
});

Deno.test("no text can end a command or begin another", () => {
  const hostile = "a\r\n::error file=x::y\n##[error]z%0A\x1b[31m\u2028,title=b:c";
  const lines = annotations({
    rewards: { [hostile]: 1 },
    errors: [{ file: hostile, criterion: hostile, message: hostile, hint: hostile }],
    failed: [{ file: hostile, index: 0, criterion: hostile, score: 0, reasoning: hostile }],
  });
  assert.equal(lines.length, 3);
  for (const line of lines) {
    // deno-lint-ignore no-control-regex
    assert.doesNotMatch(line, /[\x00-\x1f\u2028]/);
    assert.match(line, /^::(error|warning|notice) [^:]*::/);
    assert.ok(line.includes("%250A"), "a percent sign stays one");
  }
  const [, properties] = /^::error (.*?)::/.exec(lines[0]!)!;
  assert.equal(properties!.split(",").length, 2);
});

Deno.test("no more are made than GitHub shows", () => {
  const errors = Array.from({ length: 30 }, () => ({ file: "a.ts", message: "no" }));
  const failed = errors.map(() => ({ file: "a.ts", index: 0, criterion: "c", score: 0 }));
  assert.equal(annotations({ rewards: null, errors, failed }).length, 20);
});

Deno.test("a summary is code, whatever it holds", () => {
  assert.equal(summaryText("a\n```\n# b"), "````text\na\n```\n# b\n````\n");
  assert.deepEqual(withoutCommands("t"), { before: "::stop-commands::t", after: "::t::" });
});
