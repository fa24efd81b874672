import assert from "node:assert/strict";
import type { Tolerance } from "../../src/criterion/arguments.ts";
import { equals } from "./equality.ts";

Deno.test("equals() is Python's ==", () => {
  const bytes = new Uint8Array([1, 2]);
  const table: [unknown, unknown, boolean][] = [
    [1, 1, true],
    [1, true, true],
    [false, 0, true],
    [true, 1n, true],
    [1, "1", false],
    [null, false, false],
    [null, null, true],
    [null, undefined, false],
    ["", null, false],
    [NaN, NaN, false],
    [[NaN], [NaN], false],
    [0, -0, true],
    [Infinity, Infinity, true],
    [2n ** 53n + 1n, 2 ** 53, false],
    [2n ** 53n, 2 ** 53, true],
    [10n ** 400n, Infinity, false],
    [12345678901234567890n, 12345678901234567890n, true],
    [[], {}, false],
    [[1, 2], [2, 1], false],
    [[1, [true]], [true, [1]], true],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: null }, { b: null }, false],
    [new Map<unknown, unknown>([["a", [1]]]), { a: [1] }, true],
    [new Map<unknown, unknown>([[1, 2]]), { 1: 2 }, false],
    [JSON.parse('{"__proto__": 1}'), {}, false],
    [JSON.parse('{"toString": null}'), { valueOf: null }, false],
    [bytes, new Uint8Array([1, 2]), true],
    [bytes, [1, 2], false],
    [bytes, new Uint8Array([1, 3]), false],
    [new Date(5), new Date(5), true],
    [new Date(5), new Date(6), false],
    [new Date(5), 5, false],
    ["é", "e\u0301", false],
  ];
  for (const [found, expected, result] of table) {
    assert.equal(equals(found, expected), result);
    assert.equal(equals(expected, found), result, "the other way round");
  }
});

Deno.test("equals() applies a tolerance to numbers only", () => {
  const table: [unknown, unknown, Tolerance, boolean][] = [
    [1.05, 1, 0.1, true],
    [1.2, 1, 0.1, false],
    [1.5, 1, 0.5, true],
    [110, 100, { rel: 0.1 }, true],
    [112, 100, { rel: 0.1 }, false],
    [112, 100, { rel: 0.1, abs: 12 }, true],
    [10n ** 20n + 1n, 10n ** 20n, 1, true],
    [10n ** 20n + 2n, 10n ** 20n, 1, false],
    [[{ a: 1.01 }], [{ a: 1 }], 0.1, true],
    ["1.01", "1", 0.1, false],
    [true, 1.01, 0.1, false],
    [true, 1, 0.1, true],
    [Infinity, Infinity, 0.1, true],
    [Infinity, 1, { rel: 1 }, false],
    [NaN, NaN, 1, false],
  ];
  for (const [found, expected, tolerance, result] of table) {
    assert.equal(equals(found, expected, tolerance), result);
  }
});
