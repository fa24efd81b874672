import assert from "node:assert/strict";
import { CriterionError, SubmissionError } from "../errors.ts";
import { ProcessGroups } from "./groups.ts";
import { run, type RunOptions } from "./run.ts";

/** Of the tests that have no groups of their own. */
const shared = new ProcessGroups();
const inTmp: RunOptions = { cwd: "/tmp", timeoutSec: 20, groups: shared };
const sh = (command: string, options: Partial<RunOptions> = {}) =>
  run(["sh", "-c", command], { ...inTmp, ...options });

Deno.test("run() gives exit code, stdout and stderr apart", async () => {
  assert.deepEqual(await sh("echo out; echo err >&2; exit 3"), {
    code: 3,
    stdout: "out\n",
    stderr: "err\n",
    timedOut: false,
    truncated: false,
  });
  assert.equal((await sh("kill -TERM $$")).code, 128 + 15);
});

Deno.test("run() starts the program in cwd, with empty stdin", async () => {
  assert.equal((await sh("pwd -P; cat", { cwd: "/usr" })).stdout, "/usr\n");
});

Deno.test("run() hands stdin over, also to a program that does not read it", async () => {
  assert.equal((await run(["cat"], { ...inTmp, stdin: "héllo" })).stdout, "héllo");
  const large = new Uint8Array(4 * 1024 * 1024);
  assert.equal((await sh("wc -c", { stdin: large })).stdout.trim(), String(large.length));
  assert.equal((await sh("exit 4", { stdin: large })).code, 4);
});

Deno.test("run() decodes UTF-8 with replacement and folds line ends", async () => {
  const { stdout, stderr } = await sh(
    String.raw`printf '\357\273\277a\r\nb\rc\377\303\251'; printf 'x\r\ny' >&2`,
  );
  assert.equal(stdout, "\ufeffa\nb\nc\ufffdé");
  assert.equal(stderr, "x\ny");
});

Deno.test("run() kills the whole group when the time is up, whatever signals it ignores", async () => {
  const groups = new ProcessGroups();
  const start = performance.now();
  const result = await sh("trap '' TERM INT HUP; echo early; sleep 61.25 & sleep 61.25; true", {
    timeoutSec: 0.3,
    groups,
  });
  assert.ok(performance.now() - start < 5000);
  assert.deepEqual([result.timedOut, result.code, result.stdout], [true, 137, "early\n"]);
  await until(() => running("sleep 61.25") === 0);
});

Deno.test("run() does not wait for what holds the output open", async () => {
  const groups = new ProcessGroups();
  const start = performance.now();
  const result = await sh("echo first; sleep 62.25 &", { groups });
  assert.ok(performance.now() - start < 5000);
  assert.deepEqual([result.code, result.stdout, result.timedOut], [0, "first\n", false]);
  assert.equal(running("sleep 62.25"), 1);
  assert.deepEqual(await groups.endAll(), []);
  assert.equal(running("sleep 62.25"), 0);
});

Deno.test("run() loses nothing that was printed before the shell ended", async () => {
  const groups = new ProcessGroups();
  for (let time = 0; time < 10; time++) {
    const { stdout } = await sh("sleep 63.25 & head -c 700000 /dev/zero; echo end", { groups });
    assert.equal(stdout.length, 700004);
    assert.ok(stdout.endsWith("end\n"));
  }
  await groups.endAll();
  assert.equal(running("sleep 63.25"), 0);
});

Deno.test("run() loses nothing when its own process is too busy to look", async () => {
  const groups = new ProcessGroups();
  const result = sh("sleep 70.25 & sleep 0.05; echo late", { groups });
  await new Promise((resolve) => setTimeout(resolve, 20));
  for (const end = performance.now() + 200; performance.now() < end;);
  assert.equal((await result).stdout, "late\n");
  await groups.endAll();
});

Deno.test("run() does not wait for a background process that prints on and on", async () => {
  const groups = new ProcessGroups();
  const start = performance.now();
  const result = await sh("(while :; do echo tick; sleep 0.005; done) & echo done", { groups });
  assert.ok(performance.now() - start < 3000);
  assert.match(result.stdout, /done\n/);
  assert.equal(result.truncated, false);
  await groups.endAll();
});

Deno.test("run() lets a server in the background go on printing", async () => {
  const groups = new ProcessGroups();
  const folder = Deno.makeTempDirSync();
  // Far more than a pipe holds; a closed pipe would kill it, a full one stop it.
  await sh(`(sleep 0.3; head -c 1000000 /dev/zero && touch ${folder}/done) & true`, { groups });
  await until(() => [...Deno.readDirSync(folder)].length === 1);
  await groups.endAll();
  Deno.removeSync(folder, { recursive: true });
});

Deno.test("run() keeps the beginning of a flood and kills its author", async () => {
  const options = { maxOutputBytes: 100_000 };
  const flood = await sh("yes", options);
  assert.deepEqual([flood.truncated, flood.code, flood.stdout.length], [true, 137, 100_000]);
  const onStderr = await sh("yes >&2", options);
  assert.deepEqual([onStderr.truncated, onStderr.stderr.length], [true, 100_000]);
  const full = await sh("head -c 100000 /dev/zero", options);
  assert.deepEqual([full.truncated, full.code, full.stdout.length], [false, 0, 100_000]);
  assert.equal((await sh("head -c 100001 /dev/zero; sleep 5", options)).truncated, true);
  assert.equal((await sh("yes")).stdout.length, 16 * 1024 * 1024);
});

