import assert from "node:assert/strict";
import { JudgeLogs, readRegular } from "./judge_logs.ts";

async function folder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await Deno.makeTempDir({ prefix: "rewardkit-test-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

Deno.test("logs are new files without secrets, named after agent and label", async () => {
  await using dir = await folder();
  await Deno.writeTextFile(`${dir.path}/session`, "key sk-secret-1\n");
  const logs = new JudgeLogs(`${dir.path}/deep/logs`, "codex", ["sk-secret-1"]);
  await logs.saveSession("a/b c-1", `${dir.path}/session`);
  await logs.saveOutput("batched-2", { code: 3, stdout: "out", stderr: "sk-secret-1" });
  const [session, output] = logs.paths;
  assert.match(session!, /\/deep\/logs\/trajectory\.codex\.a_b_c-1\.[0-9a-f]{32}\.jsonl$/);
  assert.match(output!, /\/process\.codex\.batched-2\.[0-9a-f]{32}\.txt$/);
  assert.equal(await Deno.readTextFile(session!), "key [redacted]\n");
  const text = await Deno.readTextFile(output!);
  assert.match(text, /^exit code: 3\n\n--- stdout ---\nout\n--- stderr ---\n\[redacted\]\n$/);
  assert.deepEqual(logs.warnings, []);
});

Deno.test("a missing record is a warning, and nothing is kept where no folder is", async () => {
  await using dir = await folder();
  const logs = new JudgeLogs(dir.path, "codex", []);
  await logs.saveSession("batched-1", null);
  await logs.saveSession("batched-2", `${dir.path}/gone`);
  assert.equal(logs.warnings.length, 2);
  const none = new JudgeLogs(null, "codex", []);
  await none.saveSession("batched-1", null);
  await none.saveOutput("batched-1", { code: 0, stdout: "", stderr: "" });
  assert.deepEqual([none.paths, none.warnings, [...Deno.readDirSync(dir.path)]], [[], [], []]);
});

Deno.test("a file of an agent is read only if it is one: no link, FIFO, folder or device", async () => {
  await using dir = await folder();
  await Deno.symlink("/etc/passwd", `${dir.path}/link`);
  await new Deno.Command("mkfifo", { args: [`${dir.path}/fifo`] }).output();
  for (const name of ["link", "fifo", ".", "gone"]) {
    await assert.rejects(readRegular(`${dir.path}/${name}`), Error, name);
  }
});

Deno.test("of a huge file the beginning is kept", async () => {
  await using dir = await folder();
  const file = await Deno.open(`${dir.path}/huge`, { create: true, write: true });
  await file.truncate(64 * 1024 * 1024 + 5);
  file.close();
  assert.match((await readRegular(`${dir.path}/huge`)).slice(-30), /\n\[5 more bytes\]\n$/);
});
