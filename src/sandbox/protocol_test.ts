import assert from "node:assert/strict";
import fc from "fast-check";
import { SandboxError } from "../errors.ts";
import { parseFromCell } from "./protocol.ts";

type Data = Record<string, unknown>;

const DECLARATION = {
  index: 0,
  kind: "builtin",
  criterion: "file_exists",
  name: "file_exists:a",
  description: "a is there",
  weight: 1,
  isolated: false,
  needs: [
    { read: "a" },
    { write: true },
    { net: "localhost:1" },
    { run: "ls" },
    { env: "A" },
  ],
  readsByDefault: true,
  timeoutSec: 2.5,
  command: { command: "make", cwd: "sub", timeoutSec: 30 },
  args: '["a"]',
};

const PROBLEM = { fault: "check", message: "no", hint: "do", stack: "at x" };

/** Every kind of message, with everything that it can hold. */
const MESSAGES: readonly Data[] = [
  {
    type: "collected",
    declarations: [DECLARATION, { ...DECLARATION, index: 1, kind: "custom" }],
    warnings: ["w"],
  },
  { type: "prepared", criteria: ["a", "b"] },
  { type: "rejected", problem: PROBLEM },
  { type: "scored", index: 3, result: "true", warnings: [] },
  { type: "failed", index: 0, problem: { fault: "submission", message: "m" }, warnings: ["w"] },
  {
    type: "program",
    call: 7,
    index: 1,
    argv: ["ls", "-l"],
    options: { cwd: "sub", timeout: 5, stdin: { text: "in" } },
  },
  { type: "program", call: 0, index: 0, argv: [], options: { stdin: { base64: "AA==" } } },
  { type: "exiting", how: "Deno.exit()" },
];

const FROM_CELL: readonly Data[] = [
  ...MESSAGES.map((message) => ({ type: "message", worker: 2, message })),
  { type: "broken", worker: 0, reason: "died" },
];

/** A copy in which the value at `path` is another; `undefined` leaves it out. */
function changed(value: unknown, [key, ...rest]: readonly string[], replacement: unknown): unknown {
  if (key === undefined) return replacement;
  const copy = Array.isArray(value) ? [...value] : { ...value as Data };
  const holder = copy as Data;
  const inner = changed(holder[key], rest, replacement);
  if (inner === undefined) delete holder[key];
  else holder[key] = inner;
  return copy;
}

function refuses(value: unknown, message: RegExp): void {
  assert.throws(() => parseFromCell(value), (error: Error) => {
    assert.ok(error instanceof SandboxError, `${error.name}: ${error.message}`);
    assert.match(error.message, message);
    return true;
  });
}

Deno.test("every message of the protocol is taken as it is", () => {
  for (const message of FROM_CELL) assert.deepEqual(parseFromCell(message), message);
});

Deno.test("a field that is wrong is named", () => {
  const [collected, prepared, rejected, scored, failed, program, bytes, exiting, broken] =
    FROM_CELL;
  const declaration = "message.declarations.0.";
  const wrong: [Data, string, unknown[], string][] = [
    [broken!, "type", ["other", undefined, 1], "type"],
    [broken!, "worker", [-1, 1.5, "0", NaN, 2 ** 53, null, undefined], "worker"],
    [broken!, "reason", [1, null, undefined, ["x"]], "reason"],
    [scored!, "message", [null, [], "text", 1, undefined], "message"],
    [scored!, "message.type", ["score", "__proto__", undefined], "type"],
    [scored!, "message.index", [-1, 0.5, "0", undefined], "index"],
    [scored!, "message.result", [true, {}, undefined], "result"],
    [scored!, "message.warnings", ["w", {}, undefined], "warnings"],
    [scored!, "message.warnings.0", [1, null], "warning"],
    [failed!, "message.index", [-1], "index"],
    [failed!, "message.problem", ["no", null, [], undefined], "problem"],
    [failed!, "message.problem.fault", ["agent", undefined], "fault"],
    [failed!, "message.problem.message", [1, undefined], "message"],
    [rejected!, "message.problem.hint", [1, null], "hint"],
    [rejected!, "message.problem.stack", [{}], "stack"],
    [failed!, "message.warnings", [undefined], "warnings"],
    [prepared!, "message.criteria", ["a", undefined], "criteria"],
    [prepared!, "message.criteria.1", [null, 2], "criteria"],
    [program!, "message.call", [-1, "0", undefined], "call"],
    [program!, "message.index", [null], "index"],
    [program!, "message.argv", ["ls", undefined], "argv"],
    [program!, "message.argv.0", [1], "argv"],
    [program!, "message.options", [null, [], undefined], "options"],
    [program!, "message.options.cwd", [1], "cwd"],
    [program!, "message.options.timeout", [0, -1, Infinity, NaN, "5", null], "timeout"],
    [program!, "message.options.stdin", ["in", null], "stdin"],
    [program!, "message.options.stdin.text", [1], "stdin"],
    [bytes!, "message.options.stdin.base64", [1, undefined], "stdin"],
    [exiting!, "message.how", [1, undefined], "how"],
    [collected!, "message.declarations", [{}, undefined], "declarations"],
    [collected!, "message.declarations.0", [null, "x"], "declaration"],
    [collected!, "message.warnings", [undefined], "warnings"],
    [collected!, `${declaration}index`, [1, "0", undefined], "index"],
    [collected!, `${declaration}kind`, ["judge", undefined], "kind"],
    [collected!, `${declaration}criterion`, [1, undefined], "criterion"],
    [collected!, `${declaration}name`, [1, undefined], "name"],
    [collected!, `${declaration}description`, [1, undefined], "description"],
    [collected!, `${declaration}weight`, ["1", NaN, Infinity, null, undefined], "weight"],
    [collected!, `${declaration}needs`, [{}, undefined], "needs"],
    [collected!, `${declaration}needs.0`, [{}, { sys: true }, { ffi: "x" }], "need"],
    [collected!, `${declaration}needs.0.read`, [false, 1, null, ["a"]], "read"],
    [collected!, `${declaration}needs.3.run`, [{}], "run"],
    [collected!, `${declaration}timeoutSec`, [0, -1, null, "1"], "timeoutSec"],
    [collected!, `${declaration}command`, ["make", null], "command"],
    [collected!, `${declaration}command.command`, [1, undefined], "command"],
    [collected!, `${declaration}command.cwd`, [1], "cwd"],
    [collected!, `${declaration}command.timeoutSec`, [0, undefined], "timeoutSec"],
    [collected!, `${declaration}args`, [[], 1], "args"],
  ];
  for (const [message, path, values, field] of wrong) {
    for (const value of values) {
      const name = new RegExp(`^A cell broke the protocol: ${field} is `);
      refuses(changed(message, path.split("."), value), name);
    }
  }
  for (const value of [null, undefined, 1, "text", [], [broken]]) refuses(value, /: message is /);
});

