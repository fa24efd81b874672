// Values of check files as text: what JSON cannot hold is written as { "$": kind, v: text }.

/** Thrown for a value that has no meaning outside its Worker. */
export class UnsendableError extends Error {
  constructor(what: string) {
    super(`${what} cannot be sent between Workers`);
    this.name = "UnsendableError";
  }
}

const MAX_DEPTH = 200;

// Taken before any author's code runs: what a criterion imports from the graded work can replace
// them, and must not choose the criterion's result.
const { stringify } = JSON;
const { isFinite } = Number;
const { create, getPrototypeOf, is, keys } = Object;

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
  return stringify(toPlain(value, 0));
}

/**
 * The reverse of {@link encodeValue}.
 *
 * @throws {SyntaxError} If the text is anything else.
 */
export function decodeValue(text: string): unknown {
  try {
    return fromPlain(JSON.parse(text));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SyntaxError(`Not an encoded value: ${reason}`, { cause });
  }
}

function toPlain(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      if (isFinite(value) && !is(value, -0)) return value;
      return tagged("number", is(value, -0) ? "-0" : String(value));
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
  const prototype = getPrototypeOf(value);
  if (prototype !== null && getPrototypeOf(prototype) !== null) {
    throw new UnsendableError(`an instance of ${prototype.constructor?.name || "a class"}`);
  }
  // Without a prototype `__proto__` is a key like any other, and no `toJSON` is inherited.
  const plain: Record<string, unknown> = create(null);
  let isPlain = true;
  const names = keys(value as object);
  // By index, because iterators can be replaced as well.
  for (let at = 0; at < names.length; at++) {
    const name = names[at]!;
    if (name === "$" || name === "__proto__") isPlain = false;
    plain[name] = inner((value as Record<string, unknown>)[name]);
  }
  return isPlain ? plain : tagged("object", Object.entries(plain));
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
