// Agent judges through the command line, with programs that stand in for agents.

import assert from "node:assert/strict";
import { AgentBench, claudeSays, KEYS, namesIn, TWO, YES } from "./agent_run.ts";

const CHECKS = `import * as rk from "@rewardkit/cli";
rk.commandSucceeds("sleep 0.3; touch done.txt");
`;

Deno.test("a verdict in the last words of claude counts", async () => {
  await using bench = new AgentBench({
    replies: [{
      stdout: claudeSays(undefined, {
        result: `I looked at {everything}.\n\`\`\`json\n${
          JSON.stringify(YES)
        }\n\`\`\`\nThat is all.`,
      }),
    }],
  });
  const run = await bench.run();
  assert.deepEqual(run.reward, { reward: 1 }, run.stderr);
  assert.equal(bench.fakes.runs.length, 1);
  assert.equal(run.details!.reward.criteria[0].reasoning, "because");
});

Deno.test("questions of one sample share a view, and nobody else sees it", async () => {
  const second = (score: number) => ({
    match: "BRAVO",
    stdout: claudeSays({ reasoning: "r", score }),
  });
  await using bench = new AgentBench({
    settings: 'mode = "individual"\nsamples = 3\nisolated = true\n',
    criteria: TWO,
    replies: [
      {
        match: "ALPHA",
        repeat: true,
        stdout: claudeSays(YES),
        script: "echo x > seen-by-$(cat /proc/sys/kernel/random/uuid)",
      },
      ...[2, 5, 4].map(second),
    ],
  });
  const run = await bench.run();
  const { criteria, usage } = run.details!.reward;
  assert.deepEqual([criteria[0].value, criteria[1].value, criteria[1].raw], [1, 0.75, 4]);
  assert.deepEqual(criteria[1].samples.toSorted(), [2, 4, 5]);
  assert.deepEqual([usage.input_tokens, usage.cost_usd], [600, 1.5]);
  const { runs } = bench.fakes;
  const [alpha, bravo] = ["ALPHA", "BRAVO"].map((word) =>
    runs.filter(({ stdin }) => stdin.includes(word))
  );
  assert.deepEqual(alpha!.map(({ cwdFiles }) => cwdFiles), [["a.txt"], ["a.txt"], ["a.txt"]]);
  for (const { cwdFiles } of bravo!) assert.match(cwdFiles.join(), /^a\.txt,seen-by-[\da-f-]+$/);
  assert.equal(new Set(bravo!.map(({ cwdFiles }) => cwdFiles.join())).size, 3);
  assert.deepEqual(namesIn(bench.workspace), ["a.txt"]);
  assert.deepEqual(bench.temporary, []);
});

const JUDGE = '[judge]\njudge = "codex"\nisolated = true\nsamples = 2\n' +
  '[[criterion]]\nname = "other"\ndescription = "Is it?"\n';

Deno.test("--max-concurrent-agent limits agents, those of all judges together", async () => {
  const several = {
    settings: "isolated = true\nsamples = 2\n",
    tests: { "second.toml": JUDGE },
  };
  const reply = { stdout: claudeSays(YES), files: { "$OUT": JSON.stringify(YES) } };
  const mostAtOnce = ({ fakes }: AgentBench) =>
    Math.max(...fakes.runs.map(({ running }) => running));

  await using alone = new AgentBench({ ...several, replies: [{ ...reply, repeat: true }] });
  const serial = await alone.run(["--max-concurrent-agent", "1"]);
  assert.deepEqual(serial.reward, { reward: 1 }, serial.stderr);
  assert.deepEqual([alone.fakes.runs.length, mostAtOnce(alone)], [4, 1]);

  // The first two wait for each other; who has seen the other stays to be seen as well.
  const script = 'time=0; while [ "$(ls "$root/running" | wc -l)" -lt 2 ] && [ $time -lt 100 ]; ' +
    "do sleep 0.05; time=$((time + 1)); done; [ $time -lt 100 ] || exit 1; sleep 1";
  await using paired = new AgentBench({
    ...several,
    replies: [{ ...reply, script }, { ...reply, script }, { ...reply, repeat: true }],
  });
  const parallel = await paired.run(["--max-concurrent-agent", "2"]);
  assert.deepEqual(parallel.reward, { reward: 1 }, parallel.stderr);
  assert.deepEqual([paired.fakes.runs.length, mostAtOnce(paired)], [4, 2]);
});

Deno.test("several runs in one workspace are refused before anything starts, but for --yolo", async () => {
  await using bench = new AgentBench({
    settings: "samples = 3\n",
    tests: { "checks.ts": CHECKS },
    replies: [{ stdout: claudeSays(YES), repeat: true }],
  });
  const refused = await bench.run();
  assert.equal(refused.code, 2);
  assert.match(
    refused.stderr,
    /judge\.toml: .*more than one run.*\nhint: .*isolated = true.*--yolo/,
  );
  assert.equal(refused.details, null);
  assert.deepEqual(bench.fakes.calls, []);
  assert.deepEqual(namesIn(bench.workspace), ["a.txt"]);

  const shared = await bench.run(["--yolo"]);
  assert.deepEqual(shared.reward, { reward: 1 }, shared.stderr);
  assert.deepEqual(bench.fakes.runs.map(({ cwd }) => cwd), Array(3).fill(bench.workspace));
});

Deno.test("agents start when the check files are done", async () => {
  await using bench = new AgentBench({
    settings: "isolated = true\n",
    tests: { "checks.ts": CHECKS, "second.toml": JUDGE },
    replies: [{
      stdout: claudeSays(YES),
      files: { "$OUT": JSON.stringify(YES) },
      repeat: true,
    }],
  });
  const run = await bench.run();
  assert.deepEqual(run.reward, { reward: 1 }, run.stderr);
  const { runs } = bench.fakes;
  assert.deepEqual(runs.map(({ cwdFiles }) => cwdFiles), Array(3).fill(["a.txt", "done.txt"]));
});

