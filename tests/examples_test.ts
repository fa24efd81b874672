// examples/: what a solution earns, and what the untouched workspace does.

import assert from "node:assert/strict";
import { folder, rewardkit } from "./cli.ts";

const TASK = new URL("../examples/sales-report/", import.meta.url).pathname;

/** The agent's container, before and after its solution has run in it. */
async function workspace(isSolved: boolean) {
  const app = await folder({});
  await Deno.copyFile(`${TASK}environment/sales.csv`, `${app.path}/sales.csv`);
  if (!isSolved) return app;
  const { success, stderr } = await new Deno.Command("bash", {
    args: [`${TASK}solution/solve.sh`],
    env: { WORKSPACE: app.path },
    stderr: "piped",
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return app;
}

for (const [isSolved, reward] of [[true, 1], [false, 0]] as const) {
  Deno.test(`the Harbor task gives ${reward} for ${isSolved ? "its solution" : "nothing"}`, async () => {
    await using app = await workspace(isSolved);
    await using run = await rewardkit([`${TASK}tests`, "--workspace", app.path]);
    assert.equal(run.code, 0, run.stderr);
    assert.deepEqual(run.reward, { reward }, run.stderr);
  });
}

Deno.test("a wrong sum in the Harbor task costs its share, and a long summary all of its own", async () => {
  await using app = await workspace(true);
  const totals = await Deno.readTextFile(`${app.path}/totals.csv`);
  await Deno.writeTextFile(`${app.path}/totals.csv`, totals.replace("31.00", "30.00"));
  await Deno.writeTextFile(`${app.path}/summary.md`, "South: 51.35. One. Two. Three.");
  await using run = await rewardkit([`${TASK}tests`, "--workspace", app.path]);
  assert.deepEqual(run.reward, { reward: 0.6 }, run.stderr);
});

Deno.test("test.sh of the Harbor task starts rewardkit on its own folder", async () => {
  await using bin = await folder({ rewardkit: '#!/bin/sh\nprintf "%s\\n" "$@"\n' });
  await Deno.chmod(`${bin.path}/rewardkit`, 0o755);
  const { stdout } = await new Deno.Command(`${TASK}tests/test.sh`, {
    args: ["--json"],
    env: { PATH: `${bin.path}:${Deno.env.get("PATH")}` },
  }).output();
  assert.equal(new TextDecoder().decode(stdout), `${TASK}tests\n--json\n`);
});