Deno.test("run() hides secrets unless it is given an environment", async () => {
  Deno.env.set("RUN_TEST_API_KEY", "sk-1");
  Deno.env.set("RUN_TEST_PLAIN", "seen");
  try {
    const { stdout } = await sh("echo [$RUN_TEST_API_KEY] [$RUN_TEST_PLAIN]");
    assert.equal(stdout, "[] [seen]\n");
    const own = await run(["/usr/bin/env"], { ...inTmp, env: { A: "b" } });
    assert.match(own.stdout, /^(A=b\nREWARDKIT_RUN=.*|REWARDKIT_RUN=.*\nA=b)\n$/);
  } finally {
    Deno.env.delete("RUN_TEST_API_KEY");
    Deno.env.delete("RUN_TEST_PLAIN");
  }
});

Deno.test("run() stops when its signal says so", async () => {
  const abort = new AbortController();
  const running = sh("sleep 64.25", { signal: abort.signal });
  const reason = new Error("interrupted");
  setTimeout(() => abort.abort(reason), 50);
  await assert.rejects(running, reason);
  await assert.rejects(sh("true", { signal: abort.signal }), reason);
});

Deno.test("run() says whose fault it is that nothing could be started", async () => {
  const missing = run(["true"], { ...inTmp, cwd: "/tmp/no-such-folder" });
  await assert.rejects(
    missing,
    (error: Error) =>
      error instanceof SubmissionError &&
      /"\/tmp\/no-such-folder" does not exist/.test(error.message),
  );
  const file = run(["true"], { ...inTmp, cwd: "/etc/passwd" });
  await assert.rejects(file, /"\/etc\/passwd" is not a folder/);
  for (const program of ["./no-such-program", "/tmp/no-such-program"]) {
    await assert.rejects(
      run([program], inTmp),
      (error: Error) =>
        error instanceof SubmissionError && error.message === `"${program}" does not exist`,
    );
  }
  const below = run(["/usr/no-such-program"], { ...inTmp, workspace: "/usr" });
  await assert.rejects(below, SubmissionError);
  await assert.rejects(run(["/usr/no-such-program"], inTmp), CriterionError);
  await assert.rejects(run(["/etc/passwd"], { ...inTmp, cwd: "/etc" }), /is not executable/);
  for (const argv of [["no-such-program"], ["sh", "-c", "a\0b"], []]) {
    await assert.rejects(run(argv, inTmp), CriterionError);
  }
});

Deno.test("endAll() ends what moved to other groups and sessions, and nothing else", async () => {
  const groups = new ProcessGroups();
  const other = new ProcessGroups();
  await sh("sleep 66.25 >/dev/null 2>&1 &", { groups: other });
  await sh(
    "set -m; sleep 65.25 & setsid sleep 65.25 & " +
      "(setsid sh -c 'trap \"\" TERM; sleep 65.25; true' >/dev/null 2>&1 &); sleep 0.2",
    { groups },
  );
  assert.equal(running("sleep 65.25"), 3);
  assert.deepEqual(await groups.endAll(), []);
  assert.equal(running("sleep 65.25"), 0);
  assert.equal(running("sleep 66.25"), 1);
  await other.endAll();
  assert.equal(running("sleep 66.25"), 0);
});

Deno.test("endAll() outruns processes that keep forking", async () => {
  const groups = new ProcessGroups();
  const forker = "f() { sleep 0.01; f & }; f >/dev/null 2>&1 & true; : forker67";
  await sh(forker, { groups });
  await until(() => running("forker67") > 0);
  assert.deepEqual(await groups.endAll(), []);
  assert.equal(running("forker67"), 0);
});

Deno.test("endAll() has nothing to do before anything ran, and twice", async () => {
  const groups = new ProcessGroups();
  assert.deepEqual(await groups.endAll(), []);
  await sh("sleep 68.25 &", { groups });
  await groups.endAll();
  assert.deepEqual(await groups.endAll(), []);
});

Deno.test("run() leaves no descriptors behind", async () => {
  await sh("true");
  const descriptors = openDescriptors();
  for (let time = 0; time < 50; time++) await sh("true");
  await sh("sleep 69.25 & true");
  await shared.endAll();
  await until(() => openDescriptors() <= descriptors);
});

function openDescriptors(): number {
  return [...Deno.readDirSync("/proc/self/fd")].length;
}

/** How many living processes have that in their command line. */
function running(text: string): number {
  let count = 0;
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name) || Number(name) === Deno.pid) continue;
    try {
      const commandLine = Deno.readTextFileSync(`/proc/${name}/cmdline`).replaceAll("\0", " ");
      // Of a shell that waits for the sleep, only the sleep counts.
      if (
        commandLine.trim() === text || (commandLine.includes(text) && !text.startsWith("sleep"))
      ) {
        count++;
      }
    } catch {
      // Has ended.
    }
  }
  return count;
}

async function until(condition: () => boolean): Promise<void> {
  for (let time = 0; time < 300; time++) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.fail(`still not so: ${condition}`);
}
