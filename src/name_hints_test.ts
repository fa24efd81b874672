import assert from "node:assert/strict";
import { nameHint } from "./name_hints.ts";

Deno.test("nameHint() knows the names of Python, and slips", () => {
  const table: [string, string | undefined][] = [
    [
      "TypeError: rk.file_exists is not a function",
      "file_exists is its name in Python; in TypeScript it is fileExists",
    ],
    [
      "SyntaxError: The requested module 'jsr:@rewardkit/cli@^0.1' does not provide an export " +
      "named 'json_path_equals' at file:///tests/a.ts:1:10",
      "json_path_equals is its name in Python; in TypeScript it is jsonPathEquals",
    ],
    [
      "ReferenceError: file_matches is not defined", /** Not imported. */
      "file_matches is its name in Python; in TypeScript it is fileMatches",
    ],
    ["TypeError: rk.fileExsits is not a function", "Did you mean fileExists?"],
    ["TypeError: rk.file_exsits is not a function", "Did you mean fileExists?"],
    ["TypeError: list.flatten is not a function", undefined],
    [
      "SyntaxError: The requested module './a.ts' does not provide an export named 'file_exists'",
      undefined,
    ],
    ["boom", undefined],
  ];
  for (const [message, hint] of table) assert.equal(nameHint(message), hint, message);
});
