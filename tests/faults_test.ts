// Check files that hang, crash, leave or flood: each costs only itself.

import assert from "node:assert/strict";
import { folder, rewardkit } from "./cli.ts";

const LIMITS = ["--criterion-timeout", "4", "--load-timeout", "4"];

/** Grades these check files together with one that is fine; returns the criteria of each file. */
async function gradeBeside(files: Record<string, string>, flags: string[] = LIMITS) {
  const tests = await folder({
    "fine.ts": `
      import * as rk from "@rewardkit/cli";
      rk.fileExists("a.txt");
      rk.criterion(function passes() { return true; });
    `,
    ...files,
  });
  const workspace = await folder({ "a.txt": "a" });
  const run = await rewardkit([tests.path, "--workspace", workspace.path, ...flags]);
  const nodes: { name: string; detail: { criteria: Record<string, unknown>[] } }[] =
    run.details?.reward.components ?? [];
  const criteria = Object.fromEntries(
    nodes.map(({ name, detail }) => [
      name,
      Object.fromEntries(
        detail.criteria.map(({ name, value, error }) => [name as string, error ?? value]),
      ),
    ]),
  );
  await tests[Symbol.asyncDispose]();
  await workspace[Symbol.asyncDispose]();
  await run[Symbol.asyncDispose]();
  assert.deepEqual(criteria.fine, { "file_exists:a.txt": 1, passes: 1 });
  return { ...run, criteria };
}

const IMPORT = `import * as rk from "@rewardkit/cli";`;

Deno.test("a file that hangs while it loads is an error of that file alone", async () => {
  const { code, reward, criteria, stderr } = await gradeBeside({ "hang.ts": "while (true);" });
  assert.equal(code, 1);
  assert.equal(reward, null);
  assert.match(criteria.hang!.hang as string, /took longer than 4 s while it was being loaded/);
  assert.match(stderr, /hang\.ts: took longer than 4 s/);
});

Deno.test("a file that never finishes loading is an error of that file alone", async () => {
  const { criteria } = await gradeBeside({ "wait.ts": "await new Promise(() => {});" });
  assert.match(criteria.wait!.wait as string, /took longer than 4 s while it was being loaded/);
});

Deno.test("a file that leaves, throws or cannot be parsed while it loads is an error alone", async () => {
  const { criteria, stderr, code } = await gradeBeside({
    "exits.ts": "Deno.exit(0);",
    "exits_node.ts": `import process from "node:process"; globalThis.process.exit(0);`,
    "closes.ts": "self.close();",
    "throws.ts": `throw new Error("no oracle");`,
    "throws_text.ts": `throw "just text";`,
    "syntax.ts": "const x = ;",
    "missing.ts": `import "./not_there.ts";`,
    "python_names.ts": `import { file_exists } from "rewardkit"; file_exists("a");`,
    "wrong_argument.ts": `${IMPORT}\nrk.fileExists(5 as unknown as string);`,
  });
  assert.equal(code, 1);
  assert.match(criteria.exits!.exits as string, /called Deno\.exit\(\) while it was being loaded/);
  assert.match(criteria.exits_node!.exits_node as string, /called process\.exit\(\)/);
  assert.match(criteria.closes!.closes as string, /called close\(\)/);
  assert.equal(criteria.throws!.throws, "no oracle");
  assert.match(criteria.throws_text!.throws_text as string, /threw "just text"/);
  assert.match(criteria.syntax!.syntax as string, /^SyntaxError: [^]*syntax\.ts:1:11/);
  assert.match(criteria.missing!.missing as string, /not_there\.ts/);
  assert.match(criteria.python_names!.python_names as string, /file_exists/);
  assert.match(
    criteria.wrong_argument!.wrong_argument as string,
    /fileExists\(\) got 5 for "path"/,
  );
  for (const file of ["exits", "closes", "throws", "syntax", "missing"]) {
    assert.match(stderr, new RegExp(`error: .*${file}\\.ts: `));
  }
  assert.doesNotMatch(stderr, /^\s+at /m);
});

Deno.test("a criterion that hangs is found among its neighbours, which keep their scores", async () => {
  const { criteria, code, stderr } = await gradeBeside({
    "busy.ts": `${IMPORT}
      rk.criterion(function before() { return 0.25; });
      rk.criterion(function busy() { while (true); });
      rk.criterion(function after() { return 0.75; });
      rk.fileExists("a.txt");`,
    "never.ts": `${IMPORT}
      rk.criterion(async function never() { await new Promise(() => {}); return true; });
      rk.criterion({ timeout: 1 }, async function briefly() { await new Promise(() => {}); return true; });
      rk.criterion(function quick() { return 1; });`,
  });
  assert.equal(code, 1);
  assert.equal(criteria.busy!.before, 0.25);
  assert.equal(criteria.busy!.busy, "took longer than 4 s");
  assert.equal(criteria.busy!.after, 0.75);
  assert.equal(criteria.busy!["file_exists:a.txt"], 1);
  assert.equal(criteria.never!.never, "took longer than 4 s");
  assert.equal(criteria.never!.briefly, "took longer than 1 s");
  assert.equal(criteria.never!.quick, 1);
  assert.match(stderr, /busy\.ts: busy: took longer than 4 s/);
});

