import assert from "node:assert/strict";
import { fillDescription, parameterNames } from "./parameters.ts";

// As V8 shows a function: its own source, types removed.
function names(source: string): (string | null)[] {
  return parameterNames(new Function(`return (${source})`)());
}

Deno.test("parameterNames() reads every form of function", () => {
  const forms: [string, (string | null)[]][] = [
    ["function () {}", []],
    ["() => 1", []],
    ["workspace => 1", ["workspace"]],
    ["async workspace => 1", ["workspace"]],
    ["async (workspace, n) => 1", ["workspace", "n"]],
    ["function named(workspace, count) {}", ["workspace", "count"]],
    ["async function named(workspace, count,) {}", ["workspace", "count"]],
    ["function* named(workspace) {}", ["workspace"]],
    ["{ method(workspace, a) {} }.method", ["workspace", "a"]],
    ["(workspace, ...rest) => 1", ["workspace", "rest"]],
    ["(workspace, { a, b }, [c, d], e) => 1", ["workspace", null, null, "e"]],
    ["(Überprüfung, $a, _b) => 1", ["Überprüfung", "$a", "_b"]],
  ];
  for (const [source, expected] of forms) assert.deepEqual(names(source), expected, source);
});

Deno.test("parameterNames() is not misled by defaults and comments", () => {
  const forms: [string, string[]][] = [
    ["(w, a = 1, b) => 1", ["w", "a", "b"]],
    ["(w, a = f(1, 2), b = [3, 4], c = { d: 5 }) => 1", ["w", "a", "b", "c"]],
    ["(w, separator = ',', b = 1) => 1", ["w", "separator", "b"]],
    [`(w, close = ")", open = "(", b = 1) => 1`, ["w", "close", "open", "b"]],
    [`(w, url = "http://localhost", b = 1) => 1`, ["w", "url", "b"]],
    ["(w, quote = '\\'', b = `,${1}(`, c = 2) => 1", ["w", "quote", "b", "c"]],
    ["(w, /* a, ( */ b, // c)\n d) => 1", ["w", "b", "d"]],
    ["function f(w /* the workspace */, n) { return '//'; }", ["w", "n"]],
  ];
  for (const [source, expected] of forms) assert.deepEqual(names(source), expected, source);
});

Deno.test("fillDescription() refuses a place that names no parameter", () => {
  const show = (position: number) => `<${position}>`;
  assert.throws(() => fillDescription("{x}", ["count", null, "y"], show), {
    name: "RangeError",
    message: "description has a place {x}; the parameters are: count, y",
  });
  assert.throws(() => fillDescription("{}", [], show), /place \{\}; the parameters are: none/);
  assert.throws(() => fillDescription("{constructor}", [], show), RangeError);
});

Deno.test("fillDescription() fills places and leaves doubled braces as braces", () => {
  const show = (position: number) => ["$&", "two"][position]!;
  assert.equal(fillDescription("{a}, {b}, {a}", ["a", "b"], show), "$&, two, $&");
  assert.equal(fillDescription('{{"k": {b}}}', ["a", "b"], show), '{"k": two}');
  assert.equal(fillDescription("{{a}}", ["a"], show), "{a}");
  assert.equal(fillDescription("no places", [], show), "no places");
});
