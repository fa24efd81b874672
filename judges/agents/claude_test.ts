import assert from "node:assert/strict";
import type { McpServer } from "../../src/judge_config.ts";
import { agentTask } from "../../tests/agent_task.ts";
import { claudeCode } from "./claude.ts";

const KEY = { ANTHROPIC_API_KEY: "sk-ant-1" };

Deno.test("claude is asked on standard input, and obeys nothing that lies in the workspace", async () => {
  await using plain = await agentTask();
  const { args, stdin } = await claudeCode.command(plain);
  assert.equal(stdin, "Is it good?");
  assert.deepEqual(args, [
    ...["-p", "--output-format", "json", "--json-schema", '{"type":"object"}'],
    ...["--setting-sources", "user", "--strict-mcp-config"],
  ]);
});

Deno.test("model, effort and isolation of claude are arguments", async () => {
  await using full = await agentTask({
    model: "anthropic/claude-opus-5-5",
    reasoningEffort: "max",
    isolated: true,
  });
  const { args } = await claudeCode.command(full);
  assert.deepEqual(args.slice(-6), [
    ...["--permission-mode", "acceptEdits", "--model", "claude-opus-5-5", "--effort", "max"],
  ]);
  await using other = await agentTask({ model: "bedrock/claude-x" });
  assert.ok((await claudeCode.command(other)).args.includes("bedrock/claude-x"));
});

Deno.test("claude may read a trajectory that lies outside of its folder", async () => {
  const rule = "Read(//logs/agent/trajectory.json)";
  await using outside = await agentTask({ trajectory: "/logs/agent/trajectory.json" });
  assert.ok((await claudeCode.command(outside)).args.includes(rule));
  await using inside = await agentTask({ trajectory: "/app/trajectory.json" });
  assert.ok(!(await claudeCode.command(inside)).args.includes("--allowedTools"));
});

Deno.test("claude's tool servers stand in a file of the run, which only its user can read", async () => {
  const servers: McpServer[] = [
    { name: "loc", transport: "stdio", command: "srv", args: ["--k"], allowedTools: [] },
    { name: "web", transport: "sse", url: "http://h/s", args: [], allowedTools: [] },
    {
      name: "st",
      transport: "streamable-http",
      url: "http://h/m",
      args: [],
      allowedTools: ["a", "b"],
    },
  ];
  await using served = await agentTask({ mcpServers: servers });
  const { args } = await claudeCode.command(served);
  const path = args[args.indexOf("--mcp-config") + 1]!;
  assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
  assert.deepEqual(JSON.parse(await Deno.readTextFile(path)).mcpServers, {
    loc: { type: "stdio", command: "srv", args: ["--k"] },
    web: { type: "sse", url: "http://h/s" },
    st: { type: "http", url: "http://h/m" },
  });
  assert.deepEqual(args.slice(args.indexOf("--allowedTools") + 1), [
    ...["mcp__loc", "mcp__web", "mcp__st__a", "mcp__st__b"],
  ]);
});

Deno.test("claude gets the credential that it needs, and no other", async () => {
  const cases: [Record<string, string>, Record<string, string>][] = [
    [{ ...KEY, OPENAI_API_KEY: "sk-2", CLAUDE_CODE_OAUTH_TOKEN: "oat" }, KEY],
    [
      { ...KEY, CLAUDE_CODE_OAUTH_TOKEN: "oat", REWARDKIT_FORCE_SUBSCRIPTION: "1" },
      { CLAUDE_CODE_OAUTH_TOKEN: "oat" },
    ],
    [{ CLAUDE_CODE_OAUTH_TOKEN: " oat " }, { CLAUDE_CODE_OAUTH_TOKEN: "oat" }],
    [
      { ANTHROPIC_AUTH_TOKEN: "t", ANTHROPIC_API_BASE: "http://h/v1/" },
      { ANTHROPIC_AUTH_TOKEN: "t", ANTHROPIC_BASE_URL: "http://h" },
    ],
    [
      {
        ...KEY,
        CLAUDE_CODE_USE_BEDROCK: "1",
        AWS_REGION: "r",
        AWS_ACCESS_KEY_ID: "i",
        ANTHROPIC_MODEL: "m",
      },
      {
        CLAUDE_CODE_USE_BEDROCK: "1",
        AWS_REGION: "r",
        AWS_ACCESS_KEY_ID: "i",
        ANTHROPIC_MODEL: "m",
      },
    ],
  ];
  for (const [environment, expected] of cases) {
    claudeCode.check!(environment);
    await using one = await agentTask({ environment });
    const { env } = await claudeCode.command(one);
    const credentials = Object.entries(env!).filter(([name]) =>
      !/^(?:DISABLE_|CLAUDE_C\w+_DISABLE_|CLAUDE_CONFIG_DIR)/.test(name)
    );
    assert.deepEqual(Object.fromEntries(credentials), expected);
    assert.equal(env!.CLAUDE_CONFIG_DIR, `${one.folder}/claude`);
  }
  assert.throws(
    () => claudeCode.check!({ HOME: "/nonexistent", OPENAI_API_KEY: "sk-2" }),
    /ANTHROPIC_API_KEY is not set/,
  );
});