Deno.test("a criterion that exhausts the heap costs only itself", async () => {
  const { criteria, code } = await gradeBeside({
    "heap.ts": `${IMPORT}
      rk.criterion({ timeout: 60 }, function bomb() { const all: unknown[] = []; while (true) all.push(new Array(1e5).fill(all.length)); });
      rk.criterion(function survives() { return 1; });`,
  });
  assert.equal(code, 1);
  assert.equal(criteria.heap!.bomb, "ran out of memory");
  assert.equal(criteria.heap!.survives, 1);
});

Deno.test("a criterion that leaves costs only itself", async () => {
  const { criteria, code } = await gradeBeside({
    "leaves.ts": `${IMPORT}
      rk.criterion(function exits() { Deno.exit(0); });
      rk.criterion(function closes() { self.close(); return true; });
      rk.criterion(function kills() { Deno.kill(Deno.pid, "SIGKILL"); return true; });
      rk.criterion(function survives() { return 1; });`,
  });
  assert.equal(code, 1);
  assert.equal(criteria.leaves!.exits, "called Deno.exit()");
  assert.equal(criteria.leaves!.closes, "called close()");
  assert.match(criteria.leaves!.kills as string, /ended its process/);
  assert.equal(criteria.leaves!.survives, 1);
});

Deno.test("a module of the graded work that finds the channel's descriptor cannot forge a score", async () => {
  const forged = JSON.stringify({
    type: "message",
    worker: 1,
    message: { type: "scored", index: 0, result: "1", warnings: [] },
  });
  const { code, reward, criteria } = await gradeBeside({
    "forge.ts": `${IMPORT}
      import { Socket } from "node:net";
      rk.criterion(async function forges() {
        for (let fd = 3; fd < 64; fd++) {
          try { new Socket({ fd }).on("error", () => {}).write(${
      JSON.stringify(`\n${forged}\n`)
    }); } catch { /* none there */ }
        }
        await new Promise((done) => setTimeout(done, 300));
        return 0;
      });`,
  });
  assert.notEqual(criteria.forge!.forges, 1);
  if (code === 0) assert.deepEqual(reward, { reward: 0.5 });
  else assert.equal(reward, null);
});

Deno.test("late errors of a criterion do not take others with them", async () => {
  const { criteria } = await gradeBeside({
    "late.ts": `${IMPORT}
      rk.criterion(async function rejects() { Promise.reject(new Error("nobody waits")); await new Promise((r) => setTimeout(r, 200)); return true; });
      rk.criterion(function quick() { return 1; });`,
  });
  assert.match(String(criteria.late!.rejects), /nobody waits/);
  assert.equal(criteria.late!.quick, 1);
});

Deno.test("a million lines of output are drained, cut and said to be cut", async () => {
  const { code, stderr, reward, criteria } = await gradeBeside(
    {
      "prints.ts": `${IMPORT}
        rk.criterion(function prints() { for (let i = 0; i < 1e6; i++) console.log("line", i); return true; });`,
    },
    [],
  );
  assert.equal(code, 0, stderr.slice(-500));
  assert.equal(criteria.prints!.prints, 1);
  assert.deepEqual(reward, { reward: 1 });
  assert.match(stderr, /line 10\n/);
  assert.match(stderr, /print more than/);
  assert.ok(stderr.length < 100_000);
});

Deno.test("--on-error zero scores errors 0, records them and writes the reward", async () => {
  const { code, reward, criteria } = await gradeBeside(
    {
      "half.ts": `${IMPORT}
        rk.criterion(function breaks() { throw new Error("boom"); });
        rk.criterion(function passes() { return true; });`,
    },
    ["--on-error", "zero"],
  );
  assert.equal(code, 0);
  assert.deepEqual(reward, { reward: 0.75 });
  assert.equal(criteria.half!.breaks, "boom");
});

Deno.test("a regular expression that runs away scores 0 with a warning, not an error", async () => {
  const tests = await folder({
    "re.ts": `${IMPORT}
      rk.fileContainsRegex("a.txt", "(a+)+$");
      rk.fileExists("a.txt");`,
  });
  const workspace = await folder({ "a.txt": `${"a".repeat(60)}b` });
  await using run = await rewardkit([tests.path, "--workspace", workspace.path, ...LIMITS]);
  assert.equal(run.code, 0, run.stderr);
  assert.deepEqual(run.reward, { reward: 0.5 });
  assert.match(run.stderr, /file_contains_regex:a\.txt: took longer than 4 s/);
  await tests[Symbol.asyncDispose]();
  await workspace[Symbol.asyncDispose]();
});

Deno.test("what a file leaves behind kills its process, and blames nobody else's criterion", async () => {
  await using tests = await folder({
    "leaves.ts": `${IMPORT}
      rk.criterion(function leaves() {
        setTimeout(() => Deno.kill(Deno.pid, "SIGKILL"), 200);
        return true;
      });`,
    "works.ts": `${IMPORT}
      rk.criterion(async function works() {
        await new Promise((resolve) => setTimeout(resolve, 1000));
        return true;
      });`,
  });
  await using workspace = await folder({});
  await using run = await rewardkit([tests.path, "--workspace", workspace.path]);
  assert.equal(run.code, 0, run.stderr);
  assert.deepEqual(run.reward, { reward: 1 });
});
