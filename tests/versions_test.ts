// Versions that stand in two places are the same.

import assert from "node:assert/strict";
import config from "../deno.json" with { type: "json" };
import { VERSION } from "../src/version.ts";

Deno.test("the version that the command line prints is the package's", () => {
  assert.equal(VERSION, config.version);
});

Deno.test("cells load the same version of a codec as a checkout does", async () => {
  const stage = await Deno.readTextFile(new URL("../src/stage.ts", import.meta.url));
  const packages = [...stage.matchAll(/"npm:\/(@?[^@"]+@[^/"]+)\/"/g)].map(([, name]) => name!);
  assert.ok(packages.length > 0);
  const pinned = Object.values(config.imports);
  for (const name of packages) assert.ok(pinned.includes(`npm:${name}`), name);
});

Deno.test("every dependency is pinned to one version", () => {
  const packages = Object.values(config.imports).filter((target) => target.startsWith("npm:"));
  for (const target of packages) assert.match(target, /^npm:@?[^@]+@\d+\.\d+\.\d+$/);
});
