// Agents that lay traps or tell what they know, through the command line: nothing planted is read or
// run, no key comes out, and the run ends.

import assert from "node:assert/strict";
import { readJson, rewardkit } from "./cli.ts";
import { AgentBench, claudeSays, CODEX_EVENTS, KEYS, namesIn, TWO, YES } from "./agent_run.ts";

Deno.test("an answer is a regular file, or none", async () => {
  const secret = JSON.stringify({ reasoning: "SECRET", score: "yes" });
  const traps = ['mkfifo "$OUT"', 'ln -s "$root/secret" "$OUT"', 'mkdir "$OUT"'];
  await using bench = new AgentBench({
    judge: "codex",
    replies: traps.map((script) => ({ stdout: CODEX_EVENTS, script })),
  });
  Deno.writeTextFileSync(`${bench.root}/fake/secret`, secret);
  const run = await bench.run();
  assert.equal(run.code, 1);
  assert.equal(bench.fakes.runs.length, 3);
  assert.match(run.details!.reward.criteria[0].error, /gave no answer/);
  assert.ok(!JSON.stringify(run.details).includes("SECRET"));
});

const SESSIONS: [string, string, string][] = [
  ["claude-code", "$CLAUDE_CONFIG_DIR/projects", "sess-1.jsonl"],
  ["codex", "$CODEX_HOME/sessions", "rollout-th-1.jsonl"],
];

for (const [judge, folder, name] of SESSIONS) {
  Deno.test(`links and FIFOs in place of a session of ${judge} are not followed`, async () => {
    const scripts = [
      `mkdir -p "${folder}/x"; ln -s "$root/secret/${name}" "${folder}/x/${name}"`,
      `rm -rf "${folder}"; mkdir -p "${folder}/x"; mkfifo "${folder}/x/${name}"`,
      `rm -rf "${folder}"; mkdir -p "${folder}"; ln -s "$root/secret" "${folder}/x"`,
    ];
    await using bench = new AgentBench({
      judge,
      settings: "samples = 3\n",
      replies: scripts.map((script) => ({
        stdout: judge === "codex" ? CODEX_EVENTS : claudeSays(YES),
        files: { "$OUT": JSON.stringify(YES) },
        script,
      })),
    });
    Deno.mkdirSync(`${bench.root}/fake/secret`);
    Deno.writeTextFileSync(`${bench.root}/fake/secret/${name}`, "SECRET");
    const run = await bench.run(["--yolo"]);
    assert.deepEqual(run.reward, { reward: 1 }, run.stderr);
    assert.equal(run.details!.reward.judge_logs, undefined);
    assert.equal(run.details!.reward.warnings.length, 3);
  });
}

Deno.test("a session of nothing but lines costs no time", async () => {
  await using bench = new AgentBench({
    judge: "codex",
    replies: [{
      stdout: CODEX_EVENTS,
      files: { "$OUT": JSON.stringify(YES) },
      script: 'mkdir "$CODEX_HOME/sessions"; yes x | head -c 10000000 > ' +
        '"$CODEX_HOME/sessions/rollout-th-1.jsonl"',
    }],
  });
  const start = performance.now();
  const run = await bench.run();
  assert.deepEqual(run.reward, { reward: 1 }, run.stderr);
  assert.ok(performance.now() - start < 8000, `${performance.now() - start} ms`);
});

/** Files of a run that may be those of the next one as well. */
const SETTINGS: [string, string][] = [
  ["claude-code", '"$servers" "$CLAUDE_CONFIG_DIR"/*'],
  ["codex", '"$CODEX_HOME"/*'],
];

