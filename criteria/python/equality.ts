// Python's == over the values that JSON, SQLite, CSV and XLSX hold, and math.isclose where asked for.

import type { Tolerance } from "../../src/criterion/arguments.ts";

/**
 * Whether Python would call the two equal. `true` is 1 and `false` is 0; integers are exact, also
 * against floats (a `bigint` against a `number`); NaN equals nothing; arrays, objects (or `Map`s),
 * bytes and dates are compared by content.
 *
 * @param tolerance Applied to numbers at any depth, as `math.isclose` does:
 * |a − b| ≤ max(rel · max(|a|, |b|), abs). Booleans stay exact.
 *
 * @example
 * ```ts
 * import { equals } from "./equality.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(equals({ a: [1, null] }, { a: [true, null] }), true);
 * assert.equal(equals(9007199254740993n, 9007199254740992), false);
 * assert.equal(equals([0.1 + 0.2], [0.3], 1e-9), true);
 * ```
 */
export function equals(found: unknown, expected: unknown, tolerance?: Tolerance): boolean {
  if (isNumeric(found) && isNumeric(expected)) {
    return numbersEqual(found, expected) || tolerance !== undefined &&
        isClose(found, expected, tolerance);
  }
  if (typeof found !== "object" || typeof expected !== "object") return found === expected;
  if (found === null || expected === null) return found === expected;
  if (Array.isArray(found) || Array.isArray(expected)) {
    return Array.isArray(found) && Array.isArray(expected) && found.length === expected.length &&
      found.every((item, index) => equals(item, expected[index], tolerance));
  }
  if (found instanceof Uint8Array || expected instanceof Uint8Array) {
    return found instanceof Uint8Array && expected instanceof Uint8Array &&
      bytesEqual(found, expected);
  }
  if (found instanceof Date || expected instanceof Date) {
    return found instanceof Date && expected instanceof Date &&
      found.getTime() === expected.getTime();
  }
  return mappingsEqual(found, expected, tolerance);
}

type Numeric = number | bigint | boolean;

function isNumeric(value: unknown): value is Numeric {
  return typeof value === "number" || typeof value === "bigint" || typeof value === "boolean";
}

function numbersEqual(a: Numeric, b: Numeric): boolean {
  const left = typeof a === "boolean" ? Number(a) : a;
  const right = typeof b === "boolean" ? Number(b) : b;
  // Loose on purpose: == compares a bigint with a number by their exact mathematical values.
  return left == right;
}

function isClose(a: Numeric, b: Numeric, tolerance: Tolerance): boolean {
  if (typeof a === "boolean" || typeof b === "boolean") return false;
  const { abs = 0, rel = 0 } = typeof tolerance === "number" ? { abs: tolerance } : tolerance;
  const left = Number(a);
  const right = Number(b);
  if (!Number.isFinite(left) || !Number.isFinite(right)) return false;
  const distance = typeof a === "bigint" && typeof b === "bigint"
    ? Math.abs(Number(a - b))
    : Math.abs(left - right);
  return distance <= Math.max(rel * Math.max(Math.abs(left), Math.abs(right)), abs);
}

function bytesEqual(found: Uint8Array, expected: Uint8Array): boolean {
  return found.length === expected.length &&
    found.every((byte, index) => byte === expected[index]);
}

function mappingsEqual(found: object, expected: object, tolerance?: Tolerance): boolean {
  if (size(found) !== size(expected)) return false;
  for (const [key, item] of entries(found)) {
    if (!has(expected, key) || !equals(item, get(expected, key), tolerance)) return false;
  }
  return true;
}

function size(mapping: object): number {
  return mapping instanceof Map ? mapping.size : Object.keys(mapping).length;
}

function entries(mapping: object): Iterable<[unknown, unknown]> {
  return mapping instanceof Map ? mapping : Object.entries(mapping);
}

function has(mapping: object, key: unknown): boolean {
  if (mapping instanceof Map) return mapping.has(key);
  return typeof key === "string" && Object.hasOwn(mapping, key);
}

function get(mapping: object, key: unknown): unknown {
  if (mapping instanceof Map) return mapping.get(key);
  return (mapping as Record<string, unknown>)[key as string];
}
