import assert from "node:assert/strict";
import fc from "fast-check";
import { round4 } from "./round.ts";

/** Every double is an integer times a power of two; this finds both. */
function exact(x: number): { integer: bigint; exponent: bigint } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const biased = (bits >> 52n) & 0x7ffn;
  const fraction = bits & ((1n << 52n) - 1n);
  const integer = biased === 0n ? fraction : fraction | (1n << 52n);
  return { integer: x < 0 ? -integer : integer, exponent: (biased === 0n ? 1n : biased) - 1075n };
}

/** round(x, 4) on whole numbers: the decimal with four digits that is nearest, ties to even. */
function roundExactly(x: number): number {
  const { integer, exponent } = exact(x);
  if (exponent >= 0n) return x;
  const divisor = 1n << -exponent;
  const scaled = (integer < 0n ? -integer : integer) * 10_000n;
  let quotient = scaled / divisor;
  const twice = (scaled % divisor) * 2n;
  if (twice > divisor || (twice === divisor && quotient % 2n === 1n)) quotient++;
  const digits = quotient.toString().padStart(5, "0");
  return Number(`${integer < 0n ? "-" : ""}${digits.slice(0, -4)}.${digits.slice(-4)}`) + 0;
}

Deno.test("round4() rounds as Python does", () => {
  const recorded: [number, number][] = [
    [0.12345, 0.1235],
    [2.5 / 10_000, 0.0003],
    [0.03125, 0.0312],
    [0.09375, 0.0938],
    [0.15625, 0.1562],
    [-0.03125, -0.0312],
    [-0.09375, -0.0938],
    [1.00005, 1.0001],
    [0.79996, 0.8],
    [0.99995, 1],
    [0.999949999, 0.9999],
    [1e-12, 0],
    [1e22, 1e22],
    [1.5e308, 1.5e308],
    [12345678.03125, 12345678.0312],
  ];
  for (const [x, expected] of recorded) assert.equal(round4(x), expected, String(x));
});

Deno.test("round4() has no minus zero, and keeps what is no number", () => {
  assert.ok(Object.is(round4(-0.00001), 0));
  assert.ok(Object.is(round4(-0), 0));
  assert.equal(round4(Infinity), Infinity);
  assert.ok(Number.isNaN(round4(NaN)));
});

Deno.test("round4() agrees with exact arithmetic on any number", () => {
  fc.assert(
    fc.property(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      (x) => assert.equal(round4(x), roundExactly(x)),
    ),
    { numRuns: 5000 },
  );
});

Deno.test("round4() agrees with exact arithmetic between 0 and 1", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, noNaN: true }),
      (x) => assert.equal(round4(x), roundExactly(x)),
    ),
    { numRuns: 5000 },
  );
});

Deno.test("round4() agrees with exact arithmetic on and beside ties", () => {
  fc.assert(
    fc.property(fc.integer({ min: -(2 ** 45), max: 2 ** 45 }), (thirtySeconds) => {
      const tie = thirtySeconds / 32;
      const beside = tie + tie * Number.EPSILON;
      assert.equal(round4(tie), roundExactly(tie));
      assert.equal(round4(beside), roundExactly(beside));
    }),
    { numRuns: 5000 },
  );
});