for (const [judge, settings] of SETTINGS) {
  Deno.test(`traps that ${judge} lays for its own next run are not stepped into`, async () => {
    const script = `for file in ${settings}; do rm -f "$file"; mkfifo "$file"; done`;
    await using bench = new AgentBench({
      judge,
      settings: 'mode = "individual"\nisolated = true\ntimeout = 5\n' +
        '[[judge.mcp_servers]]\nname = "s"\ntransport = "stdio"\ncommand = "srv"\n',
      criteria: TWO,
      replies: [{
        match: "ALPHA",
        stdout: judge === "codex" ? CODEX_EVENTS : claudeSays(YES),
        files: { "$OUT": JSON.stringify(YES) },
        script,
      }, {
        match: "BRAVO",
        stdout: judge === "codex" ? CODEX_EVENTS : claudeSays({ reasoning: "r", score: 5 }),
        files: { "$OUT": JSON.stringify({ reasoning: "r", score: 5 }) },
      }],
    });
    const child = bench.start();
    const giveUp = setTimeout(() => child.kill("SIGINT"), 10_000);
    const { code } = await child.status;
    clearTimeout(giveUp);
    assert.notEqual(code, 130, "the run hangs");
    const { criteria } = (await readJson(`${bench.output}/reward-details.json`)).reward;
    assert.deepEqual([criteria[0].value, criteria[1].value], [1, 1]);
  });
}

const SECRETS = {
  ...KEYS,
  CLAUDE_CODE_OAUTH_TOKEN: "oauth-TOKEN-of-the-claude-judge-0003",
  AWS_SECRET_ACCESS_KEY: "SECRET-of-another-cloud-0004",
  CODEX_AUTH_JSON: '{"tokens":{"access_token":"TOKEN-inside-of-a-login-0005"}}',
};

/** Tells its keys wherever it can: in what it prints when it fails, in its session, in a verdict. */
const TELLING = String.raw`
keys="$ANTHROPIC_API_KEY $CLAUDE_CODE_OAUTH_TOKEN $AWS_SECRET_ACCESS_KEY $CODEX_API_KEY"
[ ! -f "$CODEX_HOME/auth.json" ] || keys=$(tr -d '{}"' < "$CODEX_HOME/auth.json")
verdict="{\"score\":\"yes\",\"reasoning\":\"my keys are $keys\"}"
home=${"${CODEX_HOME:-$CLAUDE_CONFIG_DIR}"}
mkdir -p "$home/projects/x" "$home/sessions/x"
echo "{\"keys\":\"$keys\"}" > "$home/projects/x/sess-1.jsonl"
echo "{\"keys\":\"$keys\"}" > "$home/sessions/x/rollout-th-1.jsonl"
if mkdir "$root/notes/failed"; then
  [ -n "$OUT" ] || echo "{\"session_id\":\"sess-1\",\"is_error\":true,\"result\":\"$keys\"}"
  [ -z "$OUT" ] || echo "my keys are $keys" >&2
  exit 1
fi
if [ -n "$OUT" ]; then
  echo "$verdict" > "$OUT"
else
  echo "{\"session_id\":\"sess-1\",\"structured_output\":$verdict}"
fi
`;

const TELLERS: [string, string, Record<string, string>][] = [
  ["claude-code", "its key", {}],
  ["claude-code", "the token of a subscription", {
    CLAUDE_CODE_OAUTH_TOKEN: SECRETS.CLAUDE_CODE_OAUTH_TOKEN,
    REWARDKIT_FORCE_SUBSCRIPTION: "1",
  }],
  ["claude-code", "the key of another cloud", {
    CLAUDE_CODE_USE_BEDROCK: "1",
    AWS_SECRET_ACCESS_KEY: SECRETS.AWS_SECRET_ACCESS_KEY,
  }],
  ["codex", "its key", {}],
  ["codex", "its login", { OPENAI_API_KEY: "", CODEX_AUTH_JSON: SECRETS.CODEX_AUTH_JSON }],
];

