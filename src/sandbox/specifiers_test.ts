import assert from "node:assert/strict";
import { mayImport, readSources } from "./specifiers.ts";

Deno.test("readSources() reads modules and collects every spelling of Reward Kit's name", () => {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "rewardkit-test-" }));
  const files: Record<string, string> = {
    "a.ts": `import * as rk from "jsr:@rewardkit/cli@^0.1.0";`,
    "deep/er/b.mjs": `import * as rk from 'jsr:/@rewardkit/cli@1';`,
    "c.mts": `import { fileExists } from "@rewardkit/cli@2";`,
    "d.js": `import rk from "rewardkit"; import x from "@rewardkit/cli-extras"; "rewardkit'";`,
    "notes.txt": `import "@rewardkit/cli@9";`,
    "e.cjs": `require("@rewardkit/cli@8");`,
    "node_modules/x/f.ts": `import "@rewardkit/cli@7";`,
    ".git/g.ts": `import "@rewardkit/cli@6";`,
  };
  try {
    for (const [name, text] of Object.entries(files)) {
      Deno.mkdirSync(`${root}/${name}`.replace(/\/[^/]*$/, ""), { recursive: true });
      Deno.writeTextFileSync(`${root}/${name}`, text);
    }
    Deno.symlinkSync("..", `${root}/deep/loop`);
    const { texts, ownSpecifiers } = readSources(root);
    assert.deepEqual([...texts.keys()].sort(), ["a.ts", "c.mts", "d.js", "deep/er/b.mjs"]);
    assert.equal(texts.get("d.js"), files["d.js"]);
    assert.deepEqual([...ownSpecifiers].sort(), [
      "@rewardkit/cli",
      "@rewardkit/cli@2",
      "jsr:/@rewardkit/cli@1",
      "jsr:@rewardkit/cli",
      "jsr:@rewardkit/cli@^0.1.0",
      "rewardkit",
    ]);
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
});

Deno.test("readSources() of what cannot be read is empty, and always knows the three names", () => {
  const { texts, ownSpecifiers } = readSources("/no/such/folder");
  assert.equal(texts.size, 0);
  assert.deepEqual([...ownSpecifiers], ["rewardkit", "@rewardkit/cli", "jsr:@rewardkit/cli"]);
});

Deno.test("mayImport() knows a file that imports another, however it is written", () => {
  const importing = [
    `import { x } from "./shared.ts";`,
    `import {\n  x,\n} from './shared.ts';`,
    `import "./side_effect.ts";`,
    `import'./side_effect.ts';`,
    `import x from"npm:lodash";`,
    `import * as rk from "rewardkit"; import y from "../y.js";`,
    `import data from "./oracle.json" with { type: "json" };`,
    `export * from "./shared.ts";`,
    `export { x } from "./shared.ts";`,
    `const x = await import("./shared.ts");`,
    "const x = await import (`./${name}.ts`);",
    `import x from "rewardkit-extras";`,
  ];
  for (const source of importing) assert.equal(mayImport(source), true, source);
});

Deno.test("mayImport() does not count Reward Kit, which every file imports", () => {
  const alone = [
    "",
    `import * as rk from "@rewardkit/cli";`,
    `import * as rk from "jsr:@rewardkit/cli@^0.1.0";`,
    `import * as rk from 'jsr:/@rewardkit/cli@1';`,
    `import { fileExists } from "rewardkit";\nfileExists("a");`,
    `import * as rk from "rewardkit";\nrk.fileContains("import.txt", "x");`,
    `export const x = 1;\nconst from = "here";`,
  ];
  for (const source of alone) assert.equal(mayImport(source), false, source);
});

Deno.test("readSources() finds links that lead out, of the tests folder or of their own", () => {
  const root = Deno.realPathSync(Deno.makeTempDirSync());
  try {
    for (const folder of ["a/sub", "b", "a/.git"]) {
      Deno.mkdirSync(`${root}/${folder}`, { recursive: true });
    }
    Deno.symlinkSync("sub", `${root}/a/down`);
    Deno.symlinkSync("../b", `${root}/a/aside`);
    Deno.symlinkSync("/etc", `${root}/a/out`);
    Deno.symlinkSync("/etc", `${root}/a/.git/out`);
    assert.deepEqual(readSources(root).linksOut, ["a/out"]);
    const strict = [...readSources(root, "folder").linksOut].sort();
    assert.deepEqual(strict, ["a/.git/out", "a/aside", "a/out"]);
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
});
