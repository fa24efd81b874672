import assert from "node:assert/strict";
import { agentTask } from "../../tests/agent_task.ts";
import type { AgentOutput } from "./agent.ts";
import { codex } from "./codex.ts";

const KEY = { OPENAI_API_KEY: "sk-1" };

Deno.test("codex gets its prompt on standard input, and files of the run's own", async () => {
  await using one = await agentTask({
    environment: KEY,
    model: "openai/gpt-5.6-sol",
    reasoningEffort: "high",
  });
  const { args, stdin, env } = await codex.command(one);
  const home = `${one.folder}/codex`;
  assert.equal(stdin, "Is it good?");
  assert.deepEqual(env, { CODEX_HOME: home, CODEX_API_KEY: "sk-1" });
  assert.deepEqual(args.slice(-7), [
    ...["-m", "gpt-5.6-sol", "-c", "model_reasoning_effort=high", "-C", "/app", "-"],
  ]);
  const schema = args[args.indexOf("--output-schema") + 1]!;
  assert.equal(await Deno.readTextFile(schema), '{"type":"object"}');
  const config = await Deno.readTextFile(`${home}/config.toml`);
  assert.match(config, /^project_doc_max_bytes = 0$/m);
  assert.match(config, /^skills\.include_instructions = false$/m);
  assert.match(config, /^shell_environment_policy\.exclude = \["\*KEY\*"/m);
  assert.doesNotMatch(config, /model_provider/);
});

Deno.test("codex's credential is a key, or the text of a login where there is none", async () => {
  const login = '{"tokens": {"access_token": "x"}}';
  const both = { ...KEY, CODEX_AUTH_JSON: login };
  const forced = { ...both, REWARDKIT_FORCE_SUBSCRIPTION: "true" };
  for (const [environment, key] of [[both, "sk-1"], [forced, null]] as const) {
    codex.check!(environment);
    await using one = await agentTask({ environment });
    const { env } = await codex.command(one);
    assert.equal(env!.CODEX_API_KEY ?? null, key);
    const auth = `${one.folder}/codex/auth.json`;
    const written = await Deno.readTextFile(auth).catch(() => null);
    assert.equal(written, key === null ? login : null);
    if (key === null) assert.equal((await Deno.stat(auth)).mode! & 0o777, 0o600);
  }
  const refused: [Record<string, string>, RegExp][] = [
    [{}, /OPENAI_API_KEY is not set/],
    [{ CODEX_AUTH_JSON: "nope" }, /CODEX_AUTH_JSON is no JSON object/],
    [{ ...KEY, REWARDKIT_FORCE_SUBSCRIPTION: "1" }, /CODEX_AUTH_JSON is not set/],
  ];
  for (const [environment, message] of refused) {
    assert.throws(() => codex.check!(environment), message);
  }
});

Deno.test("codex is pointed to a gateway, and to its tool servers, by its configuration", async () => {
  await using one = await agentTask({
    environment: { ...KEY, OPENAI_BASE_URL: "http://gateway/v1/" },
    mcpServers: [
      { name: "lo.c", transport: "stdio", command: "srv", args: ['"a"'], allowedTools: [] },
      {
        name: "st",
        transport: "streamable-http",
        url: "http://h/m",
        args: [],
        allowedTools: ["t1"],
      },
    ],
  });
  await codex.command(one);
  const { parse } = await import("smol-toml");
  const toml = parse(await Deno.readTextFile(`${one.folder}/codex/config.toml`));
  const config = JSON.parse(JSON.stringify(toml));
  assert.equal(config.model_provider, "rewardkit");
  assert.deepEqual(config.model_providers, {
    rewardkit: {
      name: "rewardkit",
      base_url: "http://gateway/v1",
      env_key: "CODEX_API_KEY",
      wire_api: "responses",
    },
  });
  assert.deepEqual(config.mcp_servers, {
    "lo.c": {
      command: "srv",
      args: ['"a"'],
      env_vars: ["REWARDKIT_RUN"],
      required: true,
      default_tools_approval_mode: "approve",
    },
    st: {
      url: "http://h/m",
      enabled_tools: ["t1"],
      required: true,
      default_tools_approval_mode: "approve",
    },
  });
});

const lines = (...events: object[]): AgentOutput => ({
  code: 0,
  stdout: ["a remark", ...events.map((event) => JSON.stringify(event))].join("\n"),
  stderr: "",
});
const started = { type: "thread.started", thread_id: "th-1" };
const message = (text: string) => ({
  type: "item.completed",
  item: { type: "agent_message", text },
});
const completed = {
  type: "turn.completed",
  usage: {
    input_tokens: 1000,
    cached_input_tokens: 600,
    output_tokens: 50,
    reasoning_output_tokens: 20,
  },
};

Deno.test("codex's verdict is its answer's file, or else its last message", async () => {
  await using one = await agentTask({ environment: KEY });
  await codex.command(one);
  const text = async (output: AgentOutput) => (await codex.read!(output, one)).text;
  assert.equal(await text(lines(started, message("a"), message("b"), completed)), "b");
  const answer = `${one.folder}/answer.json`;
  await Deno.symlink("/etc/passwd", answer);
  assert.equal(await text(lines(message("b"), completed)), "b");
  await Deno.remove(answer);
  await Deno.writeTextFile(answer, "file");
  assert.equal(await text(lines(message("b"), completed)), "file");
});

Deno.test("a failed turn of codex is a failure, an error that it got over is none", async () => {
  await using one = await agentTask({ environment: KEY });
  const failure = async (output: AgentOutput) => (await codex.read!(output, one)).failure;
  const failed = { type: "turn.failed", error: { message: "quota gone" } };
  const error = { type: "error", message: "Reconnecting 1/5" };
  assert.equal(await failure(lines(started, message("x"), failed)), "quota gone");
  assert.equal(await failure(lines(started, error, message("x"), completed)), undefined);
  assert.equal(await failure(lines(started, message("x"), error)), "Reconnecting 1/5");
  assert.equal(await failure({ code: 2, stdout: "", stderr: "no such flag\n" }), "no such flag");
  assert.equal(await failure(lines(started, completed)), "it gave no answer");
});

Deno.test("codex's cost is priced from its record, if that agrees with its output", async () => {
  await using one = await agentTask({ environment: KEY, model: "openai/gpt-5.6-sol" });
  const sessions = `${one.folder}/codex/sessions/2026/01/01`;
  await Deno.mkdir(sessions, { recursive: true });
  const record = (input: number, model = "gpt-5.6-sol") =>
    [
      { type: "turn_context", payload: { model } },
      { type: "event_msg", payload: { type: "token_count", info: null } },
      { type: "response_item", payload: { type: "message", role: "assistant" } },
      {
        type: "event_msg",
        payload: {
          type: "token_count",
          info: { last_token_usage: { ...completed.usage, input_tokens: input } },
        },
      },
    ].map((line) => JSON.stringify(line)).join("\n");
  const usage = async (text: string) => {
    await Deno.writeTextFile(`${sessions}/rollout-x-th-1.jsonl`, text);
    const output = lines(started, message("x"), completed);
    return (await codex.read!(output, one)).usage!;
  };
  const priced = await usage(record(1000));
  assert.ok(priced.costUsd! > 0 && priced.isEstimate);
  assert.equal(priced.byModel!["gpt-5.6-sol"]!.costUsd, priced.costUsd);
  for (const text of [record(999), record(1000, "gpt-unheard-of"), "", "{}\n[1]"]) {
    const unpriced = await usage(text);
    assert.deepEqual([unpriced.input, unpriced.costUsd], [1000, undefined]);
    assert.deepEqual(Object.keys(unpriced.byModel!), ["gpt-5.6-sol"]);
  }
});
