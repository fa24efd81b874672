// The demo, as `deno task demo` runs it.

import assert from "node:assert/strict";

const DEMO = new URL("../fixtures/demo", import.meta.url).pathname;

Deno.test("the demo shows a tree with passed, failed and partial scores and changes no fixture", async () => {
  const before = contents(`${DEMO}/workspace`);
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", `${DEMO}/run.ts`],
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  const lines = new TextDecoder().decode(stdout).split("\n")
    .map((line) => line.replace(/^[│├└─ ]+/, "").trimEnd().split(/ {2,}/).join("  "));
  assert.deepEqual(lines.filter((line) => line !== ""), [
    // (2 · 5/6 + 1) / 3.
    "~ correctness  0.8889",
    "~ behavior  0.8333  × 2",
    "✓ command_output_matches:sh sales.sh 2026-05  1  × 2",
    "✓ command_output_matches_regex:sh sales.sh 2026-04  1",
    "✗ says so when a month has no sales  0",
    "expected  no sales in 2031-01",
    "found  total 0.00",
    "✓ command_succeeds:rm sales.db && sh sales.sh 2026-05  1",
    "✓ leaves its input alone  1",
    "✓ files  1",
    "✓ sales.db: total of 2026-04  1",
    "✓ sales.db: total of 2026-05  1",
    "✓ xlsx_cell_equals:report.xlsx  1",
    "✓ xlsx_cell_equals:report.xlsx  1  × 2",
    "~ quality  0.9",
    "~ readme  0.8",
    "~ readme_is_complete  0.8",
    "missing: license",
    "✓ script  1",
    "✓ script_parses  1",
    "no complaints",
    "✓ structure  1",
    "✓ file_exists:sales.sh  1",
    "✓ file_exists:README.md  1",
    "✓ file_not_exists:tmp  1",
    // (3 · 0.8889 + 0.9 + 1) / 5.
    "~ reward  0.9133",
  ]);
  assert.deepEqual(contents(`${DEMO}/workspace`), before);
});

/** Name and bytes of each file of a folder. */
function contents(folder: string): Record<string, Uint8Array> {
  const names = Array.from(Deno.readDirSync(folder), ({ name }) => name).sort();
  return Object.fromEntries(names.map((name) => [name, Deno.readFileSync(`${folder}/${name}`)]));
}