Deno.test("a user who has logged in with claude stays logged in", async () => {
  await using one = await agentTask();
  const home = one.folder;
  await Deno.mkdir(`${home}/.claude`);
  await Deno.writeTextFile(`${home}/.claude/.credentials.json`, "{}");
  claudeCode.check!({ HOME: home });
  const { env } = await claudeCode.command({ ...one, environment: { HOME: home } });
  assert.equal(env!.CLAUDE_CONFIG_DIR, `${home}/.claude`);
});

const said = (parts: object) => ({
  code: 0,
  stderr: "",
  stdout: JSON.stringify({ type: "result", is_error: false, result: "done", ...parts }),
});

Deno.test("claude's verdict is its structured output, or else its last words", async () => {
  await using one = await agentTask();
  const read = async (output: Parameters<NonNullable<typeof claudeCode.read>>[0]) =>
    await claudeCode.read!(output, one);
  const verdict = { score: "yes", reasoning: "r" };
  assert.equal((await read(said({ structured_output: verdict }))).text, JSON.stringify(verdict));
  const inResult = said({ structured_output: null, result: JSON.stringify(verdict) });
  assert.equal((await read(inResult)).text, JSON.stringify(verdict));
  assert.equal(
    (await read({ code: 0, stdout: "My verdict: {}", stderr: "" })).text,
    "My verdict: {}",
  );
  const failed = await read(said({ is_error: true, result: "credit too low" }));
  assert.deepEqual([failed.text, failed.failure], [undefined, "credit too low"]);
  const exited = await read({ ...said({ structured_output: verdict }), code: 1, stderr: "boom\n" });
  assert.deepEqual([exited.text, exited.failure], [undefined, "boom"]);
  assert.equal((await read({ code: 1, stdout: "junk", stderr: "" })).failure, "junk");
});

Deno.test("claude's session is found by its id, and never through a link", async () => {
  await using one = await agentTask();
  const projects = `${one.folder}/claude/projects/-app`;
  await Deno.mkdir(projects, { recursive: true });
  await Deno.symlink("/etc/passwd", `${projects}/linked.jsonl`);
  await Deno.writeTextFile(`${projects}/there.jsonl`, "{}\n");
  const log = async (id: string) =>
    (await claudeCode.read!(said({ session_id: id }), one)).sessionLog;
  assert.equal(await log("there"), `${projects}/there.jsonl`);
  for (const id of ["linked", "../../there", "gone"]) assert.equal(await log(id), null, id);
});

Deno.test("what claude says that it used is added up, whatever is missing", async () => {
  await using one = await agentTask();
  const usageOf = async (parts: object) => (await claudeCode.read!(said(parts), one)).usage;
  assert.equal(await usageOf({}), undefined);
  const usage = await usageOf({
    total_cost_usd: 0.5,
    usage: {
      input_tokens: 10,
      cache_creation_input_tokens: 20,
      cache_read_input_tokens: 300,
      output_tokens: 40,
      server_tool_use: { web_search_requests: 2 },
      output_tokens_details: { thinking_tokens: 33 },
    },
    modelUsage: { a: { inputTokens: 1, outputTokens: 2, costUSD: 0.5, contextWindow: 7 }, bad: 5 },
  });
  assert.deepEqual({ ...usage, byModel: Object.keys(usage!.byModel!) }, {
    input: 330,
    output: 40,
    cacheCreation: 20,
    cacheRead: 300,
    reasoning: 33,
    costUsd: 0.5,
    toolRequests: { web_search: 2 },
    byModel: ["a"],
  });
  assert.deepEqual(usage!.byModel!.a!.limits, { context: 7 });
  const odd = await usageOf({ total_cost_usd: "free", usage: { input_tokens: "many" } });
  assert.deepEqual([odd!.input, odd!.costUsd], [0, undefined]);
});
