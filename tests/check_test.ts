// `rewardkit check` through the command line: what judges would be sent, and what would keep a
// tests folder from grading, without a call.

import assert from "node:assert/strict";
import { type CliRun, folder, rewardkit } from "./cli.ts";
import { startModelServer } from "./model_server.ts";

async function check(args: string[], env: Record<string, string>): Promise<CliRun> {
  await using run = await rewardkit(["check", ...args], {
    env: { ANTHROPIC_API_KEY: "", OPENAI_API_KEY: "", ...env },
  });
  return run;
}

const JUDGE = `[judge]
judge = "anthropic/claude-opus-5-5"
files = ["report.md", "gone.md", "picture.png"]
reference = "/REFERENCE"
samples = 3
guard = "flag"

[[criterion]]
name = "clear"
description = "Is the conclusion clear?"

[[criterion]]
name = "tidy"
description = "How tidy is it?"
type = "likert"
`;

Deno.test("check shows what judges would be sent, and calls nothing", async () => {
  await using tests = await folder({
    "checks.ts": 'import * as rk from "@rewardkit/cli";\nrk.fileExists("report.md");\n',
    "notes.toml": 'title = "x"\n',
    "expected.md": "The expected report.\n",
  });
  await Deno.writeTextFile(
    `${tests.path}/quality.toml`,
    JUDGE.replace("/REFERENCE", `${tests.path}/expected.md`),
  );
  await using workspace = await folder({ "report.md": "# Report\n\nAll is well.\n" });
  await Deno.copyFile(
    new URL("../fixtures/documents/picture.png", import.meta.url),
    `${workspace.path}/picture.png`,
  );
  await using server = startModelServer([]);
  const args = [tests.path, "--workspace", workspace.path];
  const { code, stdout, stderr } = await check(args, server.environment);
  assert.equal(code, 0, stderr);
  assert.equal(server.requests.length, 0);
  assert.match(stdout, /file_exists:report\.md/);
  assert.match(
    stdout,
    /quality\.toml would send 3 calls with about [\d,]+ tokens to anthropic\/claude-opus-5-5, effort medium/,
  );
  assert.match(stdout, /criteria: clear \(binary\), tidy \(likert\), guard \(binary\)/);
  assert.match(stdout, /file report\.md: 23 bytes, about \d+ tokens/);
  assert.match(stdout, /file gone\.md: does not exist/);
  assert.match(stdout, /file picture\.png: 291 bytes, about 1,600 tokens/);
  assert.match(stdout, /reference .*expected\.md: 21 bytes/);
  assert.match(stdout, /ignored: notes\.toml/);

  const json = await check([...args, "--json"], server.environment);
  const { judges: { [`${tests.path}/quality.toml`]: judge } } = JSON.parse(json.stdout);
  assert.deepEqual([judge.model, judge.calls], ["anthropic/claude-opus-5-5", 3]);
  assert.ok(judge.tokens > 3 * 1600 && judge.tokens < 10_000);
});

Deno.test("check works before there is a workspace, and says so", async () => {
  await using tests = await folder({
    "quality.toml": '[judge]\nfiles = ["a.md"]\n[[criterion]]\ndescription = "Is it right?"\n',
  });
  const args = [tests.path, "--workspace", "/nowhere/at/all"];
  const { code, stdout, stderr } = await check(args, { ANTHROPIC_API_KEY: "key" });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /the workspace \/nowhere\/at\/all is not there yet/);
  assert.match(stdout, /note: nothing to judge yet: a\.md does not exist/);
});

Deno.test("check fails on a missing key, reference or template, all of them at once", async () => {
  const criterion = '[[criterion]]\ndescription = "Is it right?"\n';
  await using tests = await folder({
    "key.toml": `[judge]\njudge = "openai/gpt-5"\n${criterion}`,
    "reference.toml": `[judge]\nreference = "gone.md"\n${criterion}`,
    "outside.toml": `[judge]\nreference = "/nowhere/gone.md"\n${criterion}`,
    "service.toml": `[judge]\njudge = "nobody/m"\n${criterion}`,
  });
  await using workspace = await folder({});
  const args = [tests.path, "--workspace", workspace.path];
  const { code, stdout, stderr } = await check(args, { ANTHROPIC_API_KEY: "key" });
  assert.equal(code, 2);
  assert.equal(stdout, "");
  assert.match(stderr, /key\.toml.*OPENAI_API_KEY is not set/);
  assert.match(stderr, /outside\.toml.*the reference "\/nowhere\/gone\.md" does not exist/);
  assert.match(stderr, /service\.toml.*"nobody", which is not known/);

  await using other = await folder({
    "reference.toml": `[judge]\nreference = "gone.md"\n${criterion}`,
    "template.toml": `[judge]\nprompt_template = "gone.md"\n${criterion}`,
  });
  const second = await check([other.path, "-w", workspace.path], { ANTHROPIC_API_KEY: "key" });
  assert.equal(second.code, 2);
  assert.match(
    second.stderr,
    /template\.toml.*"prompt_template" is "gone\.md", which cannot be read/,
  );

  await using third = await folder({
    "reference.toml": `[judge]\nreference = "gone.md"\n${criterion}`,
  });
  const last = await check([third.path, "-w", workspace.path], { ANTHROPIC_API_KEY: "key" });
  assert.equal(last.code, 2);
  assert.match(last.stderr, /reference\.toml.*the reference "gone\.md" is not there/);
});

const IMPORT = 'import * as rk from "@rewardkit/cli";\n';

Deno.test("check tells every kind of mistake of a tests folder with its place", async () => {
  await using tests = await folder({
    "q.toml":
      '[judge]\nmodle = "x"\n\n[[criterion]]\ndescription = "d"\ntype = "likert"\npoints = 1\n',
    "reward.toml": '[[reward]]\nname = "reward"\nagregation = "all-pass"\n',
  });
  const { code, stderr } = await check([tests.path, "--workspace", "/"], {});
  assert.equal(code, 2);
  for (
    const message of [
      'q.toml:7:1: [[criterion]] 1: "points" is 1',
      'q.toml:2:1: [judge]: unknown key "modle"',
      'reward.toml:3:1: [[reward]] 1: unknown key "agregation"',
    ]
  ) {
    assert.ok(stderr.includes(`error: ${tests.path}/${message}`), stderr);
  }
});

Deno.test("check warns of what is there for nothing", async () => {
  await using tests = await folder({
    "a.ts": `${IMPORT}import "./used.ts";\n` +
      'rk.fileExists("a");\nrk.fileExists("a");\nrk.fileExists("b", { weight: 0 });\n',
    "gate.ts": `${IMPORT}rk.fileExists("a", { weight: 3 });\n`,
    "used.ts": "export {};\n",
    "unused.ts": "export {};\n",
    "reward.toml": '[scoring.gate]\naggregation = "all_pass"\n',
  });
  await using workspace = await folder({});
  const args = [tests.path, "--workspace", workspace.path, "--no-types"];
  const { code, stderr } = await check(args, {});
  assert.equal(code, 0, stderr);
  for (
    const message of [
      'a.ts: 2 criteria are called "file_exists:a" and cannot be told apart',
      'a.ts: "file_exists:b" has the weight 0 and never counts',
      "gate.ts: the weights of its criteria never count with all-pass",
      "unused.ts: registers no criteria, and no check file imports it",
    ]
  ) assert.ok(stderr.includes(`warning: ${tests.path}/${message}`), stderr);
  assert.ok(!stderr.includes("/used.ts"), stderr);
});
