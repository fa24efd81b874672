import assert from "node:assert/strict";
import type { JudgeConfig } from "../judge_config.ts";
import { settingsOf } from "../judge_config.ts";
import { type JudgeOptions, readJudgeToml } from "./judge_toml.ts";
import { Problems } from "./problems.ts";
import { parseToml } from "./toml.ts";

interface Read {
  config: JudgeConfig;
  problems: string[];
  warnings: readonly string[];
}

async function read(toml: string, options: JudgeOptions = {}): Promise<Read> {
  const problems = new Problems();
  const table = await parseToml(new TextEncoder().encode(toml), "q.toml", problems);
  const config = readJudgeToml(table!, "/tests/q.toml", options);
  return {
    config,
    problems: problems.errors.map(({ message }) => message.replace(/^q\.toml(:\d+:\d+)?: /, "")),
    warnings: problems.warnings.map(({ message }) => message),
  };
}

const CRITERION = '\n[[criterion]]\ndescription = "Is it good?"\n';

Deno.test("readJudgeToml() fills in every default", async () => {
  const { config, problems, warnings } = await read(CRITERION);
  assert.deepEqual(problems, []);
  assert.deepEqual(warnings, []);
  assert.deepEqual(JSON.parse(JSON.stringify(config)), {
    kind: "llm",
    judge: "anthropic/claude-opus-5-5",
    timeoutSec: 300,
    weight: 1,
    mode: "batched",
    samples: 1,
    guard: "off",
    files: [],
    isolated: false,
    mcpServers: [],
    reasoningEffort: "medium",
    scoring: { aggregation: "weighted-mean", spelling: "weighted-mean" },
    criteria: [{
      name: "is_it_good",
      description: "Is it good?",
      scale: { type: "binary" },
      weight: 1,
      negate: false,
      optional: false,
    }],
  });
});

Deno.test("readJudgeToml() reads an agent judge with its tool servers", async () => {
  const { config, problems } = await read(`
[judge]
judge = "claude-code"
model = "anthropic/claude-b"
version = "v1.2.3"
reasoning_effort = "max"
isolated = true
cwd = "sub"
atif-trajectory = "/t.json"
[[judge.mcp_servers]]
name = "loc"
transport = "stdio"
command = "srv"
args = ["--k", "$MARK"]
[[judge.mcp_servers]]
name = "web"
transport = "http"
url = "http://127.0.0.1:9/m"
allowed_tools = ["t1"]
${CRITERION}`);
  assert.deepEqual(problems, []);
  assert.deepEqual(settingsOf(config), {
    agent: "claude-code",
    model: "anthropic/claude-b",
    version: "1.2.3",
    reasoning_effort: "max",
    timeout: 300,
    cwd: "sub",
    isolated: true,
    atif_trajectory: "/t.json",
    mcp_servers: [
      {
        name: "loc",
        transport: "stdio",
        url: null,
        command: "srv",
        args: ["--k", "$MARK"],
        allowed_tools: [],
      },
      {
        name: "web",
        transport: "streamable-http",
        url: "http://127.0.0.1:9/m",
        command: null,
        args: [],
        allowed_tools: ["t1"],
      },
    ],
    mode: "batched",
    samples: 1,
    guard: "off",
  });
});

Deno.test("readJudgeToml() says which judge takes a key that this one does not", async () => {
  const agent = await read(
    `[judge]\njudge = "codex"\nfiles = ["a"]\nreference = "b"\n${CRITERION}files = ["c"]\n`,
  );
  assert.deepEqual(agent.problems, [
    '[judge]: "files" is for LLM judges, and "codex" is an agent: it looks at the workspace itself',
    '[judge]: "reference" is for LLM judges, and "codex" is an agent: it looks at the workspace itself',
    'criterion "is_it_good" has "files", which is for LLM judges',
  ]);
  const llm = await read(`[judge]\njudge = "openai/x"\nmodel = "m"\ncwd = "d"\n${CRITERION}`);
  assert.deepEqual(llm.problems, [
    '[judge]: "model" is for agent judges, and "openai/x" is a model',
    '[judge]: "cwd" is for agent judges, and "openai/x" is a model',
  ]);
});

