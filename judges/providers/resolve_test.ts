import assert from "node:assert/strict";
import { ConfigError } from "../../src/errors.ts";
import { PROVIDERS } from "./provider_table.ts";
import { type Environment, resolveTarget } from "./resolve.ts";

const KEYS: Environment = {
  ANTHROPIC_API_KEY: "a",
  OPENAI_API_KEY: "o",
  GOOGLE_API_KEY: "g",
  TOGETHER_API_KEY: "t",
  AZURE_API_KEY: "z",
  AZURE_API_BASE: "https://x.openai.azure.com/openai/v1/",
  HOSTED_VLLM_API_BASE: "http://gpu:8000/v1",
  FIREWORKS_AI_API_KEY: "f",
  ...Object.fromEntries(
    ["OPENROUTER", "GROQ", "MISTRAL", "DEEPSEEK", "XAI"].map((name) => [`${name}_API_KEY`, "k"]),
  ),
};

const FOUND: [string, string, string, string][] = [
  ["anthropic/claude-opus-5-5", "anthropic", "claude-opus-5-5", "https://api.anthropic.com"],
  ["claude-haiku-4-5", "anthropic", "claude-haiku-4-5", "https://api.anthropic.com"],
  ["openai/gpt-5.6-sol", "openai-chat", "gpt-5.6-sol", "https://api.openai.com/v1"],
  ["gpt-4o", "openai-chat", "gpt-4o", "https://api.openai.com/v1"],
  ["o3", "openai-chat", "o3", "https://api.openai.com/v1"],
  ["openai/gpt-5-pro", "openai-responses", "gpt-5-pro", "https://api.openai.com/v1"],
  ["openai/responses/gpt-5.6", "openai-responses", "gpt-5.6", "https://api.openai.com/v1"],
  ["openrouter/x-ai/grok:free", "openai-chat", "x-ai/grok:free", "https://openrouter.ai/api/v1"],
  ["together_ai/m/n", "openai-chat", "m/n", "https://api.together.xyz/v1"],
  ["ollama/llama3", "openai-chat", "llama3", "http://127.0.0.1:11434/v1"],
  ["azure/my-deployment", "openai-chat", "my-deployment", "https://x.openai.azure.com/openai/v1"],
  ["hosted_vllm/qwen", "openai-chat", "qwen", "http://gpu:8000/v1"],
];

Deno.test("a judge's service, model and address are found", () => {
  for (const [judge, api, model, baseUrl] of FOUND) {
    const target = resolveTarget(judge, KEYS);
    assert.deepEqual([target.api, target.model, target.baseUrl], [api, model, baseUrl], judge);
  }
  for (const { prefix } of PROVIDERS) assert.ok(resolveTarget(`${prefix}/m`, KEYS), prefix);
});

const REFUSED: [string, Environment, RegExp, RegExp][] = [
  ["nowhere/m", KEYS, /the service "nowhere", which is not known/, /anthropic\/, openai\//],
  ["mymodel", KEYS, /no known service has a model of that name/, /service\/model/],
  ["openai/", KEYS, /names no model/, /service\/model/],
  ["gpt-4o", {}, /needs a key of OpenAI: OPENAI_API_KEY is not set/, /--judge-env/],
  ["gpt-4o", { OPENAI_API_KEY: "sk-1\nsk-2" }, /^OPENAI_API_KEY is no key/, /on one line/],
  ["claude-x", { CLAUDE_CODE_OAUTH_TOKEN: "sk-日本" }, /OAUTH_TOKEN is no key/, /on one line/],
  ["claude-x", { ANTHROPIC_API_KEY: "  " }, /ANTHROPIC_API_KEY/, /CLAUDE_CODE_OAUTH_TOKEN/],
  ["azure/m", { AZURE_API_KEY: "k" }, /needs the address of Azure/, /AZURE_API_BASE/],
  ["hosted_vllm/m", {}, /needs the address of vLLM/, /HOSTED_VLLM_API_BASE/],
  ["groq/m", { GROQ_API_KEY: "k", GROQ_API_BASE: "localhost:1" }, /GROQ_API_BASE/, /http/],
];

Deno.test("what is missing is named, with the way out", () => {
  for (const [judge, environment, message, hint] of REFUSED) {
    assert.throws(() => resolveTarget(judge, environment), (error: ConfigError) => {
      assert.ok(error instanceof ConfigError);
      assert.match(error.message, message);
      assert.match(error.hint!, hint);
      return true;
    });
  }
});

Deno.test("other addresses win in the order in which they were measured to", () => {
  const anthropic = (extra: Environment) =>
    resolveTarget("claude-x", { ANTHROPIC_API_KEY: "k", ...extra }).baseUrl;
  assert.equal(
    anthropic({ ANTHROPIC_API_BASE: "http://a", ANTHROPIC_BASE_URL: "http://b" }),
    "http://a",
  );
  for (const base of ["http://a/", "http://a/v1", "http://a/v1/messages"]) {
    assert.equal(anthropic({ ANTHROPIC_BASE_URL: base }), "http://a");
  }
  const openai = {
    OPENAI_API_KEY: "k",
    OPENAI_BASE_URL: "http://a/v1",
    OPENAI_API_BASE: "http://b",
  };
  assert.equal(resolveTarget("gpt-5", openai).baseUrl, "http://a/v1");
});

Deno.test("a subscription's token counts without a key, or where it is asked for", () => {
  const credential = (environment: Environment) =>
    resolveTarget("claude-x", environment).credential;
  const both = { ANTHROPIC_API_KEY: "k", CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat-1" };
  assert.deepEqual(credential(both), { key: "k" });
  assert.deepEqual(credential({ ...both, REWARDKIT_FORCE_SUBSCRIPTION: "Yes" }), {
    token: "sk-ant-oat-1",
  });
  assert.deepEqual(credential({ CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat-1" }), {
    token: "sk-ant-oat-1",
  });
});