Deno.test("a missing key or program is told before anything starts", async () => {
  const problems: [string, string[], Record<string, string>, RegExp][] = [
    ["claude-code", ["claude"], { ANTHROPIC_API_KEY: "" }, /ANTHROPIC_API_KEY is not set/],
    ["codex", ["codex"], { OPENAI_API_KEY: "" }, /OPENAI_API_KEY is not set/],
    ["claude-code", [], {}, /hint: .*npm install -g @anthropic-ai\/claude-code/],
    ["codex", [], {}, /hint: .*npm install -g @openai\/codex/],
  ];
  for (const [judge, tools, env, message] of problems) {
    await using bench = new AgentBench({ judge, tools, tests: { "checks.ts": CHECKS } });
    const PATH = `${bench.fakes.bin}:${bench.root}/none`;
    const run = await bench.run([], { env: { PATH, ...env } });
    assert.equal(run.code, 2, run.stderr);
    assert.match(run.stderr, message);
    assert.match(run.stderr, /judge\.toml/);
    assert.deepEqual([run.details, bench.fakes.calls], [null, []]);
    assert.deepEqual(namesIn(bench.workspace), ["a.txt"]);
  }
});

Deno.test("check shows an agent judge, and starts nothing but --version", async () => {
  await using bench = new AgentBench({
    settings:
      'model = "anthropic/claude-opus-5-5"\nmode = "individual"\nsamples = 3\nisolated = true\n' +
      'guard = "flag"\nreasoning_effort = "high"\nversion = "1.2.3"\n',
    criteria: TWO,
    versions: { claude: "1.2.3 (Claude Code)" },
  });
  const { code, stdout, stderr } = await bench.run([], { command: "check" });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /judge\.toml would make 9 runs of claude-code with anthropic\/claude-opus/);
  assert.match(stdout, /about [\d,]+ tokens, effort high/);
  assert.match(stdout, /criteria: first \(binary\), second \(likert\), guard \(binary\)/);
  assert.ok(stdout.includes(`runs ${bench.fakes.bin}/claude`), stdout);
  assert.deepEqual(bench.fakes.calls.map(({ args }) => args), [["--version"]]);
  const { env } = bench.fakes.calls[0]!;
  assert.deepEqual(Object.keys(env).filter((name) => name in KEYS), []);
  assert.deepEqual(bench.temporary, []);
});

Deno.test("judge logs go beside the reward, or where REWARDKIT_LOG_DIR says", async () => {
  const log = '{"type":"user","message":"of the session"}\n';
  const files = { "$HOME/.claude/projects/-ws/sess-1.jsonl": log };
  const broken = { stdout: "half a wo", stderr: "no more memory\n", code: 3 };
  for (const name of ["out", "logs/deep"]) {
    await using bench = new AgentBench({
      replies: [broken, { stdout: claudeSays(YES), files }],
    });
    const folder = `${bench.root}/${name}`;
    const run = await bench.run([], { env: name === "out" ? {} : { REWARDKIT_LOG_DIR: folder } });
    assert.deepEqual(run.reward, { reward: 1 }, run.stderr);
    const paths: string[] = run.details!.reward.judge_logs;
    const [failed, session] = paths as [string, string];
    assert.equal(paths.length, 2);
    assert.match(failed.slice(folder.length), /^\/process\.claude-code\.batched-1\.\w{32}\.txt$/);
    assert.match(
      session.slice(folder.length),
      /^\/trajectory\.claude-code\.batched-2\.\w{32}\.jsonl$/,
    );
    assert.match(Deno.readTextFileSync(failed), /code: 3[^]*half a wo[^]*no more memory/);
    assert.equal(Deno.readTextFileSync(session), log);
    assert.deepEqual(paths.map((path) => Deno.statSync(path).isFile), [true, true]);
  }
});

Deno.test("an agent that a script adds judges", async () => {
  await using bench = new AgentBench({
    judge: "house-agent",
    settings: 'model = "big"\n',
    tools: ["claude"],
    replies: [{ stdout: JSON.stringify(YES) }],
  });
  const script = `${bench.root}/grade.ts`;
  await Deno.writeTextFile(
    script,
    `import { registerAgent, run } from ${JSON.stringify(new URL("../mod.ts", import.meta.url))};
registerAgent({
  name: "house-agent",
  program: ${JSON.stringify(`${bench.fakes.bin}/claude`)},
  command: ({ prompt, model, environment }) => ({
    args: ["--answer", model ?? ""],
    stdin: prompt,
    env: { HOUSE_KEY: environment.ANTHROPIC_API_KEY ?? "" },
  }),
});
const [tests, workspace] = Deno.args as [string, string];
console.log(JSON.stringify(await run(tests, { workspace, output: null })));
`,
  );
  const config = new URL("../deno.json", import.meta.url).pathname;
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-A", "--quiet", "--config", config, script],
      ...[bench.tests, bench.workspace],
    ],
    env: bench.env,
  }).output();
  const [printed, said] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assert.equal(printed, '{"reward":1}\n', said);
  assert.equal(bench.fakes.runs.length, 1);
  const { args, stdin, env } = bench.fakes.runs[0]!;
  assert.deepEqual(args, ["--answer", "big"]);
  assert.match(stdin, /Is it right\?/);
  assert.equal(env.HOUSE_KEY, KEYS.ANTHROPIC_API_KEY);
  assert.deepEqual(Object.keys(env).filter((name) => name in KEYS), []);
});
