// --report from the shell.

import assert from "node:assert/strict";
import { folder, rewardkit } from "./cli.ts";

const CHECK = `import * as rk from "@rewardkit/cli";
rk.fileExists("a.txt");
rk.criterion(function honest() { return { score: 0.5, reasoning: "half of it" }; });`;
const BROKEN = `${CHECK}\nrk.criterion(function breaks() { throw new Error("boom"); });`;

async function place(check: string) {
  const at = await folder({ "tests/checks.ts": check, "app/a.txt": "", "out/kept.txt": "" });
  const args = [`${at.path}/tests`, "--workspace", `${at.path}/app`];
  return { ...at, args, report: `${at.path}/deep/report.html` };
}

Deno.test("--report writes a page of the run, in a folder that it makes", async () => {
  await using at = await place(CHECK);
  await using run = await rewardkit([...at.args, "--report", at.report]);
  assert.equal(run.code, 0, run.stderr);
  const html = await Deno.readTextFile(at.report);
  for (const text of ["0.75", "honest", "half of it", "file_exists:a.txt", at.path]) {
    assert.ok(html.includes(text), text);
  }
  assert.deepEqual([...Deno.readDirSync(`${at.path}/deep`)].map(({ name }) => name), [
    "report.html",
  ]);
});

Deno.test("there is a report where there is no reward", async () => {
  await using at = await place(BROKEN);
  await using run = await rewardkit([...at.args, "--report", at.report]);
  assert.equal(run.code, 1);
  assert.equal(run.reward, null);
  assert.match(await Deno.readTextFile(at.report), /boom/);
});

Deno.test("several folders make one report", async () => {
  await using at = await folder({ "v1/c.ts": CHECK, "v2/c.ts": CHECK, "app/a.txt": "" });
  const args = [`${at.path}/v1`, `${at.path}/v2`, "--workspace", `${at.path}/app`];
  await using run = await rewardkit([...args, "--report", `${at.path}/r.html`]);
  assert.equal(run.code, 0, run.stderr);
  assert.match(await Deno.readTextFile(`${at.path}/r.html`), /Side by side/);
});

Deno.test("a report that cannot be written is told before anything is run", async () => {
  await using at = await place(`${CHECK}\nrk.commandSucceeds("touch was-run");`);
  const refused = async (report: string, message: RegExp) => {
    await using run = await rewardkit([...at.args, "--report", report]);
    assert.equal(run.code, 2);
    assert.match(run.stderr, message);
  };
  await refused("/proc/report.html", /Cannot write \/proc\/report\.html/);
  await refused(`${at.path}/app/a.txt/report.html`, /Cannot write .*report\.html/);
  await refused(at.path, /Cannot write .*: a folder is there/);
  await refused("", /--report is "", expected the path of a file/);
  await assert.rejects(Deno.stat(`${at.path}/app/was-run`));
});

Deno.test("a link that lies where the report goes is replaced, not followed", async () => {
  await using at = await place(CHECK);
  await Deno.writeTextFile(`${at.path}/precious.txt`, "precious");
  await Deno.symlink(`${at.path}/precious.txt`, `${at.path}/report.html`);
  await using run = await rewardkit([...at.args, "--report", `${at.path}/report.html`]);
  assert.equal(run.code, 0, run.stderr);
  assert.equal(await Deno.readTextFile(`${at.path}/precious.txt`), "precious");
  assert.ok((await Deno.lstat(`${at.path}/report.html`)).isFile);
});

Deno.test("the report and the reward do not share a file", async () => {
  await using at = await place(CHECK);
  await using run = await rewardkit([...at.args, "--report", `${at.path}/out/reward.json`], {
    output: `${at.path}/out`,
  });
  assert.equal(run.code, 2);
  assert.match(run.stderr, /Cannot write .*reward\.json: a file of --output goes there/);
});
