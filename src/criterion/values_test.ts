import assert from "node:assert/strict";
import fc from "fast-check";
import { decodeValue, encodeValue, UnsendableError } from "./values.ts";

/** Everything that authors may hand over, nested. */
const { value: sendable } = fc.letrec((tie) => {
  const key = fc.oneof(fc.constantFrom("$", "__proto__", "v", "constructor", ""), fc.string());
  const value = tie("value");
  return {
    value: fc.oneof(
      { maxDepth: 4, depthSize: "medium" },
      fc.string({ unit: "binary" }),
      fc.string(),
      fc.boolean(),
      fc.double(),
      fc.constantFrom(-0, NaN, Infinity, -Infinity, null, undefined),
      fc.bigInt(),
      fc.date({ noInvalidDate: false }),
      fc.constantFrom(/a/i, /\//gu, /[^]\p{L}/v, new RegExp("")),
      fc.uint8Array(),
      fc.array(value, { maxLength: 5 }),
      fc.uniqueArray(value, { maxLength: 4 }).map((items) => new Set(items)),
      fc.array(fc.tuple(value, value), { maxLength: 4 }).map((pairs) => new Map(pairs)),
      fc.array(fc.tuple(key, value), { maxLength: 4 }).map(ownEntries),
    ),
  };
});

/** `__proto__` as a property like any other, which `{}` and `fromEntries` do differently. */
function ownEntries(entries: [string, unknown][]): object {
  const object = {};
  for (const [key, value] of entries) {
    Object.defineProperty(object, key, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return object;
}

Deno.test("what is encoded comes back as it was, whatever it holds", () => {
  fc.assert(
    fc.property(sendable, (value) => {
      const decoded = decodeValue(encodeValue(value));
      assert.deepEqual(decoded, value);
    }),
    { numRuns: 400 },
  );
});

Deno.test("numbers keep what JSON loses", () => {
  for (const number of [-0, 0, NaN, Infinity, -Infinity, 5e-324, 1e21]) {
    assert.ok(Object.is(decodeValue(encodeValue(number)), number), String(number));
  }
  assert.equal(decodeValue(encodeValue(9007199254740993n)), 9007199254740993n);
});

Deno.test("keys named $ and __proto__ are data and nothing more", () => {
  const hostile = JSON.parse('{"__proto__":{"polluted":1},"$":"map","v":[]}');
  const decoded = decodeValue(encodeValue(hostile)) as Record<string, unknown>;
  assert.deepEqual(Object.keys(decoded), ["__proto__", "$", "v"]);
  assert.equal(decoded.polluted, undefined);
  assert.equal(Object.getPrototypeOf(decoded), Object.prototype);
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
});

Deno.test("what has no meaning elsewhere is refused by name", () => {
  class Answer {}
  const cycle: unknown[] = [];
  cycle.push({ cycle });
  const refused: [unknown, RegExp][] = [
    [() => {}, /^a function cannot be sent/],
    [{ deep: [class {}] }, /^a function/],
    [Symbol("s"), /^a symbol/],
    [new Map([[Symbol("s"), 1]]), /^a symbol/],
    [new Answer(), /^an instance of Answer/],
    [new Error("no"), /^an instance of Error/],
    [Promise.resolve(1), /^an instance of Promise/],
    [new WeakMap(), /^an instance of WeakMap/],
    [cycle, /^a cyclic or very deep value/],
    [Array.from({ length: 300 }).reduce<unknown>((inner) => [inner], 1), /very deep/],
  ];
  for (const [value, message] of refused) {
    assert.throws(() => encodeValue(value), (error: Error) => {
      assert.match(error.message, message);
      return error instanceof UnsendableError;
    });
  }
});

Deno.test("an object without a prototype is a plain one", () => {
  assert.deepEqual(decodeValue(encodeValue(Object.assign(Object.create(null), { a: 1 }))), {
    a: 1,
  });
});

Deno.test("text that nobody encoded is a SyntaxError and nothing else", () => {
  const tag = fc.constantFrom(
    "number",
    "bigint",
    "date",
    "regexp",
    "bytes",
    "map",
    "set",
    "object",
    "undefined",
    "other",
  );
  const forged = fc.tuple(tag, fc.jsonValue()).map(([kind, v]) => JSON.stringify([{ $: kind, v }]));
  fc.assert(
    fc.property(fc.oneof(forged, fc.json(), fc.string()), (text) => {
      try {
        decodeValue(text);
      } catch (error) {
        assert.ok(error instanceof SyntaxError, String(error));
      }
    }),
    { numRuns: 500 },
  );
  for (const text of ['{"$":"other","v":1}', '{"$":"map","v":3}', '{"$":"bigint","v":null}', ""]) {
    assert.throws(() => decodeValue(text), SyntaxError, text);
  }
  assert.throws(() => decodeValue("[".repeat(1e6) + "]".repeat(1e6)), SyntaxError);
});
