import assert from "node:assert/strict";
import type { Declaration } from "../criterion/declaration.ts";
import type { Need } from "../criterion/needs.ts";
import {
  builtinPermissions,
  cellPermissions,
  collectPermissions,
  covers,
  loadingOnly,
  noPermissions,
  permissionFlags,
  permissionsFor,
  type Roots,
  union,
} from "./permissions.ts";
import type { WorkerPermissions } from "./protocol.ts";

const ROOTS: Roots = { workspace: "/app", tests: "/tests" };

function granting(changes: Partial<WorkerPermissions>): WorkerPermissions {
  return { ...noPermissions(), ...changes };
}

Deno.test("no permission leaves no key out: a missing one would be denied, not inherited", () => {
  assert.deepEqual(noPermissions(), {
    read: [],
    write: [],
    net: [],
    run: [],
    env: [],
    sys: false,
    ffi: false,
    import: "inherit",
  });
  assert.notEqual(noPermissions().read, noPermissions().read);
});

Deno.test("loading a file allows to read the tests folder and nothing else", () => {
  assert.deepEqual(collectPermissions(ROOTS), granting({ read: ["/tests"] }));
});

Deno.test("needs become exactly these permissions", () => {
  const table: [Need[], Partial<WorkerPermissions>][] = [
    [[], {}],
    [[{ read: "a.txt" }], { read: ["/app/a.txt"] }],
    [[{ read: "./sub/../a.txt" }], { read: ["/app/a.txt"] }],
    [[{ read: "../tests/oracle" }], { read: ["/tests/oracle"] }],
    [[{ read: "../../../etc" }], { read: ["/etc"] }],
    [[{ read: "/etc/hosts" }], { read: ["/etc/hosts"] }],
    [[{ read: "/etc/../srv//x/" }], { read: ["/srv/x"] }],
    [[{ read: "" }], { read: ["/app"] }],
    [[{ read: "." }], { read: ["/app"] }],
    [[{ read: "a,b" }], { read: ["/app/a,b"] }],
    [[{ read: true }], { read: true }],
    [[{ read: "a" }, { read: true }, { read: "b" }], { read: true }],
    [[{ read: "a" }, { read: "b" }, { read: "./a" }], { read: ["/app/a", "/app/b"] }],
    [[{ read: "a\0b" }], {}],
    [[{ env: "A\0" }, { env: "B" }], { env: ["B"] }],
    [[{ write: "out" }], { write: ["/app/out"] }],
    [[{ write: true }], { write: true }],
    [[{ net: "localhost:8000" }, { net: "example.com" }], {
      net: ["localhost:8000", "example.com"],
    }],
    [[{ net: true }], { net: true }],
    // A program is a name to be found on PATH, not a path from the workspace.
    [[{ run: "make" }, { run: "/bin/ls" }], { run: ["make", "/bin/ls"] }],
    [[{ run: true }], { run: true }],
    [[{ env: "HOME" }], { env: ["HOME"] }],
    [[{ env: true }], { env: true }],
    [
      [{ read: "a" }, { write: "b" }, { net: "c" }, { run: "d" }, { env: "E" }],
      { read: ["/app/a"], write: ["/app/b"], net: ["c"], run: ["d"], env: ["E"] },
    ],
  ];
  for (const [needs, expected] of table) {
    assert.deepEqual(
      permissionsFor([{ needs }], ROOTS),
      granting(expected),
      JSON.stringify(needs),
    );
  }
});

Deno.test("a criterion that does not say what it reads gets the workspace and the tests folder", () => {
  const read = (declarations: Parameters<typeof permissionsFor>[0]) =>
    permissionsFor(declarations, ROOTS).read;
  assert.deepEqual(read([{ needs: [], readsByDefault: true }]), ["/app", "/tests"]);
  assert.deepEqual(
    read([{ needs: [{ read: "/x" }] }, { needs: [{ run: "ls" }], readsByDefault: true }]),
    ["/x", "/app", "/tests"],
  );
  assert.equal(
    read([{ needs: [{ read: true }] }, { needs: [], readsByDefault: true }]),
    true,
  );
});

Deno.test("union() allows what either allows, and changes neither", () => {
  const left = granting({ read: ["/a"], net: true, env: false });
  const right = granting({ read: ["/b", "/a"], write: ["/w"], run: true, env: ["X"] });
  assert.deepEqual(
    union(left, right),
    granting({ read: ["/a", "/b"], write: ["/w"], net: true, run: true, env: ["X"] }),
  );
  assert.deepEqual(left, granting({ read: ["/a"], net: true, env: false }));
  assert.deepEqual(union(left, {}), granting({ read: ["/a"], net: true, env: [] }));
});

