import assert from "node:assert/strict";
import { mountsBelow } from "./mounts.ts";

const line = (point: string) => `36 35 98:0 / ${point} rw,noatime shared:1 - ext4 /dev/root rw\n`;

Deno.test("mountsBelow() gives paths from the folder, outer ones first, each once", () => {
  const text = ["/", "/app/data/deep", "/app/data", "/app", "/application", "/app/data"].map(line);
  assert.deepEqual(mountsBelow("/app", text.join("")), ["data", "data/deep"]);
  assert.deepEqual(mountsBelow("/", line("/") + line("/proc")), ["proc"]);
  assert.deepEqual(mountsBelow("/none", text.join("")), []);
});

Deno.test("mountsBelow() reads blanks, line ends, backslashes and letters beyond ASCII", () => {
  const text = line("/a\\040b/c\\012d") + line("/a\\040b/e\\134f") + line("/a\\040b/ü");
  assert.deepEqual(mountsBelow("/a b", text), ["ü", "c\nd", "e\\f"]);
});

Deno.test("mountsBelow() reads what the system says of this process", () => {
  assert.ok(mountsBelow("/").includes("proc"));
});
