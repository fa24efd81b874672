import assert from "node:assert/strict";
import { likelyAuthorWorker, likelyBuiltinsWorker, likelyWorkers } from "./ahead.ts";
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

const builtins = (source: string) => likelyBuiltinsWorker(source, ROOTS, 7);

Deno.test("built-ins that read the files they name are a guess, with just these files", () => {
  const source = `rk.fileExists("a.txt");\nrk.jsonKeyEquals("b.json", "k", 1, { weight: 2 });`;
  assert.deepEqual(builtins(source), {
    entry: "builtins",
    permissions: permissionsFor([{ needs: [{ read: "a.txt" }, { read: "b.json" }] }], ROOTS),
    setting: { workspace: "/app", maxFileBytes: 7, revoke: [] },
  });
});

Deno.test("built-ins that need anything else, or name no file, are no guess", () => {
  for (
    const call of [
      `rk.commandSucceeds("make")`,
      `rk.httpStatusEquals("http://localhost/", 200)`,
      `rk.trajectoryTurnCount(3)`,
      `rk.filesEqual("a", "b")`,
      `rk.imageSimilarity("a.png", "b.png")`,
      "rk.fileExists(name)",
      "rk.fileExists(`${name}.txt`)",
    ]
  ) {
    assert.equal(builtins(call), null, call);
    assert.equal(builtins(`rk.fileExists("a.txt"); ${call}`), null, call);
  }
  assert.equal(builtins(`rk.criterion(function f() {});`), null);
});

Deno.test("a file with both is a guess of two Workers", () => {
  const source = `rk.fileExists("a.txt"); rk.criterion(function f(workspace) { return true; });`;
  const file = { source, url: "file:///tests/a.ts" };
  assert.deepEqual(likelyWorkers(file, ROOTS, 7).map(({ entry }) => entry), ["author", "builtins"]);
});
