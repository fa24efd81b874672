import assert from "node:assert/strict";
import { fewFiles } from "./few_files.ts";

const PARTS = {
  "/made/a.js": `import { shared } from "./shared.js";
    export const ours = () => import("./ours.js"), theirs = () => import("./theirs.js");
    export { shared }; export { join } from "node:path";`,
  "/made/b.js": `import "./a.js"; export const b = true;`,
  "/made/shared.js": `export const shared = { count: 0 };`,
  "/made/ours.js": `import { shared } from "./shared.js"; import { tiny } from "./tiny.js";
    export const count = () => shared.count += tiny;`,
  "/made/theirs.js": `import { tiny } from "./tiny.js"; export const theirs = tiny;`,
  "/made/tiny.js": `export const tiny = 1;`,
};

const parts = new Map(Object.entries(PARTS));
const entries = ["/made/a.js", "/made/b.js"];
const files = await fewFiles(parts, entries, { prefix: "part", hidesLazy: true });

Deno.test("entries keep their names, what all have loaded is in no file of its own", () => {
  assert.deepEqual([...files.keys()].filter((name) => !name.startsWith("part-")).sort(), [
    "a.js",
    "b.js",
  ]);
  // Both lazy modules, and perhaps what they share: not what is loaded when they are asked for.
  assert.ok(files.size <= 5, [...files.keys()].join());
});

Deno.test("lazy modules are hidden from Deno's graph, if it is asked for", async () => {
  const text = files.get("a.js")!;
  assert.equal(text.match(/import\(new URL\("\.\/part-/g)?.length, 2, text);
  assert.equal(text.match(/import\(["']/g), null, text);
  const open = await fewFiles(parts, entries, { prefix: "part", hidesLazy: false });
  assert.equal(open.get("a.js")!.match(/import\(["']\.\/part-/g)?.length, 2);
});

Deno.test("what was split shares what it shared", async () => {
  const folder = await Deno.makeTempDir({ prefix: "rewardkit-test-" });
  try {
    for (const [name, text] of files) await Deno.writeTextFile(`${folder}/${name}`, text);
    const { shared, ours, theirs } = await import(`${folder}/a.js`);
    (await ours()).count();
    assert.equal(shared.count, 1);
    assert.equal((await theirs()).theirs, 1);
    assert.equal((await import(`${folder}/b.js`)).b, true);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
