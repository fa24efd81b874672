import assert from "node:assert/strict";
import fc from "fast-check";
import { decodeValue, encodeValue } from "../../src/criterion/values.ts";
import type { Declaration } from "../../src/criterion/declaration.ts";
import { resultOf } from "../../src/results.ts";
import { damaged, textSamples } from "./damage.ts";
import { isolatedTest } from "./isolated.ts";
import { tries, within } from "./runs.ts";

const LIMITS = { limitSec: 60, maxMib: 900 };

const VALUES = [
  [1, -0, NaN, Infinity, "text", true, null, undefined],
  [10n ** 30n, new Date(0), /a+/giu, new Uint8Array([1, 2, 3])],
  new Map<unknown, unknown>([[1, new Set(["a", [2]])], ["b", { $: 1, "__proto__x": 2 }]]),
  { score: 0.5, reasoning: "because", confidence: 1 },
  JSON.parse('{"__proto__": {"a": 1}, "b": [[[{"c": {}}]]]}'),
];

const WORDS = [
  ...['"$":', '"v":', '{"$":"map","v":[', '"object"', '"bigint"', '"regexp"', '"bytes"', '"set"'],
  ...['"__proto__":', "[", "]", "{", "}", "null", "1e999", "\\ud800", "[".repeat(3000), '"', ","],
];

/** A value, or a SyntaxError: nobody encoded that. */
function decoded(text: string): unknown {
  try {
    return decodeValue(text);
  } catch (error) {
    assert.ok(error instanceof SyntaxError, String(error));
  }
}

isolatedTest(import.meta.url, "a damaged value decodes, or is a SyntaxError", LIMITS, async () => {
  const samples = textSamples(VALUES.map(encodeValue));
  await fc.assert(
    fc.asyncProperty(damaged(samples, WORDS), async ({ bytes }) => {
      const text = new TextDecoder().decode(bytes);
      const value = await within(2, () => decoded(text));
      assert.equal(({} as Record<string, unknown>).a, undefined, "no prototype was changed");
      if (typeof value !== "object" || value === null) return;
      const prototypes = [Array, Object, Date, RegExp, Uint8Array, Map, Set].map((c) =>
        c.prototype
      );
      assert.ok(prototypes.includes(Object.getPrototypeOf(value)));
    }),
    tries(3300),
  );
});

isolatedTest(
  import.meta.url,
  "a value that is made to be slow or large is decoded soon",
  LIMITS,
  async () => {
    const million = (text: string) => text.repeat(1_000_000);
    const tagged = (kind: string, v: string) => `{"$":"${kind}","v":${v}}`;
    const texts = [
      "[".repeat(5_000_000),
      "[".repeat(5_000_000) + "]".repeat(5_000_000),
      '{"$":"set","v":['.repeat(100_000) + "]}".repeat(100_000),
      tagged("map", `[${million("[1,1],")}[1,1]]`),
      tagged("regexp", `["${"(?:".repeat(500_000)}",""]`),
      tagged("regexp", `["${"(a*)*".repeat(200_000)}","v"]`),
      tagged("bytes", `"${million("AAAA")}"`),
      tagged("date", `"${million("9")}"`),
      tagged("number", `"${million("9")}"`),
    ];
    for (const text of texts) await within(10, () => decoded(text));
  },
);

/** What the coordinator makes of a result, which a stranger's cell may have made up. */
function problemOf(result: string): string | undefined {
  const declaration: Declaration = {
    ...{ index: 0, kind: "custom", criterion: "c", name: "c", description: "", weight: 1 },
    ...{ isolated: false, needs: [] },
  };
  const ended = [{ result, warnings: [] }];
  const graded = { ended, permissions: {}, durationSec: 0 };
  return resultOf("a.ts", [declaration], [], graded).errors[0]?.message;
}

isolatedTest(
  import.meta.url,
  "a result that takes long or much to decode is an error",
  LIMITS,
  async () => {
    const tagged = (text: string) => `{"$":"bigint","v":"${text}"}`;
    const results = [
      tagged("9".repeat(30_000_000)),
      tagged("9".repeat(4_000_000)),
      `[${"[],".repeat(15_000_000)}1]`,
      `[${"[],".repeat(1_300_000)}1]`,
      "[".repeat(4_000_000),
    ];
    for (const result of results) assert.ok(await within(5, () => problemOf(result)));
  },
);
