// What continuous integration is given: exit codes, a JUnit file, and GitHub's annotations.

import assert from "node:assert/strict";
import { folder, rewardkit } from "./cli.ts";
import { junitProblem } from "./junit_problems.ts";

const CHECK = `
  import * as rk from "@rewardkit/cli";
  rk.fileExists("a.txt", { weight: 3 });
  rk.fileContains("a.txt", "x");`;

const BREAKS = `${CHECK} rk.criterion(function breaks() { throw new Error("boom"); });`;

/** A tests folder with `checks.ts`, and its workspace. */
async function suite(check: string, name = "checks.ts") {
  const place = await folder({ [`tests/${name}`]: check, "ws/a.txt": "a\x1b\x07" });
  return {
    path: place.path,
    args: ["tests", "-w", "ws"],
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  };
}

Deno.test("--min-reward: 4 below it, 0 at it, 1 where there is no reward", async () => {
  await using good = await suite(CHECK);
  for (const [least, code] of [["0.75", 0], ["0.7501", 4], ["-1", 0]] as const) {
    await using run = await rewardkit([...good.args, "--min-reward", least], { cwd: good.path });
    assert.equal(run.code, code);
    assert.equal(run.stdout, "reward: 0.75\n");
    assert.deepEqual(run.reward, { reward: 0.75 });
    assert.equal(
      run.stderr,
      code === 4 ? "error: reward is 0.75, below --min-reward 0.7501\n" : "",
    );
  }
  await using bad = await suite(BREAKS);
  await using run = await rewardkit([...bad.args, "--min-reward", "0"], { cwd: bad.path });
  assert.equal(run.code, 1);
});

Deno.test("--min-reward looks at every score where none is the main one, in each tests folder", async () => {
  const pass = `import * as rk from "@rewardkit/cli"; rk.fileExists("a.txt");`;
  await using place = await folder({
    "v1/a.ts": pass,
    "v2/one/a.ts": pass,
    "v2/two/a.ts": CHECK,
    "ws/a.txt": "",
  });
  await using run = await rewardkit(["v1", "v2", "-w", "ws", "--min-reward", "0.8"], {
    cwd: place.path,
  });
  assert.equal(run.code, 4);
  assert.deepEqual(run.stderr.match(/^error: .*/gm), [
    "error: v2/two is 0.75, below --min-reward 0.8",
  ]);
});

Deno.test("--junit writes what a reader of JUnit files takes, also when there is no reward", async () => {
  await using graded = await suite(BREAKS);
  await using run = await rewardkit([...graded.args, "--junit", "made/for/junit.xml"], {
    cwd: graded.path,
  });
  assert.equal(run.code, 1);
  const contents = await Deno.readTextFile(`${graded.path}/made/for/junit.xml`);
  assert.equal(junitProblem(contents), null);
  assert.match(contents, /tests="3" failures="1" errors="1"/);
  assert.match(contents, /expected {2}x\nfound {5}a\ufffd\ufffd</, "no control characters");
});

Deno.test("--junit that cannot be written is refused before anything runs", async () => {
  await using graded = await suite(
    `import * as rk from "@rewardkit/cli"; rk.commandSucceeds("touch ran.txt");`,
  );
  for (const path of ["ws/a.txt/junit.xml", "ws"]) {
    await using run = await rewardkit([...graded.args, "--junit", path], { cwd: graded.path });
    assert.equal(run.code, 2);
    assert.match(run.stderr, /^error: Cannot write .*ws/);
  }
  assert.deepEqual([...Deno.readDirSync(`${graded.path}/ws`)].map(({ name }) => name), ["a.txt"]);
});