Deno.test("what is refused is shown shortly, however deep or long it is", () => {
  const deep = JSON.parse("[".repeat(200_000) + "]".repeat(200_000));
  refuses({ type: deep, worker: 0 }, /^A cell broke the protocol: type is a list$/);
  refuses({ type: { deep }, worker: 0 }, /: type is an object$/);
  refuses({ type: "x".repeat(1e6), worker: 0 }, /^.{0,150}$/);
  refuses({ type: 1n, worker: 0 }, /: type is 1$/);
});

Deno.test("texts for people and lists of warnings are cut, data is not", () => {
  const long = "x".repeat(20_000);
  const scored = parseFromCell({
    type: "message",
    worker: 0,
    message: { type: "scored", index: 0, result: long, warnings: Array(500).fill(long) },
  });
  assert.ok(scored.type === "message" && scored.message.type === "scored");
  assert.equal(scored.message.result, long);
  assert.equal(scored.message.warnings.length, 100);
  assert.equal(scored.message.warnings[0], `${"x".repeat(10_000)}…`);
});

Deno.test("keys that the protocol does not know are left behind", () => {
  const extra = JSON.parse('{"type":"broken","worker":0,"reason":"r","__proto__":{"x":1},"y":2}');
  const parsed = parseFromCell(extra);
  assert.deepEqual(parsed, { type: "broken", worker: 0, reason: "r" });
  assert.equal((parsed as unknown as Data).x, undefined);
});

/** Paths of everything inside a value. */
function paths(value: unknown, at: string[] = []): string[][] {
  if (value === null || typeof value !== "object") return [at];
  return [at, ...Object.entries(value).flatMap(([key, inner]) => paths(inner, [...at, key]))];
}

const MUTATIONS = FROM_CELL.flatMap((message) => paths(message).map((path) => ({ message, path })));

Deno.test("whatever arrives is refused as a SandboxError or is a message of the protocol", () => {
  const interesting = fc.constantFrom<unknown>(
    ...[undefined, null, true, 0, -1, 0.5, "", "builtin", "check", [], {}, [DECLARATION], PROBLEM],
    ...MESSAGES,
  );
  // As it arrives: through JSON, where a hole in a list is null.
  const mutated = fc.tuple(fc.constantFrom(...MUTATIONS), fc.oneof(interesting, fc.jsonValue()))
    .map(([{ message, path }, value]) => JSON.stringify(changed(message, path, value)) ?? "null")
    .map((text) => JSON.parse(text));
  const anything = fc.anything({ withNullPrototype: true, withBigInt: true });
  fc.assert(
    fc.property(fc.oneof({ weight: 5, arbitrary: mutated }, anything), (value) => {
      let parsed;
      try {
        parsed = parseFromCell(value);
      } catch (error) {
        assert.ok(error instanceof SandboxError, String(error));
        return;
      }
      // What was taken is plain data of the right shape: it survives JSON and is taken again.
      assert.deepEqual(parseFromCell(JSON.parse(JSON.stringify(parsed))), parsed);
    }),
    { numRuns: 3000 },
  );
});
