import assert from "node:assert/strict";
import { bundled, ENTRIES } from "./own_sources.ts";

const ROOT = new URL("../", import.meta.url).pathname.replace(/\/$/, "");

function lazily(path: string): string {
  return `const it = await lazily<typeof import("${path}")>(\n  "${path}",\n  import.meta.url,\n);`;
}

Deno.test("a lazy module that loads a package stays lazy, a light one is part of its importer", () => {
  const text = bundled(ROOT, "src/cli/main.ts", lazily("../report/comparison.ts"));
  assert.equal(text, 'const it = await import("../report/comparison.ts");');
  assert.equal(
    bundled(ROOT, "src/cli/main.ts", lazily("../report/listing.ts")),
    'import * as lazy0 from "../report/listing.ts";\nconst it = await Promise.resolve(lazy0);',
  );
});

Deno.test("the address of an entry is that of its file in the bundle; no other can be found", () => {
  const address = (path: string) => `new URL("${path}", import.meta.url)`;
  assert.equal(
    bundled(ROOT, "src/stage.ts", address("./sandbox/cell_main.ts")),
    address("./cell.js"),
  );
  assert.throws(() => bundled(ROOT, "src/stage.ts", address("./run.ts")), /not an entry/);
});

Deno.test("what cannot be rewritten stops the bundle", () => {
  const source = "const it = lazily<Family>(`./${name}.ts`, import.meta.url);";
  assert.throws(() => bundled(ROOT, "src/run.ts", source), /src\/run\.ts: lazily\(\)/);
});

Deno.test("every entry is a file, and has a name of its own", async () => {
  for (const path of Object.keys(ENTRIES)) assert.ok((await Deno.stat(`${ROOT}/${path}`)).isFile);
  const names = Object.values(ENTRIES);
  assert.equal(new Set(names).size, names.length);
});
