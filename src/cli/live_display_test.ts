import assert from "node:assert/strict";
import type { RunEvent } from "../events.ts";
import { LiveDisplay } from "./live_display.ts";

/** A display whose clock and size a test sets. */
function display(columns = 80, rows = 24) {
  let text = "";
  let now = 0;
  const size = { columns, rows };
  const terminal = { write: (part: string) => text += part, size: () => size, colours: false };
  const live = new LiveDisplay(terminal, { startedAt: 0 }, () => now);
  const files = [{ file: "tests/a.ts", kind: "programmatic" as const }];
  const events: RunEvent[] = [
    { type: "discovered", testsDir: "tests", files },
    { type: "planned", testsDir: "tests", files: [{ ...files[0]!, criteria: ["first"] }] },
    { type: "fileStarted", file: "tests/a.ts" },
    { type: "criterionStarted", file: "tests/a.ts", index: 0, criterion: "first" },
  ];
  for (const event of events) live.event(event);
  return {
    live,
    size,
    at: (ms: number) => now = ms,
    /** What was written since the last call. */
    written: () => {
      const part = text;
      text = "";
      return part;
    },
  };
}

const ERASE_BELOW = "\x1b[K\x1b[C\x1b[0J\r";

const FILE = "a.ts  1 of 1 left";

Deno.test("a short run shows nothing, and has nothing to take away", () => {
  const { live, at, written } = display();
  live.draw();
  at(299);
  live.draw();
  live.close();
  assert.equal(written(), "");
});

Deno.test("lines are written over and taken away, and the cursor never leaves them", () => {
  const { live, at, written } = display();
  at(300);
  live.draw();
  const first = written();
  assert.ok(first.startsWith("\r\x1b[?7l⠸ a.ts"));
  assert.ok(first.includes(FILE));
  assert.ok(first.endsWith("\x1b[0J\r\x1b[?7h"), JSON.stringify(first));
  at(400);
  live.draw();
  assert.ok(written().startsWith("\r\x1b[1A\x1b[?7l⠼"));
  live.clear();
  assert.equal(written(), `\r\x1b[1A${ERASE_BELOW}`);
  live.clear();
  assert.equal(written(), "");
  live.draw();
  assert.ok(written().startsWith("\r\x1b[?7l"));
  live.close();
  assert.equal(written(), `\r\x1b[1A${ERASE_BELOW}`);
});

Deno.test("lines that a narrower terminal has wrapped are taken away whole", () => {
  const { live, size, at, written } = display(80);
  at(1000);
  live.draw();
  const [line] = written().split("\r\n");
  // deno-lint-ignore no-control-regex
  const { length } = line!.replace(/\x1b\[[?0-9]*[a-zA-Z]|\r/g, "");
  size.columns = 10;
  live.clear();
  assert.equal(written(), `\r\x1b[${Math.ceil(length / 10)}A${ERASE_BELOW}`);
});

Deno.test("a size that is not known, or none, is taken for a usual one", () => {
  const { live, size, at, written } = display();
  size.columns = size.rows = 0;
  at(1000);
  live.draw();
  assert.ok(written().includes(`${FILE}, 1 s, first`));
});
