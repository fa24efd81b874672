// Every example of the documentation is tried as it stands there.

import assert from "node:assert/strict";
import { API_FILE, apiReference } from "../tools/api_reference.ts";
import { SCENARIOS, SUBJECTS } from "./attacks/all.ts";
import { Stage, stepsOf } from "./docs/scene.ts";

const DOCS = new URL("../docs/", import.meta.url);
const pages = [...Deno.readDirSync(DOCS)].map(({ name }) => name).filter((name) =>
  name.endsWith(".md")
).sort();

// Its examples are those of the sources, which `deno test --doc` tries.
for (const page of pages.filter((page) => page !== "api.md")) {
  Deno.test(`the examples of docs/${page} do what it says`, async () => {
    await play(await Deno.readTextFile(new URL(page, DOCS)), page);
  });
}

/** Does what a page shows, step by step. */
async function play(markdown: string, page: string): Promise<void> {
  const steps = stepsOf(markdown, page);
  let stage = await Stage.open();
  try {
    for (const step of steps) {
      if (step.kind !== "scene") {
        await stage.play(step);
        continue;
      }
      await stage[Symbol.asyncDispose]();
      stage = await Stage.open();
    }
  } finally {
    await stage[Symbol.asyncDispose]();
  }
}

Deno.test("the examples of the skill do what it says", async () => {
  const skill = new URL("../skills/rewardkit/SKILL.md", DOCS);
  await play(await Deno.readTextFile(skill), "SKILL.md");
});

Deno.test("every link of the documentation leads to a file, and to a heading of it", async () => {
  for (const page of pages) {
    const text = await Deno.readTextFile(new URL(page, DOCS));
    for (const [, target, anchor] of text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)) {
      const linked = await Deno.readTextFile(new URL(target || page, DOCS));
      if (anchor === undefined) continue;
      const anchors = [...linked.matchAll(/^#+ (.+)$/gm)].map(([, title]) => anchorOf(title!));
      assert.ok(anchors.includes(anchor), `${page}: ${target}#${anchor}`);
    }
  }
});

/** As code hosts make them. */
function anchorOf(title: string): string {
  return title.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");
}

Deno.test("the API reference is what `deno task api` writes", async () => {
  assert.equal(await Deno.readTextFile(API_FILE), await apiReference());
});

Deno.test("an example that nothing is done with is an error", () => {
  assert.throws(() => stepsOf("```ts\nrun();\n```\n", "page.md"), /page\.md: an example that/);
  assert.throws(() => stepsOf("<!-- play -->\n", "page.md"), /page\.md: what is to be done/);
  assert.equal(stepsOf("<!-- not run: a picture -->\n```ts\nrun();\n```\n", "page.md").length, 1);
});

Deno.test("every test that the threat model names is there", async () => {
  const text = await Deno.readTextFile(new URL("security.md", DOCS));
  const rows = [...text.matchAll(/^\| [^|]+ \| [^|]+ \| ([^|]+) \|$/gm)].map(([, shown]) => shown!);
  const guards = rows.filter((shown) => !/^(?:Shown by|-+) *$/.test(shown));
  assert.ok(guards.length > 20, `${guards.length} rows`);
  for (const shown of guards) {
    const files = [...shown.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
    const cases = [...shown.matchAll(/\bR\d+\b/g)].map(([id]) => id);
    const attacks = shown.includes("attacks on")
      ? [...shown.matchAll(/\bon ([^;,]+)/g)].map(([, on]) => on!.trim())
      : [];
    assert.ok(files.length + cases.length + attacks.length > 0, shown);
    for (const name of files) assert.ok(await isTest(name), name);
    for (const on of attacks) assert.ok(ATTACKS.includes(on), `attacks on ${on}`);
    for (const id of cases) assert.ok(CASES.some((name) => name.startsWith(id)), id);
  }
});

const CASES = [...Deno.readDirSync(new URL("../fixtures/cases", DOCS))].map(({ name }) => name);

const ATTACKS = [...SUBJECTS.map(({ name }) => name), ...Object.keys(SCENARIOS)];

/** As the page names it: a path below one of the folders that hold tests. */
async function isTest(name: string): Promise<boolean> {
  const places = ["../", "../tests/", "../src/", "../src/confinement/"];
  const found = await Promise.all(
    places.map((place) =>
      Deno.stat(new URL(`${place}${name}`, DOCS)).then(() => true, () => false)
    ),
  );
  return found.includes(true);
}