Deno.test("--junit is written when the time is up, too, and is gone when a run is refused", async () => {
  await using graded = await suite(
    `import * as rk from "@rewardkit/cli"; rk.commandSucceeds("sleep 60");`,
  );
  const args = [...graded.args, "--timeout", "1", "--junit", "junit.xml"];
  await using late = await rewardkit(args, { cwd: graded.path });
  assert.equal(late.code, 1);
  const contents = await Deno.readTextFile(`${graded.path}/junit.xml`);
  assert.equal(junitProblem(contents), null);
  assert.match(contents, /<error message="tests: the run took longer than 1 s and was ended"/);

  await Deno.writeTextFile(`${graded.path}/tests/reward.toml`, "[scoring.nobody]\n");
  await using refused = await rewardkit(args, { cwd: graded.path });
  assert.equal(refused.code, 2);
  await assert.rejects(Deno.stat(`${graded.path}/junit.xml`), Deno.errors.NotFound);
});

Deno.test("--github without a summary that can be written says so, and grades", async () => {
  await using graded = await suite(CHECK);
  for (const flags of [[], ["--quiet"]]) {
    await using run = await rewardkit([...graded.args, "--github", ...flags], {
      cwd: graded.path,
      env: { GITHUB_STEP_SUMMARY: `${graded.path}/none/summary.md` },
    });
    assert.equal(run.code, 0, run.stderr);
    assert.equal(run.stdout, "reward: 0.75\n");
    const isSaid = /^warning: no summary: .*\(GITHUB_STEP_SUMMARY\)$/m.test(run.stderr);
    assert.equal(isSaid, flags.length === 0);
  }
});

Deno.test("--github annotates, writes the summary, and lets nothing else be a command", async () => {
  const hostile = `console.log("::error::injected"); console.log("##[error]injected");`;
  await using graded = await suite(`${BREAKS} ${hostile}`, "a,b:c%0A.ts");
  const summary = `${graded.path}/summary.md`;
  await Deno.writeTextFile(summary, "before\n");
  await using run = await rewardkit([...graded.args, "--github"], {
    cwd: graded.path,
    env: { GITHUB_STEP_SUMMARY: summary, GITHUB_WORKSPACE: graded.path },
  });
  assert.equal(run.code, 1);
  const lines = run.stderr.trimEnd().split("\n");
  const [, token] = /^::stop-commands::(.+)$/.exec(lines[0]!)!;
  const resumed = lines.indexOf(`::${token}::`);
  assert.ok(lines.indexOf("::error::injected") < resumed);
  assert.ok(lines.indexOf("##[error]injected") < resumed);
  assert.deepEqual(lines.slice(resumed + 1), [
    "::error file=tests/a%2Cb%3Ac%250A.ts,title=breaks::boom",
    "::warning file=tests/a%2Cb%3Ac%250A.ts,title=file_contains%3Aa.txt scored 0::" +
    "expected  x%0Afound     a\ufffd\ufffd",
  ]);
  const written = await Deno.readTextFile(summary);
  assert.match(written, /^before\n```text\n! reward[^]*✗ file_contains:a\.txt[^]*\n```\n$/);
});

Deno.test("--github tells of a tests folder that is wrong, too", async () => {
  await using graded = await suite(CHECK);
  await Deno.writeTextFile(`${graded.path}/tests/reward.toml`, "[scoring.nobody]\n");
  await using run = await rewardkit([...graded.args, "--github"], { cwd: graded.path });
  assert.equal(run.code, 2);
  assert.match(run.stderr, /^::error file=tests\/reward\.toml::.*nobody/m);
  assert.equal(run.stdout, "");
});

Deno.test("--verbose shows the tree in a log, standard output stays for the scores", async () => {
  await using graded = await suite(CHECK);
  await using run = await rewardkit([...graded.args, "--verbose"], { cwd: graded.path });
  assert.equal(run.stdout, "reward: 0.75\n");
  assert.match(run.stderr, /^tests\/checks\.ts: 2 criteria, 1 failed, \d\.\d\d s$/m);
  assert.match(
    run.stderr,
    /^~ reward +0\.75\n├─ ✓ file_exists:a\.txt +1 {2}× 3\n└─ ✗ file_contains/m,
  );
  await using json = await rewardkit([...graded.args, "--verbose", "--json"], { cwd: graded.path });
  assert.deepEqual(JSON.parse(json.stdout), { reward: 0.75 });
});
