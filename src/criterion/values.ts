// Values of check files as text: what JSON cannot hold is written as { "$": kind, v: text }.

/** Thrown for a value that has no meaning outside its Worker. */
export class UnsendableError extends Error {
  constructor(what: string) {
    super(`${what} cannot be sent between Workers`);
    this.name = "UnsendableError";
  }
}

const MAX_DEPTH = 200;

/**
 * Encodes a value as JSON text. Numbers keep NaN, the infinities and -0; bigint, Date, RegExp,
 * Uint8Array, Map, Set and `undefined` come back as what they were.
 *
 * @throws {UnsendableError} For functions, symbols, class instances, cycles and very deep values;
 * says what it met.
 *
 * @example
 * ```ts
 * import { decodeValue, encodeValue } from "./values.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(decodeValue(encodeValue([1n, NaN, /a/i])), [1n, NaN, /a/i]);
 * ```
 */
export function encodeValue(value: unknown): string {
  return JSON.stringify(toPlain(value, 0));
}

/** The reverse of {@link encodeValue}. Throws a SyntaxError on anything else. */
export function decodeValue(text: string): unknown {
  return fromPlain(JSON.parse(text));
}

function toPlain(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      if (Number.isFinite(value) && !Object.is(value, -0)) return value;
      return tagged("number", Object.is(value, -0) ? "-0" : String(value));
    case "bigint":
      return tagged("bigint", String(value));
    case "undefined":
      return tagged("undefined", "");
    case "function":
      throw new UnsendableError("a function");
    case "symbol":
      throw new UnsendableError("a symbol");
  }
  if (value === null) return null;
  if (depth > MAX_DEPTH) throw new UnsendableError("a cyclic or very deep value");
  const inner = (item: unknown) => toPlain(item, depth + 1);
  if (Array.isArray(value)) return value.map(inner);
  if (value instanceof Date) return tagged("date", String(value.getTime()));
  if (value instanceof RegExp) return tagged("regexp", [value.source, value.flags]);
  if (value instanceof Uint8Array) return tagged("bytes", value.toBase64());
  if (value instanceof Map) {
    return tagged("map", [...value].map(([key, item]) => [inner(key), inner(item)]));
  }
  if (value instanceof Set) return tagged("set", [...value].map(inner));
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw new UnsendableError(`an instance of ${prototype.constructor?.name || "a class"}`);
  }
  // Entries rather than a copy: `__proto__` is a key like any other.
  const entries = Object.entries(value as object).map(([key, item]) => [key, inner(item)]);
  const isPlain = entries.every(([key]) => key !== "$" && key !== "__proto__");
  return isPlain ? Object.fromEntries(entries) : tagged("object", entries);
}

function tagged(kind: string, v: unknown): { $: string; v: unknown } {
  return { $: kind, v };
}

function fromPlain(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(fromPlain);
  const kind = (value as { $?: unknown }).$;
  if (kind === undefined) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fromPlain(item)]));
  }
  return fromTagged(kind, (value as { v?: unknown }).v);
}

function fromTagged(kind: unknown, v: unknown): unknown {
  switch (kind) {
    case "number":
      return Number(v);
    case "bigint":
      return BigInt(v as string);
    case "undefined":
      return undefined;
    case "date":
      return new Date(Number(v));
    case "regexp":
      return new RegExp((v as [string, string])[0], (v as [string, string])[1]);
    case "bytes":
      return Uint8Array.fromBase64(v as string);
    case "map":
      return new Map((v as [unknown, unknown][]).map(([k, i]) => [fromPlain(k), fromPlain(i)]));
    case "set":
      return new Set((v as unknown[]).map(fromPlain));
    case "object": {
      const object: Record<string, unknown> = {};
      for (const [key, item] of v as [string, unknown][]) {
        Object.defineProperty(object, key, {
          value: fromPlain(item),
          enumerable: true,
          writable: true,
          configurable: true,
        });
      }
      return object;
    }
    default:
      throw new SyntaxError(`Unknown kind of value: ${String(kind)}`);
  }
}
