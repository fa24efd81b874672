import assert from "node:assert/strict";
import { likelyAuthorWorker } from "./ahead.ts";
import { permissionsFor } from "./permissions.ts";

const ROOTS = { workspace: "/app", tests: "/tests" };
const guess = (source: string) => likelyAuthorWorker(source, "file:///tests/a.ts", ROOTS, 7);

Deno.test("a file without criteria of its own, or that declares permissions, is no guess", () => {
  assert.equal(guess(`rk.fileExists("a.txt");`), null);
  for (const option of ["read", "write", "run", "net", "env"]) {
    assert.equal(guess(`rk.criterion({ ${option}: ["x"] }, function f() {});`), null);
  }
  assert.equal(guess(`f({ isolated: true }); rk.criterion(f)`), null);
});

Deno.test("the guess is what a criterion without declarations gets, and no more", () => {
  assert.deepEqual(guess(`rk.criterion(function f(workspace) { return true; });`), {
    entry: "author",
    permissions: permissionsFor([{ needs: [], readsByDefault: true }], ROOTS),
    setting: { workspace: "/app", maxFileBytes: 7, revoke: [], file: "file:///tests/a.ts" },
  });
});
