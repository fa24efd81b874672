// The two files of a run: whole or not at all, and nobody else's reward.

import assert from "node:assert/strict";
import { folder, readJson, rewardkit } from "./cli.ts";

const CHECK = `
  import * as rk from "@rewardkit/cli";
  rk.fileExists("a.txt");
  rk.criterion(function half() { return 0.5; });
`;

async function suite(check = CHECK) {
  const tests = await folder({ "checks.ts": check });
  const workspace = await folder({ "a.txt": "a" });
  return {
    args: [tests.path, "--workspace", workspace.path],
    tests: tests.path,
    async [Symbol.asyncDispose]() {
      await tests[Symbol.asyncDispose]();
      await workspace[Symbol.asyncDispose]();
    },
  };
}

Deno.test("a reward that was there before is removed with a warning, also when grading fails", async () => {
  for (const [check, code] of [[CHECK, 0], [`${CHECK} throw new Error("late");`, 1]] as const) {
    await using graded = await suite(check);
    await using output = await folder({
      "reward.json": '{"reward": 1.0}',
      "reward-details.json": "{}",
      "reward.txt": "1.0",
    });
    const run = await rewardkit(graded.args, { output: output.path });
    assert.equal(run.code, code);
    assert.deepEqual(run.reward, code === 0 ? { reward: 0.75 } : null);
    assert.match(run.stderr, /removed .*reward\.json: it was there before this run/);
    assert.match(run.stderr, /reward\.txt was there before this run/);
  }
});

Deno.test("a planted reward does not survive bad input either", async () => {
  await using output = await folder({ "reward.json": '{"reward": 1.0}' });
  await using empty = await folder({});
  const run = await rewardkit([empty.path, "--workspace", empty.path], { output: output.path });
  assert.equal(run.code, 2);
  assert.equal(run.reward, null);
});

Deno.test("nor does it survive a command line that is wrong, and nothing else is lost", async () => {
  await using empty = await folder({ "v1/x": "", "v2/v1/x": "" });
  const reward = { "reward.json": '{"reward": 1.0}', "reward-details.json": "{}" };
  for (
    const args of [
      ["v1", "--no-such-flag"],
      ["v1", "--pass-mark", "7"],
      ["v1", "--mcp"],
      ["run", "v1"],
      ["v1", "v2/v1"],
    ]
  ) {
    await using output = await folder({ ...reward, "notes.txt": "precious" });
    const run = await rewardkit(args, { output: output.path, cwd: empty.path });
    assert.equal(run.code, 2, args.join(" "));
    assert.deepEqual([...Deno.readDirSync(output.path)].map(({ name }) => name), ["notes.txt"]);
    assert.match(run.stderr, /^warning: removed .*\/reward\.json: it was there before this run/m);
  }
  for (const args of [["--help"], ["list", "x"], ["check"]]) {
    await using output = await folder(reward);
    await rewardkit(args, { output: output.path, cwd: empty.path });
    assert.equal(await Deno.readTextFile(`${output.path}/reward.json`), reward["reward.json"]);
  }
});

Deno.test("a link at the output path is replaced, what it leads to is untouched", async () => {
  await using graded = await suite();
  await using output = await folder({ "victim.txt": "precious" });
  await Deno.symlink("victim.txt", `${output.path}/reward.json`);
  const run = await rewardkit(graded.args, { output: output.path });
  assert.deepEqual(run.reward, { reward: 0.75 });
  assert.equal(await Deno.readTextFile(`${output.path}/victim.txt`), "precious");
  assert.equal((await Deno.lstat(`${output.path}/reward.json`)).isSymlink, false);
});

Deno.test("the details render in a viewer: string names and kinds, finite numbers, nothing else on top", async () => {
  await using graded = await suite(`${CHECK}
    rk.criterion(function breaks() { throw new Error("boom"); });
    rk.criterion(function big() { return 3.7; });`);
  const run = await rewardkit(graded.args);
  assert.equal(run.reward, null);
  assert.deepEqual(Object.keys(run.details!), ["reward"]);
  const { criteria, kind, score, warnings, errors } = run.details!.reward;
  assert.equal(kind, "programmatic");
  assert.equal(typeof score, "number");
  for (const { name, value, weight } of criteria) {
    assert.equal(typeof name, "string");
    assert.ok(Number.isFinite(value) && Number.isFinite(weight));
  }
  assert.deepEqual(errors, [{ file: "checks.ts", criterion: "breaks", message: "boom" }]);
  assert.match(warnings[0], /big.*3\.7.*outside 0 to 1/);
});

Deno.test("what was expected and what was found is in the details of a criterion that failed", async () => {
  await using graded = await suite(`
    import * as rk from "@rewardkit/cli";
    rk.fileMatches("a.txt", "b");
    rk.fileMatches("a.txt", "a", { name: "same" });
    rk.fileContainsRegex("a.txt", "^b");
    rk.commandSucceeds("echo why >&2; exit 3");
    rk.commandOutputMatches("echo 41", "42");
    rk.criterion(function counts() { return { score: false, expected: 3, found: [1, 2] }; });`);
  await using run = await rewardkit(graded.args);
  assert.equal(run.code, 0, run.stderr);
  assert.deepEqual(
    run.details!.reward.criteria.map(
      ({ name, raw, expected, found }: Record<string, unknown>) => [name, raw, expected, found],
    ),
    [
      ["file_matches:a.txt", false, "b", "a"],
      ["same", true, undefined, undefined],
      ["file_contains_regex:a.txt", false, "^b", "a"],
      ["command_succeeds:echo why >&2; exit 3", false, "exit code 0", "exit code 3\nwhy"],
      ["command_output_matches:echo 41", false, "42", "41"],
      ["counts", false, "3", "[1,2]"],
    ],
  );
});

