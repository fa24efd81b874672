import assert from "node:assert/strict";
import * as checks from "../../checks.ts";
import { checksOf } from "../sandbox/builtin_checks.ts";
import { BUILTIN_NAMES, functionNameOf } from "./builtin.ts";

Deno.test("functionNameOf() is what authors call", () => {
  assert.equal(functionNameOf("file_exists"), "fileExists");
  assert.equal(functionNameOf("command_output_matches_regex"), "commandOutputMatchesRegex");
  assert.equal(functionNameOf("diff"), "diff");
});

Deno.test("the names are those of the functions that check files get, no more and no less", () => {
  const functions = Object.entries(checks)
    .filter(([name, value]) => typeof value === "function" && /^[a-z]/.test(name))
    .map(([name]) => name)
    .filter((name) => name !== "criterion");
  assert.deepEqual(functions.sort(), BUILTIN_NAMES.map(functionNameOf).sort());
  assert.equal(new Set(BUILTIN_NAMES).size, BUILTIN_NAMES.length);
});

Deno.test("each name has a check that computes it", async () => {
  await assert.rejects(checksOf("file_frobnicates"), /no built-in criterion file_frobnicates/);
  for (const name of BUILTIN_NAMES) assert.equal(typeof await checksOf(name), "function", name);
});