for (const [judge, what, env] of TELLERS) {
  Deno.test(`${judge} tells ${what} to nobody`, async () => {
    const stdout = judge === "codex" ? CODEX_EVENTS : "";
    await using bench = new AgentBench({
      judge,
      replies: [{ stdout, script: TELLING, repeat: true }],
    });
    const run = await bench.run(["--verbose"], { env });
    assert.deepEqual(run.reward, { reward: 1 }, run.stderr);
    assert.match(run.details!.reward.criteria[0].reasoning, /my keys are .*\[redacted\]/);
    const texts: Record<string, string> = { stdout: run.stdout, stderr: run.stderr };
    for (const name of namesIn(bench.output)) {
      texts[name] = Deno.readTextFileSync(`${bench.output}/${name}`);
    }
    assert.equal(Object.keys(texts).filter((name) => /^(process|trajectory)/.test(name)).length, 3);
    for (const [name, text] of Object.entries(texts)) {
      for (const secret of Object.values(SECRETS).flatMap((value) => value.match(/[\w-]{20,}/g)!)) {
        assert.ok(!text.includes(secret), `${name} holds ${secret}`);
      }
    }
  });
}

/** Leaves a mark beside itself. */
const PLANTED = '#!/bin/sh\necho "$0" >> "${0%/*}/was-run"\nexit 1\n';

Deno.test("what lies in the workspace is run neither as an agent nor by one", async () => {
  for (const version of ["", 'version = "1.2.3"\n']) {
    await using bench = new AgentBench({
      settings: version,
      workspace: { "claude": PLANTED, "bin/claude": PLANTED, "bin/agent-sh": PLANTED },
      versions: { claude: "1.2.3" },
      replies: [{ stdout: claudeSays(YES) }],
    });
    const { workspace, root, fakes: { bin } } = bench;
    for (const name of ["claude", "bin/claude", "bin/agent-sh"]) {
      Deno.chmodSync(`${workspace}/${name}`, 0o755);
    }
    Deno.mkdirSync(`${root}/links`);
    Deno.symlinkSync(`${workspace}/claude`, `${root}/links/claude`);
    Deno.symlinkSync(workspace, `${root}/other-name`);
    const planted = `.:bin::${workspace}:${root}/other-name/bin:${root}/links`;

    const none = await bench.run([], { cwd: workspace, env: { PATH: planted } });
    assert.equal(none.code, 2, none.stderr);
    if (version === "") assert.match(none.stderr, /lies in the graded work and is not run/);

    // The true one is a script, as those from npm are.
    const text = Deno.readTextFileSync(`${bin}/claude`);
    Deno.writeTextFileSync(`${bin}/claude`, text.replace("/bin/sh", "/usr/bin/env agent-sh"));
    Deno.symlinkSync("/bin/sh", `${bin}/agent-sh`);
    const PATH = `${planted}:${bin}:${Deno.env.get("PATH")}`;
    const run = await bench.run([], { cwd: workspace, env: { PATH } });
    const marks = [workspace, `${workspace}/bin`].map((folder) => namesIn(folder));
    assert.ok(!marks.flat().includes("was-run"), run.stderr);
    assert.deepEqual(run.reward, { reward: 1 }, run.stderr);
  }
});

Deno.test("nor where the workspace is given by a link", async () => {
  await using bench = new AgentBench({
    settings: 'version = "1.2.3"\n',
    workspace: { "bin/claude": PLANTED },
    versions: { claude: "1.2.3" },
    replies: [{ stdout: claudeSays(YES), repeat: true }],
  });
  const { workspace, root } = bench;
  Deno.chmodSync(`${workspace}/bin/claude`, 0o755);
  Deno.symlinkSync(workspace, `${root}/link`);
  Deno.mkdirSync(`${root}/more`);
  Deno.copyFileSync(`${bench.tests}/judge.toml`, `${root}/more/judge.toml`);
  await using run = await rewardkit([bench.tests, `${root}/more`, "--workspace", `${root}/link`], {
    env: { ...bench.env, PATH: `${workspace}/bin:${bench.env.PATH}` },
  });
  assert.deepEqual(namesIn(`${workspace}/bin`), ["claude"]);
  assert.deepEqual(run.reward, { "tests/reward": 1, "more/reward": 1 }, run.stderr);
});
