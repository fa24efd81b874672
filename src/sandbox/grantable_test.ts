import assert from "node:assert/strict";
import type { Declaration } from "../criterion/declaration.ts";
import type { Need } from "../criterion/needs.ts";
import { ungrantable } from "./grantable.ts";

function declaring(needs: Need[], kind: Declaration["kind"] = "custom"): Declaration[] {
  const rest = { description: "", weight: 1, isolated: false, criterion: "c", name: "c" };
  return [{ index: 0, kind, needs, ...rest }];
}

const many = (count: number, thing: (at: number) => Need) =>
  Array.from({ length: count }, (_, at) => thing(at));

Deno.test("what a file usually declares can be granted", () => {
  const needs: Need[] = [{ read: "a" }, { write: true }, { net: "a:1" }, { run: "ls" }, {
    env: "A",
  }];
  assert.equal(ungrantable(declaring(needs)), null);
  assert.equal(ungrantable(declaring(many(9000, () => ({ read: "the same" })))), null);
  assert.equal(ungrantable(declaring(many(9000, (at) => ({ read: `${at}` })), "builtin")), null);
});

Deno.test("what no process can be started with is told", () => {
  const told = (needs: Need[], message: RegExp, kind?: Declaration["kind"]) =>
    assert.match(ungrantable(declaring(needs, kind))!, message);
  told([{ env: "" }], /declares env: "", which there cannot be/);
  told([{ env: "A=B" }], /env: "A=B"/);
  told([{ run: "a\0b" }], /run: "a\\u0000b"/);
  told(many(401, (at) => ({ write: `${at}` })), /401 different things to write/);
  told([{ read: "x".repeat(60_000) }], /1 different things to read/);
  told(many(401, (at) => ({ net: `h${at}` })), /401 different things to net/, "builtin");
});
