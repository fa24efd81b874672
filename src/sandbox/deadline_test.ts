import assert from "node:assert/strict";
import { deadline } from "./deadline.ts";

Deno.test("a limit longer than any timer does not pass at once", async () => {
  let passed = 0;
  const timers = [1e7, 1e300, Number.MAX_VALUE].map((seconds) => deadline(seconds, () => passed++));
  await new Promise((resolve) => setTimeout(resolve, 30));
  timers.forEach(clearTimeout);
  assert.equal(passed, 0);
});

Deno.test("a short limit passes when its time is up, and not if it is cleared", async () => {
  const start = performance.now();
  clearTimeout(deadline(0.005, () => assert.fail("was cleared")));
  await new Promise<void>((resolve) => deadline(0.03, resolve));
  assert.ok(performance.now() - start >= 29);
});
