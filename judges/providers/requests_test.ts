// What the real SDKs send to a stand-in: the form of each API, for each kind of model.

import assert from "node:assert/strict";
import { type Reply, type SeenRequest, startModelServer } from "../../tests/model_server.ts";
import { ModelCallError, type ModelRequest } from "../model.ts";
import { resolveModel } from "./models.ts";
import { PROVIDERS } from "./provider_table.ts";

const SCHEMA = {
  type: "object",
  properties: { reasoning: { type: "string" }, score: { type: "integer" } },
  required: ["reasoning", "score"],
  additionalProperties: false,
};

const REQUEST: ModelRequest = {
  system: "SYSTEM",
  blocks: [
    { type: "text", text: "look" },
    { type: "image", mediaType: "image/png", bytes: new Uint8Array([1, 2, 3]) },
  ],
  schema: SCHEMA,
  effort: "medium",
  roomier: 0,
};

/** Calls a model once; the variables of every service lead to the stand-in. */
async function calling(
  judge: string,
  request: Partial<ModelRequest> = {},
  script: Reply[] = [{ text: "{}", repeat: true }],
  extra: Record<string, string> = {},
) {
  await using server = startModelServer(script);
  const environment = {
    ...server.environment,
    ...Object.fromEntries(PROVIDERS.flatMap(({ prefix, baseVariables, keyVariables }) => [
      ...(prefix === "anthropic" ? [] : [[baseVariables[0], `${server.url}/v1`]]),
      ...keyVariables.slice(0, 1).map((name) => [name, `key-of-${prefix}`]),
    ])),
    ...extra,
  };
  const model = resolveModel(judge, environment);
  const call = () => model.call({ ...REQUEST, ...request }, new AbortController().signal);
  const completion = await call().catch((error) => error);
  return { completion, call, requests: server.requests, first: server.requests[0] as SeenRequest };
}

Deno.test("Anthropic gets its own form of everything", async () => {
  const { first } = await calling("anthropic/claude-opus-5-5");
  assert.equal(first.path, "/v1/messages");
  assert.equal(first.headers["x-api-key"], "key-of-anthropic");
  assert.equal(first.headers.authorization, undefined);
  assert.match(first.headers["anthropic-version"]!, /^\d{4}-\d\d-\d\d$/);
  assert.deepEqual(first.body, {
    model: "claude-opus-5-5",
    max_tokens: 128_000,
    system: [{ type: "text", text: "SYSTEM" }],
    messages: [{
      role: "user",
      content: [
        { type: "text", text: "look" },
        { type: "image", source: { type: "base64", media_type: "image/png", data: "AQID" } },
      ],
    }],
    thinking: { type: "adaptive", display: "summarized" },
    output_config: { effort: "medium", format: { type: "json_schema", schema: SCHEMA } },
  });
});

Deno.test("a token of a subscription is sent as a bearer", async () => {
  const { first } = await calling("claude-opus-5-5", {}, undefined, {
    ANTHROPIC_API_KEY: "",
    CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat-x",
  });
  assert.equal(first.headers.authorization, "Bearer sk-ant-oat-x");
  assert.equal(first.headers["x-api-key"], undefined);
});

