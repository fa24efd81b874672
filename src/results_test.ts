import assert from "node:assert/strict";
import type { Declaration } from "./criterion/declaration.ts";
import { encodeValue } from "./criterion/values.ts";
import { resultOf, resultOfUnloadable } from "./results.ts";
import type { Graded } from "./sandbox/file_run.ts";
import { noPermissions } from "./sandbox/permissions.ts";
import type { Ended } from "./sandbox/session.ts";

function declaration(index: number, name: string): Declaration {
  return {
    index,
    kind: "custom",
    criterion: name,
    name,
    description: `about ${name}`,
    weight: index + 1,
    isolated: false,
    needs: [],
  };
}

function graded(...ended: (Ended | undefined)[]): Graded {
  return { ended: ended as Ended[], permissions: {}, durationSec: 1.234567 };
}

function resultOfOne(ended: Ended | undefined) {
  const { input, errors } = resultOf("tests/a.ts", [declaration(0, "c")], [], graded(ended));
  return { criterion: input.criteria[0]!, warnings: input.warnings, errors };
}

Deno.test("a result that is too large is an error that says so", () => {
  const result = encodeValue({ score: 1, reasoning: "x".repeat(5_000_000) });
  const { errors } = resultOfOne({ result, warnings: [] });
  assert.match(errors[0]!.message, /more than 4 MiB/);
});

Deno.test("a failed submission is a score of 0 with a warning, and no error", () => {
  const { criterion, warnings, errors } = resultOfOne({
    problem: { fault: "submission", message: '"a.txt" does not exist' },
    warnings: ["odd"],
  });
  assert.deepEqual(criterion, {
    name: "c",
    weight: 1,
    description: "about c",
    value: 0,
    raw: false,
  });
  assert.deepEqual(warnings, ["c: odd", 'c: "a.txt" does not exist']);
  assert.deepEqual(errors, []);
});

Deno.test("a check that fails, or breaks its permissions, is an error with all there is to say", () => {
  for (const fault of ["check", "permission"] as const) {
    const { criterion, errors } = resultOfOne({
      problem: { fault, message: "no", hint: "do", stack: "at x" },
      warnings: [],
    });
    assert.deepEqual([criterion.value, criterion.raw, criterion.error], [0, null, "no"]);
    assert.deepEqual(errors, [
      { file: "tests/a.ts", criterion: "c", message: "no", hint: "do", stack: "at x" },
    ]);
  }
});

Deno.test("a result that nothing can be made of is an error, whoever sent it", () => {
  const unusable: [Ended | undefined, RegExp][] = [
    [undefined, /ended without a result/],
    [{ result: "no JSON", warnings: [] }, /Not an encoded value/],
    [{ result: '{"$":"map","v":3}', warnings: [] }, /Not an encoded value/],
    [{ result: "[".repeat(100_000) + "]".repeat(100_000), warnings: [] }, /Not an encoded value/],
    [{ result: encodeValue(NaN), warnings: [] }, /returned NaN/],
    [{ result: encodeValue("1"), warnings: [] }, /returned "1"/],
    [{ result: encodeValue(undefined), warnings: [] }, /returned nothing/],
    [{ result: encodeValue({ score: 1, extra: 2 }), warnings: [] }, /unknown key "extra"/],
  ];
  for (const [ended, message] of unusable) {
    const { criterion, errors } = resultOfOne(ended);
    assert.equal(criterion.value, 0);
    assert.match(criterion.error!, message);
    assert.equal(errors.length, 1);
  }
});

Deno.test("results keep their order, their warnings and the file's own", () => {
  const { input, errors } = resultOf(
    "tests/a.ts",
    [declaration(0, "first"), declaration(1, "second")],
    ["of the file"],
    {
      ...graded(
        { result: encodeValue(true), warnings: [] },
        {
          result: encodeValue({ score: 0.5, reasoning: "half", confidence: 1, model: "m" }),
          warnings: ["w"],
        },
      ),
      isolation: "copy",
    },
  );
  assert.deepEqual(errors, []);
  assert.deepEqual(input, {
    criteria: [
      { name: "first", weight: 1, description: "about first", value: 1, raw: true },
      {
        name: "second",
        weight: 2,
        description: "about second",
        value: 0.5,
        raw: 0.5,
        reasoning: "half",
        confidence: 1,
        model: "m",
      },
    ],
    warnings: ["of the file", "second: w"],
    permissions: {},
    isolation: "copy",
    duration_sec: 1.2346,
  });
});

Deno.test("the details show only permissions that were granted", () => {
  const { input } = resultOf("tests/a.ts", [], [], {
    ...graded(),
    permissions: {
      builtins: { ...noPermissions(), read: ["/app/a"], write: false },
      custom: { ...noPermissions(), net: true },
    },
  });
  assert.deepEqual(input.permissions, { builtins: { read: ["/app/a"] }, custom: { net: true } });
});

Deno.test("a file that cannot be loaded is one criterion with an error", () => {
  const problem = { fault: "check" as const, message: "SyntaxError: no", hint: "look" };
  assert.deepEqual(resultOfUnloadable("tests/a.ts", "a", problem), {
    input: {
      criteria: [{ name: "a", value: 0, raw: null, weight: 1, error: "SyntaxError: no" }],
    },
    errors: [{ file: "tests/a.ts", message: "SyntaxError: no", hint: "look" }],
  });
});