Deno.test("readJudgeToml() lets the run swap the judge without touching the TOML", async () => {
  const toml = `[judge]\njudge = "claude-code"\nmodel = "m"\nisolated = true\n${CRITERION}`;
  const llm = await read(toml, { judge: "openai/gpt-x", reasoningEffort: "high" });
  assert.deepEqual(llm.problems, []);
  assert.equal(llm.config.kind, "llm");
  assert.equal(llm.config.judge, "openai/gpt-x");
  assert.equal(llm.config.model, undefined);
  assert.equal(llm.config.reasoningEffort, "high");

  const other = await read(`[judge]\nfiles = ["a"]\nreasoning_effort = "none"\n${CRITERION}`, {
    judge: "claude-code",
    model: "m2",
  });
  assert.deepEqual(other.problems, []);
  assert.equal(other.config.model, "m2");
  assert.deepEqual(other.config.files, []);
  assert.equal(other.config.reasoningEffort, undefined);
});

Deno.test("readJudgeToml() knows agents that a script adds", async () => {
  const toml = `[judge]\njudge = "mine"\nreasoning_effort = "odd"\n${CRITERION}`;
  const added = await read(toml, { agents: ["mine"] });
  assert.deepEqual(added.problems, []);
  assert.equal(added.config.kind, "agent");
  assert.equal((await read(toml)).config.kind, "llm");
  assert.equal((await read(`[judge]\njudge = "toString"${CRITERION}`)).config.kind, "llm");
});

Deno.test("readJudgeToml() checks what an agent takes", async () => {
  const table: [string, RegExp][] = [
    [
      'judge = "claude-code"\nreasoning_effort = "minimal"',
      /"minimal", expected one of low, medium/,
    ],
    ['judge = "codex"\nreasoning_effort = "ultra"', /expected one of none, minimal/],
    ['judge = "claude-code"\nversion = "latest"', /"version" is "latest"/],
    [
      'judge = "codex"\nmcp_servers = [{ name = "m", url = "http://x" }]',
      /no tool server with the sse/,
    ],
    [
      'judge = "codex"\nmcp_servers = [{ url = "http://x", transport = "http" }]',
      /"name" is missing/,
    ],
    ['judge = "codex"\nisolated = true\ncwd = "../x"', /outside the workspace \/app/],
  ];
  for (const [judge, message] of table) {
    const { problems } = await read(`[judge]\n${judge}\n${CRITERION}`);
    assert.equal(problems.length, 1, judge);
    assert.match(problems[0]!, message);
  }
  const inside = `[judge]\njudge = "codex"\nisolated = true\ncwd = "/ws/..sub"\n${CRITERION}`;
  assert.deepEqual((await read(inside, { workspace: "/ws" })).problems, []);
});

Deno.test("readJudgeToml() reads polarity and importance from annotations", async () => {
  const { config } = await read(`
[judge]
mode = "individual"
[[criterion]]
description = "a"
annotations = { type = "Negative hurdle", importance = "Optional" }
[[criterion]]
description = "b"
annotations = { type = "NEGATIVE", importance = ["optional"] }
negate = false
[[criterion]]
description = "c"
annotations = { type = 5, importance = "must have", more = { deep = [1] } }
`);
  assert.deepEqual(config.criteria.map(({ negate, optional }) => [negate, optional]), [
    [true, true],
    [false, true],
    [false, false],
  ]);
});

Deno.test("readJudgeToml() names criteria, also where no letter is left", async () => {
  const { config, problems } = await read(
    ["A&B  c", "你好", "再见", "Ünï"].map((d) => `[[criterion]]\ndescription = "${d}"\n`).join(""),
  );
  assert.deepEqual(problems, []);
  assert.deepEqual(config.criteria.map(({ name }) => name), [
    "a_b_c",
    "criterion_1",
    "criterion_2",
    "n",
  ]);
});

Deno.test("readJudgeToml() keeps the guard's name free, and equal names to individual mode", async () => {
  const two = '\n[[criterion]]\nname = "guard"\ndescription = "d"\n'.repeat(2);
  assert.deepEqual((await read(`[judge]\nguard = "flag"\n${two}`)).problems, [
    'two criteria are called "guard"',
    'the name "guard" is taken while the guard is on',
  ]);
  assert.deepEqual((await read(`[judge]\nmode = "individual"\n${two}`)).problems, []);
});

Deno.test("readJudgeToml() warns of an even number of samples and an empty description", async () => {
  const { warnings } = await read('[judge]\nsamples = 4\n[[criterion]]\ndescription = " "\n');
  assert.equal(warnings.length, 2);
  assert.match(warnings[0]!, /description is empty/);
  assert.match(warnings[1]!, /even number of samples \(4\)/);
});
