// Python's == over the values that JSON, SQLite, CSV and XLSX hold, and math.isclose where asked for.

import { wrong } from "../../src/criterion/arguments.ts";

/**
 * How far two numbers may lie apart: an absolute distance, or `abs` and `rel` (a fraction of the
 * larger of the two magnitudes), of which the wider one counts. Each is finite and at least 0.
 */
export type Tolerance = number | { abs?: number; rel?: number };

/**
 * Refuses what is no tolerance; `undefined` is one.
 *
 * @throws {TypeError} If it is neither a number of at least 0 nor an object of such numbers.
 */
export function requireTolerance(
  criterion: string,
  value: unknown,
): asserts value is Tolerance | undefined {
  if (value === undefined || isDistance(value)) return;
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const entries = isObject ? Object.entries(value) : [];
  if (
    entries.length === 0 ||
    entries.some(([key, part]) => !["abs", "rel"].includes(key) || !isDistance(part))
  ) {
    throw wrong(
      criterion,
      "tolerance",
      value,
      "a number of at least 0, or { abs, rel } with such numbers",
    );
  }
}

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

function isDistance(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
