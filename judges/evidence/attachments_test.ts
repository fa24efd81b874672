import assert from "node:assert/strict";
import { WorkspaceReader } from "../../src/criterion/reader.ts";
import { readAttachments } from "./attachments.ts";
import { contentOf, MAX_SHOWN_BYTES } from "./content.ts";

type Files = Record<string, string | Uint8Array<ArrayBuffer>>;

/** Reads paths of a workspace with these files; one that ends in a slash is a folder. */
async function reading(
  files: Files,
  paths: readonly string[],
  setup: (workspace: string, root: string) => void | Promise<void> = () => {},
) {
  const root = await Deno.realPath(await Deno.makeTempDir());
  const workspace = `${root}/ws`;
  try {
    await Deno.mkdir(workspace);
    for (const [name, content] of Object.entries(files)) {
      const path = `${workspace}/${name}`;
      await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
      if (typeof content === "string") await Deno.writeTextFile(path, content);
      else await Deno.writeFile(path, content);
    }
    await setup(workspace, root);
    const reader = new WorkspaceReader({ workspace, maxFileBytes: 1e9 });
    const { attachments, warnings } = await readAttachments(paths, reader);
    const shown = attachments.map(({ label, content, note }) => [
      label,
      content.type === "text" ? content.text : content.type === "image" ? content.mediaType : null,
      content.type === "none" ? content.reason : note,
    ]);
    return { shown, labels: shown.map(([label]) => label), warnings };
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("files come in the author's order, folders sorted and with all below them", async () => {
  const files = {
    "z.txt": "Z",
    "a.txt": "A",
    "dir/b.txt": "B",
    "dir/a/x.txt": "X",
    "dir/.hidden": "h",
    "dir/node_modules/m.js": "m",
    "dir/.git/config": "g",
  };
  const { labels, warnings } = await reading(files, ["z.txt", "dir", "a.txt", "dir/b.txt"]);
  assert.deepEqual(labels, ["z.txt", "dir/a/x.txt", "dir/b.txt", "a.txt"]);
  assert.deepEqual(warnings, ["dir: not shown to the judge: .git, .hidden, node_modules"]);
});

Deno.test("a hidden file that is named is shown", async () => {
  assert.deepEqual((await reading({ ".env": "A=1" }, [".env"])).shown, [[
    ".env",
    "A=1",
    undefined,
  ]]);
});

Deno.test("globs match files, and a path that is there is never one", async () => {
  const files = {
    "src/a.ts": "",
    "src/b/c.ts": "",
    "src/d.py": "",
    "src/.e.ts": "",
    "[x].md": "!",
  };
  const cases: [string, string[]][] = [
    ["src/*.ts", ["src/a.ts"]],
    ["src/**/*.ts", ["src/a.ts", "src/b/c.ts"]],
    ["**/*.{ts,py}", ["src/a.ts", "src/b/c.ts", "src/d.py"]],
    ["src/?.[tp]*", ["src/a.ts", "src/d.py"]],
    ["src/.*.ts", ["src/.e.ts"]],
    ["[x].md", ["[x].md"]],
    ["*.rs", ["*.rs"]],
  ];
  for (const [glob, labels] of cases) {
    assert.deepEqual((await reading(files, [glob])).labels, labels, glob);
  }
});

Deno.test("what a file is counts, not what it is called", async () => {
  const png = Deno.readFileSync(new URL("../../fixtures/documents/picture.png", import.meta.url));
  const files = {
    "image.txt": png,
    "text.png": "no image",
    "bytes.txt": new Uint8Array([0, 1, 2]),
    "latin.txt": new Uint8Array([104, 228, 115, 108, 105, 99, 104, 32, 111, 107, 97, 121, 33]),
    "noise.txt": new Uint8Array(300).map((_, i) => 128 + (i * 37) % 100),
    "bom.txt": "\ufeffmarked",
    "wide.txt": new Uint8Array([0xff, 0xfe, 104, 0, 105, 0]),
    "empty.txt": "",
  };
  const { shown, warnings } = await reading(files, Object.keys(files));
  assert.deepEqual(shown, [
    ["image.txt", "image/png", undefined],
    ["text.png", "no image", undefined],
    ["bytes.txt", null, "a binary file"],
    [
      "latin.txt",
      "h\ufffdslich okay!",
      "not UTF-8: what cannot be read is shown as \ufffd (1 times)",
    ],
    ["noise.txt", null, "a binary file"],
    ["bom.txt", "marked", undefined],
    ["wide.txt", "hi", undefined],
    ["empty.txt", "", undefined],
  ]);
  assert.equal(warnings.length, 3);
});

Deno.test("images that services refuse are named instead", async () => {
  const png = Deno.readFileSync(new URL("../../fixtures/documents/picture.png", import.meta.url));
  const wide = `GIF89aA\x1f\x01${"\0".repeat(4)},${"\0".repeat(9)}`;
  const files = { "cut.png": png.slice(0, 20), "empty.gif": "GIF89a", "wide.gif": wide };
  const { shown, warnings } = await reading(files, Object.keys(files));
  assert.deepEqual(shown.map(([, content]) => content), [null, null, null]);
  assert.match(warnings[0]!, /cut\.png: not shown to the judge: its PNG header is damaged/);
  assert.match(warnings[1]!, /empty\.gif: not shown to the judge: its GIF header is damaged/);
  assert.match(warnings[2]!, /wide\.gif: not shown to the judge: 8001 × 1 pixels/);
});

Deno.test("one mebibyte is shown, one byte more is not", async () => {
  const files = {
    "at.txt": "a".repeat(MAX_SHOWN_BYTES),
    "over.txt": "a".repeat(MAX_SHOWN_BYTES + 1),
  };
  const { shown } = await reading(files, ["at.txt", "over.txt"]);
  assert.equal(shown[0]![1]!.length, MAX_SHOWN_BYTES);
  assert.match(shown[1]![2]!, /too large: 1048577 bytes, the limit is 1048576/);
});

Deno.test("links out of the workspace, FIFOs and circles are survived and named", async () => {
  const { shown, labels, warnings } = await reading(
    { "in.txt": "in", "dir/a.txt": "a" },
    ["out.txt", "through.txt", "pipe", "dir", "outdir", "gone.txt"],
    async (workspace, root) => {
      await Deno.writeTextFile(`${root}/secret.txt`, "secret");
      await Deno.mkdir(`${root}/other`);
      await Deno.writeTextFile(`${root}/other/secret.txt`, "secret");
      await Deno.symlink(`${root}/secret.txt`, `${workspace}/out.txt`);
      await Deno.symlink("in.txt", `${workspace}/through.txt`);
      await Deno.symlink("..", `${workspace}/dir/up`);
      await Deno.symlink(`${root}/other`, `${workspace}/outdir`);
      await new Deno.Command("mkfifo", { args: [`${workspace}/pipe`, `${workspace}/dir/pipe`] })
        .output();
    },
  );
  assert.ok(!JSON.stringify(shown).includes('"secret"'));
  const reasons = Object.fromEntries(shown.map(([label, , reason]) => [label, reason]));
  assert.match(reasons["out.txt"]!, /leaves the workspace through a link/);
  assert.match(reasons.pipe!, /is a FIFO/);
  assert.match(reasons["dir/pipe"]!, /is a FIFO/);
  assert.match(reasons["gone.txt"]!, /does not exist/);
  assert.ok(labels.includes("through.txt") && labels.includes("dir/a.txt"));
  assert.ok(labels.length < 15, `${labels}`);
  assert.match(warnings.join("\n"), /outdir/);
});

Deno.test("very many files are neither all read nor forgotten", async () => {
  const files = Object.fromEntries(Array.from({ length: 2100 }, (_, i) => [`d/${i}.txt`, "x"]));
  const { shown, warnings } = await reading(files, ["d"]);
  assert.equal(shown.length, 2000);
  assert.match(warnings.join("\n"), /100 more files are not shown/);
});

Deno.test("documents are read as long as there is time for them", async () => {
  const page = new TextEncoder().encode("<p>hello</p>");
  const { content } = await contentOf("a.html", page, performance.now() + 60_000);
  assert.deepEqual(content, { type: "text", text: "hello" });
  const late = await contentOf("a.html", page, performance.now());
  assert.ok(late.content.type === "none" && /took the 120 s/.test(late.content.reason));
  assert.equal((await contentOf("a.txt", page, 0)).content.type, "text");
});
