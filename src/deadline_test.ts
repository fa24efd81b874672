import assert from "node:assert/strict";
import { deadline } from "./deadline.ts";

Deno.test("a limit longer than any timer does not pass at once", async () => {
  let passed = 0;
  const timers = [1e7, 1e300, Number.MAX_VALUE].map((seconds) => deadline(seconds, () => passed++));
  await new Promise((resolve) => setTimeout(resolve, 30));
  timers.forEach((timer) => timer.cancel());
  assert.equal(passed, 0);
});

Deno.test("a short limit passes when its time is up, and not if it is cancelled", async () => {
  const start = performance.now();
  deadline(0.005, () => assert.fail("was cancelled")).cancel();
  // The limit alone would not keep the process alive.
  const other = setTimeout(() => {}, 1000);
  await new Promise<void>((resolve) => deadline(0.03, resolve));
  clearTimeout(other);
  assert.ok(performance.now() - start >= 29);
});
