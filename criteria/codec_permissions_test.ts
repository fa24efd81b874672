// Runs the criteria that need a codec as a run does: in a Worker that may read their files only, in
// a process that may read little more.

import assert from "node:assert/strict";
import { recordedWorkspace } from "./conformance_workspace.ts";

const ROOT = new URL("../", import.meta.url).pathname;

/** Hosts the Worker; says on standard output what came of its check. */
const HOST = `
const { worker, read, job } = JSON.parse(Deno.args[0]);
const instance = new Worker(worker, {
  type: "module",
  deno: { permissions: { read, env: false, ffi: false, import: false, net: false, run: false, sys: false, write: false } },
});
instance.onmessage = ({ data }) => { console.log(JSON.stringify(data)); Deno.exit(0); };
instance.onerror = (event) => { console.log(JSON.stringify({ error: event.message })); Deno.exit(1); };
instance.postMessage(job);
`;

const WORKER = `
import { checks as csv } from "${ROOT}criteria/csv.ts";
import { checks as images } from "${ROOT}criteria/images.ts";
import { checks as sqlite } from "${ROOT}criteria/sqlite.ts";
import { checks as xlsx } from "${ROOT}criteria/xlsx.ts";
import { WorkspaceReader } from "${ROOT}src/criterion/reader.ts";

self.onmessage = async ({ data: { workspace, criterion, args } }) => {
  const files = new WorkspaceReader({ workspace, maxFileBytes: 2 ** 28 });
  const check = { ...csv, ...images, ...sqlite, ...xlsx }[criterion];
  try {
    self.postMessage({ result: await check({ files, warn() {} }, ...args) });
  } catch (error) {
    self.postMessage({ error: error.name + ": " + error.message });
  }
};
`;

async function inSandbox(
  workspace: string,
  criterion: string,
  paths: readonly string[],
  args: readonly unknown[],
): Promise<{ result?: unknown; error?: string }> {
  const folder = Deno.realPathSync(Deno.makeTempDirSync());
  try {
    Deno.writeTextFileSync(`${folder}/host.ts`, HOST);
    Deno.writeTextFileSync(`${folder}/worker.ts`, WORKER);
    const read = paths.map((path) => `${workspace}/${path}`);
    // Where our own modules lie, which the checks load when they need them.
    const own = [`${ROOT}criteria`, `${ROOT}src`];
    const job = { workspace, criterion, args };
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--quiet", "--no-prompt", "--no-check", "--unstable-worker-options"],
        `--config=${ROOT}deno.json`,
        `--allow-read=${[folder, ...own, ...read].join(",")}`,
        `${folder}/host.ts`,
        JSON.stringify({ worker: `file://${folder}/worker.ts`, read: [...own, ...read], job }),
      ],
      stdin: "null",
    }).output();
    const text = new TextDecoder().decode(stdout);
    assert.notEqual(text, "", new TextDecoder().decode(stderr));
    return JSON.parse(text);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** What each criterion declares to need of its arguments, and what it has to come to. */
const JOBS: [criterion: string, paths: string[], args: unknown[], result: unknown][] = [
  ["csv_cell_equals", ["csv/basic.csv"], ["csv/basic.csv", 0, "name", "Ada"], true],
  [
    "xlsx_cell_equals",
    ["xlsx/shared.xlsx"],
    ["xlsx/shared.xlsx", "A2", "run one run two", "", null],
    true,
  ],
  [
    "sqlite_query_equals",
    ["db/wal.db", "db/wal.db-wal", "db/wal.db-journal"],
    ["db/wal.db", "SELECT x FROM w ORDER BY rowid DESC", "only in wal"],
    true,
  ],
  ["image_size_equals", ["img/red.png"], ["img/red.png", 8, 6], true],
];
const IMAGES = ["red.png", "red.gif", "red.bmp", "red_lossless.webp", "red.tif", "red.ppm"];
for (const image of IMAGES) {
  const paths = [`img/${image}`, "img/red_quarter_blue.png"];
  JOBS.push(["image_similarity", paths, paths, 0.75]);
}
const JPEGS = ["img/gray.jpg", "img/gray_for_jpg.png"];
JOBS.push(["image_similarity", JPEGS, JPEGS, 1]);

Deno.test("checks with codecs need no permission but to read their files", async (t) => {
  using workspace = recordedWorkspace();
  for (const [criterion, paths, args, result] of JOBS) {
    await t.step(`${criterion} ${paths[0]}`, async () => {
      assert.deepEqual(await inSandbox(workspace.path, criterion, paths, args), { result });
    });
  }
});

Deno.test("checks with codecs cannot read anything else", async (t) => {
  using workspace = recordedWorkspace();
  for (const [criterion, , args] of JOBS.slice(0, 4)) {
    await t.step(criterion, async () => {
      const { error } = await inSandbox(workspace.path, criterion, ["dir"], args);
      assert.match(error ?? "", /NotCapable/);
    });
  }
});
