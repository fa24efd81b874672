import assert from "node:assert/strict";
import { agreementOf, medianSample } from "./samples.ts";

Deno.test("the middle sample counts; of two, the lower or the upper", () => {
  const of = (values: number[], middle: "lower" | "upper") =>
    medianSample(values.map((value) => ({ value })), middle).value;
  assert.equal(of([1, 0, 0.5], "lower"), 0.5);
  assert.equal(of([1, 0], "lower"), 0);
  assert.equal(of([1, 0], "upper"), 1);
  assert.equal(of([0.25, 1, 0, 0.75], "lower"), 0.25);
  assert.equal(of([0.25, 1, 0, 0.75], "upper"), 0.75);
  assert.throws(() => of([], "lower"));
});

Deno.test("agreement is 1 less the mean distance from the lower median", () => {
  const cases: [number[], number][] = [
    [[0, 1, 1], 2 / 3],
    [[0.25, 0.5, 1], 0.75],
    [[0.25, 1], 0.625],
    [[0, 0.25, 0.75, 1], 0.625],
    [[0.1, 0.2, 0.3, 0.9, 1], 0.68],
    [[1], 1],
  ];
  for (const [values, agreement] of cases) {
    assert.ok(Math.abs(agreementOf(values) - agreement) < 1e-12, `${values}`);
  }
});