Deno.test("OpenAI's Chat Completions gets its own form of everything", async () => {
  const { first } = await calling("openai/gpt-5.6-sol");
  assert.equal(first.path, "/v1/chat/completions");
  assert.equal(first.headers.authorization, "Bearer key-of-openai");
  assert.deepEqual(first.body, {
    model: "gpt-5.6-sol",
    messages: [
      { role: "system", content: "SYSTEM" },
      {
        role: "user",
        content: [
          { type: "text", text: "look" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AQID" } },
        ],
      },
    ],
    reasoning_effort: "medium",
    response_format: {
      type: "json_schema",
      json_schema: { name: "judge_response", schema: SCHEMA, strict: true },
    },
  });
  assert.equal((await calling("o3")).first.body.messages[0].role, "developer");
});

Deno.test("OpenAI's Responses gets its own form of everything", async () => {
  const { first } = await calling("openai/gpt-5-pro");
  assert.equal(first.path, "/v1/responses");
  assert.deepEqual(first.body, {
    model: "gpt-5-pro",
    input: [
      { type: "message", role: "system", content: [{ type: "input_text", text: "SYSTEM" }] },
      {
        type: "message",
        role: "user",
        content: [
          { type: "input_text", text: "look" },
          { type: "input_image", image_url: "data:image/png;base64,AQID", detail: "auto" },
        ],
      },
    ],
    store: false,
    reasoning: { effort: "medium" },
    text: { format: { type: "json_schema", name: "judge_response", schema: SCHEMA, strict: true } },
  });
});

/** Effort, and what is sent of it: thinking, output_config.effort, max_tokens. */
const ANTHROPIC_EFFORTS: [string, string, unknown, string | undefined, number][] = [
  ["claude-opus-5-5", "none", undefined, undefined, 128_000],
  ["claude-opus-5-5", "minimal", "adaptive", "low", 128_000],
  ["claude-opus-5-5", "low", "adaptive", "low", 128_000],
  ["claude-opus-5-5", "high", "adaptive", "high", 128_000],
  ["claude-opus-5-5", "xhigh", "adaptive", "xhigh", 128_000],
  ["claude-opus-5-5", "max", "adaptive", "max", 128_000],
  ["claude-future-9", "medium", "adaptive", "medium", 128_000],
  ["claude-sonnet-4-5", "none", undefined, undefined, 64_000],
  ["claude-sonnet-4-5", "low", 1024, undefined, 5120],
  ["claude-sonnet-4-5", "medium", 2048, undefined, 6144],
  ["claude-haiku-4-5", "high", 4096, undefined, 8192],
];

Deno.test("an effort is told to each model of Anthropic in its own way", async () => {
  for (const [model, effort, thinking, word, tokens] of ANTHROPIC_EFFORTS) {
    const { body } = (await calling(`anthropic/${model}`, { effort })).first;
    const sent = [body.thinking?.budget_tokens ?? body.thinking?.type, body.output_config?.effort];
    assert.deepEqual([...sent, body.max_tokens], [thinking, word, tokens], `${model} ${effort}`);
  }
});

Deno.test("an effort is sent only where the model takes it, or may do so", async () => {
  const sent = async (judge: string) => (await calling(judge)).first.body.reasoning_effort;
  assert.equal(await sent("gpt-4o"), undefined);
  assert.equal(await sent("gpt-4.1-mini"), undefined);
  assert.equal(await sent("openai/gpt-5-future-x"), "medium");
  assert.equal(await sent("groq/llama-3.3-70b"), undefined);
  assert.equal(await sent("gemini/gemini-2.5-pro"), "medium");
});

Deno.test("every other service is spoken to as OpenAI is, with its own key", async () => {
  for (const { prefix, keyVariables } of PROVIDERS) {
    if (prefix === "anthropic" || prefix === "openai") continue;
    const { first } = await calling(`${prefix}/some/model`);
    assert.equal(first.path, "/v1/chat/completions", prefix);
    assert.equal(first.body.model, "some/model");
    const key = keyVariables.length === 0 ? "none" : `key-of-${prefix}`;
    assert.equal(first.headers.authorization, `Bearer ${key}`);
  }
});

Deno.test("what a model refuses is left out, then and from there on, with a note", async () => {
  const refusals: [string, string, string][] = [
    ["anthropic/claude-opus-5-5", "output_config.effort: not supported", "output_config.effort"],
    ["anthropic/claude-opus-5-5", "adaptive thinking is not supported", "thinking"],
    ["anthropic/claude-opus-5-5", "output_config.format: Extra inputs", "output_config.format"],
    ["openai/gpt-5.6-sol", "Unsupported parameter: 'reasoning_effort'", "reasoning_effort"],
    ["openai/gpt-5.6-sol", "response_format is not supported", "response_format"],
    ["openai/gpt-5-pro", "reasoning.effort is not supported", "reasoning"],
  ];
  for (const [judge, message, part] of refusals) {
    const script = [{ status: 400, message }, { text: "{}", repeat: true }];
    const { completion, requests } = await calling(judge, {}, script);
    assert.equal(completion.text, "{}", judge);
    assert.equal(requests.length, 2);
    const value = (body: Record<string, unknown>) =>
      part.split(".").reduce<unknown>((inner, key) => (inner as typeof body)?.[key], body);
    assert.notEqual(value(requests[0]!.body), undefined, part);
    assert.equal(value(requests[1]!.body), undefined, part);
    assert.equal(completion.notes.length, 1);
  }
});

Deno.test("a 400 for any other reason is an error with what was said", async () => {
  const script = [{ status: 400, message: "prompt is too long: 3000000 tokens" }];
  const { completion } = await calling("anthropic/claude-opus-5-5", {}, script);
  assert.ok(completion instanceof ModelCallError);
  assert.equal(completion.kind, "rejected");
  assert.match(completion.message, /answered 400: prompt is too long/);
});

Deno.test("statuses and headers say whether another call can help", async () => {
  const kinds: [Reply, ModelCallError["kind"], number?][] = [
    [{ status: 429 }, "throttled"],
    [{ status: 429, headers: { "retry-after": 7 } }, "throttled", 7],
    [{ status: 429, headers: { "retry-after-ms": 300 } }, "throttled", 0.3],
    [{ status: 429, headers: { "x-should-retry": "false" } }, "rejected"],
    [{ status: 529 }, "throttled"],
    [{ status: 503, headers: { "retry-after": 2 } }, "throttled", 2],
    [{ status: 503 }, "unavailable"],
    [{ status: 500 }, "unavailable"],
    [{ status: 408 }, "unavailable"],
    [{ status: 409 }, "unavailable"],
    [{ status: 504 }, "unavailable"],
    [{ status: 400, headers: { "x-should-retry": "true" } }, "unavailable"],
    [{ status: 401 }, "rejected"],
    [{ status: 404 }, "rejected"],
    [{ status: 413 }, "rejected"],
    [{ raw: "moved", status: 302, headers: { location: "http://127.0.0.1:9/" } }, "rejected"],
  ];
  for (const judge of ["anthropic/claude-opus-5-5", "openai/gpt-4o"]) {
    for (const [reply, kind, wait] of kinds) {
      const { completion, requests } = await calling(judge, {}, [reply]);
      const seen = [completion.kind, completion.retryAfterSec, requests.length];
      assert.deepEqual(seen, [kind, wait, 1], `${judge} ${JSON.stringify(reply)}`);
    }
  }
});

Deno.test("answers are read in all their forms, with what they cost", async () => {
  const read = async (judge: string, reply: Reply) => {
    const { completion } = await calling(judge, {}, [reply]);
    const { text, stop, usage } = completion;
    return [text, stop, usage.input, usage.output, usage.costUsd];
  };
  const claude = "anthropic/claude-opus-5-5";
  const usage = {
    input_tokens: 10,
    cache_creation_input_tokens: 200,
    cache_read_input_tokens: 3000,
    output_tokens: 40,
  };
  assert.deepEqual(await read(claude, { text: "x", usage }), ["x", "end", 3210, 40, 0.00244]);
  const content = [
    { type: "thinking", thinking: "hm", signature: "s" },
    { type: "text", text: "a" },
    { type: "text", text: "b" },
  ];
  assert.equal((await read(claude, { content }))[0], "ab");
  const tool = { name: "json_tool_call", input: { score: 1 } };
  assert.equal((await read(claude, { tool }))[0], '{"score":1}');
  assert.deepEqual((await read(claude, { refusal: true })).slice(0, 2), ["", "refusal"]);
  assert.equal((await read(claude, { stop_reason: "max_tokens" }))[1], "length");
  for (const judge of ["openai/gpt-5.6-sol", "openai/gpt-5-pro"]) {
    assert.deepEqual((await read(judge, { text: "x" })).slice(0, 2), ["x", "end"]);
    assert.deepEqual((await read(judge, { refusal: true })).slice(0, 2), ["declined", "refusal"]);
    assert.equal((await read(judge, { text: "x", finish_reason: "length" }))[1], "length");
  }
  assert.equal((await read("openai/gpt-5-future-x", { text: "x" }))[4], undefined);
  assert.equal((await read("openrouter/gpt-4o", { text: "x" }))[4], undefined);
});

Deno.test("an answer in parts is read by its texts", async () => {
  const content = [
    { type: "thinking", thinking: [{ type: "text", text: '{"score": "yes"}' }] },
    { type: "text", text: "a" },
    null,
    { type: "text", text: "b" },
  ];
  const raw = JSON.stringify({ choices: [{ message: { content }, finish_reason: "stop" }] });
  const { completion } = await calling("mistral/magistral-medium", {}, [{ raw }]);
  assert.equal(completion.text, "ab");
});

Deno.test("what an answer that cannot be read has used is not lost", async () => {
  const spent = { input_tokens: 1000, output_tokens: 100 };
  const chat = { prompt_tokens: 1000, completion_tokens: 100 };
  for (
    const [judge, answer] of [
      ["anthropic/claude-opus-5-5", { content: null, usage: spent }],
      ["openai/gpt-4o", { choices: [], usage: chat }],
      ["openai/gpt-5-pro", { output: null, usage: spent }],
    ] as const
  ) {
    const { completion: error } = await calling(judge, {}, [{ raw: JSON.stringify(answer) }]);
    assert.ok(error instanceof ModelCallError, judge);
    assert.deepEqual([error.usage?.input, error.usage?.output], [1000, 100]);
    assert.ok(error.usage!.costUsd! > 0);
  }
});

Deno.test("a call is ended at once by its signal", async () => {
  await using server = startModelServer([{ fault: "hang" }]);
  const model = resolveModel("gpt-4o", server.environment);
  const stop = new AbortController();
  const reason = new Error("stopped");
  const calling = model.call(REQUEST, stop.signal);
  setTimeout(() => stop.abort(reason), 50);
  await assert.rejects(calling, reason);
});

Deno.test("a cut-off answer gets more room", async () => {
  const room = async (judge: string, roomier: number) => {
    const { body } = (await calling(judge, { roomier })).first;
    return body.max_tokens ?? body.max_completion_tokens ?? body.max_output_tokens;
  };
  assert.equal(await room("claude-sonnet-4-5", 1), 12_288);
  assert.equal(await room("claude-sonnet-4-5", 9), 64_000);
  assert.equal(await room("gpt-4o", 1), 16_000);
  assert.equal(await room("gpt-5-pro", 1), 272_000);
  assert.equal(await room("groq/llama", 1), 16_384);
});
