import assert from "node:assert/strict";
import { parseTypeMistakes } from "./typing_mistakes.ts";

const OUTPUT =
  `TS2345 [ERROR]: Argument of type '{ a: number; }' is not assignable to parameter of type 'X'.
  Property 'b' is missing in type '{ a: number; }' but required in type 'X'.
run({
    ~
    at file:///tests/a%20b.ts:4:15

    'b' is declared here.
      b: string;
      ~
        at file:///elsewhere/x.ts:2:3

TS2307 [ERROR]: Cannot find module 'file:///tests/gone.ts'.
    at file:///tests/deep/b.ts:1:20

TS2322 [ERROR]: Type 'number' is not assignable to type 'string'.
export const limit: string = 5;
             ~~~~~
    at file:///tests-of-others/lib.ts:1:14

Found 3 errors.

error: Type checking failed.
`;

Deno.test("parseTypeMistakes() reads message and place, of what lies in the tests folder", () => {
  assert.deepEqual(parseTypeMistakes(OUTPUT, "/tests"), [
    {
      path: "/tests/a b.ts",
      line: 4,
      column: 15,
      message: "Argument of type '{ a: number; }' is not assignable to parameter of type 'X'; " +
        "Property 'b' is missing in type '{ a: number; }' but required in type 'X' (TS2345)",
    },
    {
      path: "/tests/deep/b.ts",
      line: 1,
      column: 20,
      message: "Cannot find module 'file:///tests/gone.ts' (TS2307)",
    },
  ]);
  assert.deepEqual(parseTypeMistakes("error: something else\n", "/tests"), []);
});

Deno.test("parseTypeMistakes() cuts a type that is spelled out for pages", () => {
  const output = `TS1 [ERROR]: ${"x".repeat(50_000)}.\nsource\n~\n    at file:///tests/a.ts:1:1\n`;
  const [mistake] = parseTypeMistakes(output, "/tests");
  assert.ok(mistake!.message.length < 1100);
});
