import assert from "node:assert/strict";
import { median, slope } from "./statistics.ts";

Deno.test("median() is the middle, or the mean of the two in the middle", () => {
  assert.equal(median([9, 1, 5]), 5);
  assert.equal(median([4, 1, 2, 100]), 3);
  assert.equal(median([10, 9]), 9.5);
  assert.throws(() => median([]), RangeError);
});

Deno.test("slope() is not moved by a disturbed run", () => {
  const points = [1, 1, 25, 100, 250, 400].map((x) => ({ x, y: 0.2 + 0.015 * x }));
  points[3] = { x: 100, y: 9 };
  assert.ok(Math.abs(slope(points) - 0.015) < 1e-9);
});

Deno.test("slope() needs two sizes", () => {
  assert.throws(() => slope([{ x: 1, y: 1 }, { x: 1, y: 2 }]), RangeError);
});
