import assert from "node:assert/strict";
import posix from "node:path/posix";
import fc from "fast-check";
import {
  fileUrl,
  isAbsolute,
  isWithin,
  nameOf,
  normalize,
  parentOf,
  pathOfFileUrl,
  resolvePath,
} from "./path.ts";

const part = fc.constantFrom("a", "b.txt", "..", ".", "", " ", "...", ".hidden", "ä", "..c");
const relative = fc.array(part, { maxLength: 8 }).map((parts) => parts.join("/"))
  .filter((path) => !path.startsWith("/"));
const absolute = relative.map((path) => `/${path}`);
const anyPath = fc.oneof(relative, absolute);

Deno.test("normalize() agrees with node:path, but for a trailing slash", () => {
  fc.assert(fc.property(anyPath, (path) => {
    const expected = posix.normalize(path);
    assert.equal(normalize(path), expected.replace(/(?<=.)\/$/, ""));
  }));
  assert.equal(normalize("/../.."), "/");
  assert.equal(normalize("../../a/.."), "../..");
  assert.equal(normalize(""), ".");
});

Deno.test("resolvePath() agrees with node:path", () => {
  fc.assert(fc.property(absolute, anyPath, (base, path) => {
    assert.equal(resolvePath(base, path), posix.resolve(base, path));
  }));
  assert.equal(resolvePath("/app", "/etc/passwd"), "/etc/passwd");
  assert.equal(resolvePath("/app", "../etc"), "/etc");
});

Deno.test("parentOf(), nameOf() and isAbsolute() agree with node:path on normal paths", () => {
  fc.assert(fc.property(anyPath.map(normalize), (path) => {
    assert.equal(parentOf(path), posix.dirname(path));
    assert.equal(nameOf(path), posix.basename(path));
    assert.equal(isAbsolute(path), posix.isAbsolute(path));
  }));
});

Deno.test("isWithin() does not take a longer name for a path below", () => {
  assert.equal(isWithin("/app2", "/app"), false);
  assert.equal(isWithin("/ap", "/app"), false);
  assert.equal(isWithin("/", "/app"), false);
  assert.equal(isWithin("/app", "/app"), true);
  assert.equal(isWithin("/app/x", "/app"), true);
  assert.equal(isWithin("/app", "/"), true);
  const normal = absolute.map(normalize);
  fc.assert(fc.property(normal, normal, (path, folder) => {
    const between = posix.relative(folder, path);
    const isOutside = between === ".." || between.startsWith("../");
    assert.equal(isWithin(path, folder), !isOutside);
  }));
});

Deno.test("fileUrl() and pathOfFileUrl() undo each other for every name", () => {
  // Lone surrogates are no file names that Deno can hand out.
  const name = fc.string({ unit: "binary", minLength: 1, maxLength: 12 })
    .filter((text) => !/[/\0]/.test(text) && text !== "." && text !== "..");
  fc.assert(fc.property(fc.array(name, { maxLength: 4 }), (names) => {
    const path = `/${names.join("/")}`;
    assert.equal(pathOfFileUrl(fileUrl(path)), path);
    assert.equal(new URL(fileUrl(path)).href.includes("#"), false);
  }));
  assert.equal(fileUrl("/a b/ü#?.ts"), "file:///a%20b/%C3%BC%23%3F.ts");
});