Deno.test("killed at any moment: no reward, or a complete pair", async () => {
  await using graded = await suite(`${CHECK}
    rk.commandSucceeds("sleep 0.05");`);
  const cli = new URL("../cli.ts", import.meta.url).pathname;
  const outcomes = { none: 0, pair: 0 };
  const started = performance.now();
  await (await rewardkit(graded.args))[Symbol.asyncDispose]();
  const wholeMs = performance.now() - started;
  // The later, the more often it has ended before; on a machine that has become slower, later still.
  for (let round = 0; round < 40 || outcomes.pair === 0; round++) {
    await using output = await folder({ "reward.json": '{"reward": 1}' });
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--quiet", cli, ...graded.args, "-o", `${output.path}/reward.json`],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    const timer = setTimeout(() => killIfAlive(child), round * wholeMs / 30);
    const { code } = await child.status;
    clearTimeout(timer);
    const reward = await readJson(`${output.path}/reward.json`);
    const details = await readJson(`${output.path}/reward-details.json`);
    if (reward === null || (reward.reward === 1 && details === null)) {
      // Nothing yet, or killed before the planted one was removed: not this run's.
      assert.notEqual(code, 0);
      outcomes.none++;
    } else {
      assert.deepEqual(Object.keys(reward), ["reward"]);
      assert.equal(reward.reward, 0.8333);
      assert.equal(details.reward.score, 0.8333);
      outcomes.pair++;
    }
  }
  assert.ok(outcomes.none > 5 && outcomes.pair > 0, JSON.stringify(outcomes));
});

Deno.test("interrupted: exit code 130, no reward, no process and no temporary folder left", async () => {
  const mark = `sleep 4${Math.floor(Math.random() * 1e6)}`;
  await using graded = await suite(`
    import * as rk from "@rewardkit/cli";
    rk.criterion(function busy() { while (true); });
    rk.commandSucceeds("${mark}", { timeout: 60 });
    rk.commandSucceeds("${mark}", { timeout: 60, isolated: true });`);
  await using output = await folder({});
  await using temporary = await folder({});
  const cli = new URL("../cli.ts", import.meta.url).pathname;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--quiet", cli, ...graded.args, "-o", `${output.path}/reward.json`],
      env: { TMPDIR: temporary.path },
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    child.kill(signal);
    assert.equal((await child.status).code, 130);
    assert.equal(await readJson(`${output.path}/reward.json`), null);
    assert.deepEqual([...Deno.readDirSync(temporary.path)].map(({ name }) => name), []);
    const left = await new Deno.Command("pgrep", { args: ["-f", `^${mark}$`] }).output();
    assert.equal(new TextDecoder().decode(left.stdout), "");
  }
});

Deno.test("a check that changes the tests folder spoils the run, by name", async () => {
  const checks = `
    import * as rk from "@rewardkit/cli";
    rk.commandSucceeds("echo 'forged' >> $TESTS/oracle.txt");`;
  await using tests = await folder({ "checks.ts": checks, "oracle.txt": "42" });
  await using workspace = await folder({ "a.txt": "" });
  await using run = await rewardkit([tests.path, "--workspace", workspace.path], {
    env: { TESTS: tests.path },
  });
  assert.equal(run.code, 1);
  assert.equal(run.reward, null);
  assert.match(run.stderr, /oracle\.txt was changed while the checks ran/);
  assert.match(JSON.stringify(run.details), /oracle\.txt was changed/);
});

Deno.test("commas, spaces and signs in the names of folders are no obstacle", async () => {
  const odd = "we ird,dir é#%";
  await using root = await folder({
    [`${odd}/tests x,y/checks.ts`]: `
      import * as rk from "@rewardkit/cli";
      rk.fileExists("a.txt");
      rk.commandOutputContains("cat a.txt", "hello", { isolated: true });
      rk.criterion({ write: ["out.txt"] }, async function writes(workspace) {
        await Deno.writeTextFile(\`\${workspace}/out.txt\`, "x");
        return await workspace.readText("a.txt") === "hello";
      });`,
    [`${odd}/ws/a.txt`]: "hello",
    [`${odd}/tmp/.keep`]: "",
  });
  const at = `${root.path}/${odd}`;
  await using run = await rewardkit([`${at}/tests x,y`, "--workspace", `${at}/ws`], {
    env: { TMPDIR: `${at}/tmp` },
  });
  assert.deepEqual(run.reward, { reward: 1 }, run.stderr);
});

Deno.test("a temporary folder with a very long path is no obstacle", async () => {
  await using graded = await suite();
  await using temporary = await folder({ [`${"long/".repeat(30)}.keep`]: "" });
  const run = await rewardkit(graded.args, {
    env: { TMPDIR: `${temporary.path}/${"long/".repeat(29)}long` },
  });
  assert.deepEqual(run.reward, { reward: 0.75 }, run.stderr);
});

function killIfAlive(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch (error) {
    // It ended by itself in this very moment.
    if (!(error instanceof TypeError)) throw error;
  }
}
