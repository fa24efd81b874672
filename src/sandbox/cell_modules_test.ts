import assert from "node:assert/strict";
import { parentOf, resolvePath } from "../path.ts";

const ROOT = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");
const LAZY_REGEXP = /"(\.[^"]+\.ts)",\s*import\.meta\.url/g;
const IMPORT_REGEXP = /\bimport\("([^"]+)"\)/g;

/** Needs a package, which is got when a JPEG is decoded. */
const LEFT_OUT = ["criteria/images/decode.ts"];

async function targets(file: string, regexp: RegExp): Promise<string[]> {
  const source = await Deno.readTextFile(`${ROOT}/${file}`);
  return [...source.matchAll(regexp)].map(([, it]) =>
    resolvePath(`/${parentOf(file)}`, it!).slice(1)
  );
}

Deno.test("every module that a cell loads when it needs it is named", async () => {
  const needed = new Set(await targets("src/sandbox/cell_main.ts", LAZY_REGEXP));
  for (const worker of [...needed]) assert.match(worker, /_worker\.ts$/);
  for (const target of await targets("src/sandbox/builtin_checks.ts", LAZY_REGEXP)) {
    needed.add(target);
  }
  for (const { name } of Deno.readDirSync(`${ROOT}/criteria`)) {
    if (!name.endsWith(".ts") || name.endsWith("_test.ts")) continue;
    for (const target of await targets(`criteria/${name}`, LAZY_REGEXP)) needed.add(target);
  }
  assert.ok(needed.size > 20);
  const named = await targets("src/sandbox/cell_modules.ts", IMPORT_REGEXP);
  assert.deepEqual(
    [...needed].filter((file) => !named.includes(file)).sort(),
    LEFT_OUT,
  );
  for (const file of named) assert.ok((await Deno.stat(`${ROOT}/${file}`)).isFile);
});
