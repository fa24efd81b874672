import assert from "node:assert/strict";
import { requireTolerance } from "./arguments.ts";

Deno.test("requireTolerance() takes distances only", () => {
  for (const good of [undefined, 0, 0.5, { abs: 1 }, { rel: 0 }, { abs: 1, rel: 1 }]) {
    requireTolerance("jsonKeyEquals", good);
  }
  for (const bad of [-1, NaN, Infinity, "1", null, {}, [], { abs: "1" }, { abs: 1, max: 1 }]) {
    assert.throws(
      () => requireTolerance("jsonKeyEquals", bad),
      /^TypeError: jsonKeyEquals\(\) got .* for "tolerance", expected a number of at least 0/,
    );
  }
});