Deno.test("covers() compares paths by folder, everything else by name", () => {
  const no: [Partial<WorkerPermissions>, Partial<WorkerPermissions>][] = [
    [{}, { read: ["/a"] }],
    [{ read: ["/a"] }, { read: ["/ab"] }],
    [{ read: ["/a/b"] }, { read: ["/a"] }],
    [{ read: ["/a"] }, { read: true }],
    [{ read: ["/a"] }, { write: ["/a"] }],
    [{ read: ["/a"] }, { read: ["/a", "/b"] }],
    [{ read: false }, { read: ["/a"] }],
    [{ run: ["/bin"] }, { run: ["/bin/ls"] }],
    [{ net: ["example.com"] }, { net: ["example.com:80"] }],
    [{ env: ["A"] }, { env: ["AB"] }],
  ];
  for (const [wide, narrow] of no) {
    assert.equal(covers(granting(wide), granting(narrow)), false, JSON.stringify([wide, narrow]));
  }
  const yes: [Partial<WorkerPermissions>, Partial<WorkerPermissions>][] = [
    [{}, {}],
    [{}, { read: false }],
    [{ read: ["/a"] }, { read: ["/a", "/a/b/c"] }],
    [{ read: ["/"] }, { read: ["/a"] }],
    [{ read: true }, { read: true }],
    [{ write: true }, { write: ["/a"] }],
    [{ net: ["a", "b"], env: ["A"] }, { net: ["b"], env: ["A"] }],
  ];
  for (const [wide, narrow] of yes) {
    assert.equal(covers(granting(wide), granting(narrow)), true, JSON.stringify([wide, narrow]));
  }
});

Deno.test("loadingOnly() is the tests folder, unless the criteria may read some of it anyway", () => {
  assert.deepEqual(loadingOnly(granting({ read: ["/app"] }), ROOTS), ["/tests"]);
  assert.deepEqual(loadingOnly(granting({ read: false }), ROOTS), ["/tests"]);
  assert.deepEqual(loadingOnly(granting({ read: ["/tests2"] }), ROOTS), ["/tests"]);
  assert.deepEqual(loadingOnly(granting({ read: ["/app", "/tests"] }), ROOTS), []);
  assert.deepEqual(loadingOnly(granting({ read: true }), ROOTS), []);
  // Giving up a folder would give up the declared file in it as well.
  assert.deepEqual(loadingOnly(granting({ read: ["/tests/oracle.txt"] }), ROOTS), []);
  assert.deepEqual(loadingOnly(granting({ read: ["/"] }), ROOTS), []);
});

Deno.test("a cell gets what its Workers need: loading for authors' files, nothing for isolated ones", () => {
  const declaration = (changes: Partial<Declaration>): Declaration => ({
    index: 0,
    kind: "builtin",
    criterion: "c",
    name: "c",
    description: "",
    weight: 1,
    isolated: false,
    needs: [{ read: "a" }],
    ...changes,
  });
  const cell = (...declarations: Declaration[]) => cellPermissions(declarations, ROOTS);
  assert.deepEqual(cell(), noPermissions());
  assert.deepEqual(cell(declaration({ needs: [] })), noPermissions());
  assert.deepEqual(cell(declaration({ isolated: true })), granting({ read: ["/app/a"] }));
  assert.deepEqual(
    cell(declaration({ kind: "custom" })),
    granting({ read: ["/app/a", "/tests"] }),
  );
  assert.deepEqual(
    cell(declaration({}), declaration({ kind: "custom", isolated: true })),
    granting({ read: ["/app/a"] }),
  );
});

Deno.test("flags say nothing of what is not allowed, and the folder above a path with a comma", () => {
  assert.deepEqual(permissionFlags(noPermissions()), []);
  assert.deepEqual(
    permissionFlags(granting({
      read: ["/a b", "/srv/with,comma/x,y", "/srv/z,", "/ü"],
      write: false,
      net: ["localhost:80", "[::1]:80"],
      run: true,
      env: ["A"],
    })),
    [
      "--allow-read=/a b,/srv,/ü",
      "--allow-net=localhost:80,[::1]:80",
      "--allow-run",
      "--allow-env=A",
    ],
  );
});

Deno.test("builtinPermissions() lists files up to 64 and their folders beyond", () => {
  const reads = (count: number, path: (n: number) => string) => [{
    needs: Array.from({ length: count }, (_, n) => ({ read: path(n) })),
  }];
  const few = builtinPermissions(reads(64, (n) => `out/f${n}`), ROOTS);
  assert.equal((few.read as string[]).length, 64);
  assert.ok((few.read as string[]).includes("/app/out/f0"));
  const many = builtinPermissions(reads(65, (n) => `out/f${n}`), ROOTS);
  assert.deepEqual(many.read, ["/app/out"]);
  const spread = builtinPermissions(reads(200, (n) => `d${n}/f`), ROOTS);
  assert.deepEqual(spread.read, ["/app"]);
  const outside = builtinPermissions(reads(70, (n) => n === 0 ? "/logs/t.json" : `f${n}`), ROOTS);
  assert.deepEqual(outside.read, ["/logs/t.json", "/app"]);
});
