import assert from "node:assert/strict";
import { cellEnvironment, commandEnvironment } from "./environment.ts";

const SECRET = `
  OPENAI_API_KEY openai_api_key ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_BASE_URL
  OPENAI_BASE_URL OPENAI_ORG_ID CLAUDE_CODE_OAUTH_TOKEN CLAUDE_CONFIG_DIR CODEX_HOME GEMINI_API_KEY
  AZURE_API_BASE OPENROUTER_API_BASE HOSTED_VLLM_API_BASE TOGETHER_AI_API_KEY
  GITHUB_TOKEN GH_TOKEN NPM_TOKEN HF_TOKEN TOKEN TOKEN_FILE SECRET MY_SECRET SECRET_KEY_BASE
  CLIENT_SECRETS AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN
  GOOGLE_APPLICATION_CREDENTIALS DB_PASSWORD DB_PASS PGPASSWORD MYSQL_PWD GPG_PASSPHRASE SSH_KEY
  DEPLOY_KEYS PRIVATE_KEY STRIPE_APIKEY SSH_AUTH_SOCK DENO_AUTH_TOKENS NPM_CONFIG__AUTH
  REWARDKIT_FORCE_SUBSCRIPTION REWARDKIT_PASS_MARK DENO_PERMISSION_BROKER_PATH
`.trim().split(/\s+/);

const PLAIN = `
  PATH HOME PWD OLDPWD SHELL LANG LC_ALL TERM USER EDITOR PYTHONPATH NODE_ENV DENO_DIR TMPDIR
  HTTP_PROXY DATABASE_URL APP_BASE_URL KEYBOARD MONKEY MAX_TOKENS TOKENIZERS_PARALLELISM AUTHOR
  SECRETARY PASSENGER COMPASS LD_LIBRARY_PATH AWS_REGION GIT_AUTHOR_NAME XAUTHORITY
`.trim().split(/\s+/);

Deno.test("commandEnvironment() leaves out what could be a secret, by its name", () => {
  const all = Object.fromEntries([...SECRET, ...PLAIN].map((name) => [name, `of ${name}`]));
  assert.deepEqual(Object.keys(commandEnvironment([], all)), PLAIN);
  assert.equal(commandEnvironment([], all).PATH, "of PATH");
});

Deno.test("commandEnvironment() keeps what it is told to keep", () => {
  const environment = { DB_PASSWORD: "a", API_TOKEN: "b" };
  assert.deepEqual(commandEnvironment(["DB_PASSWORD"], environment), { DB_PASSWORD: "a" });
});

Deno.test("cellEnvironment() passes on what Deno needs, and nothing else", () => {
  const wanted = `
    PATH HOME LANG LC_ALL LC_CTYPE TMPDIR TZ DENO_DIR NO_COLOR SSL_CERT_FILE DENO_CERT
    DENO_TLS_CA_STORE JSR_URL NPM_CONFIG_REGISTRY
  `.trim().split(/\s+/);
  const unwanted = ["LD_PRELOAD", "LD_LIBRARY_PATH", "NODE_OPTIONS", "DENO_V8_FLAGS", "USER"];
  const all = Object.fromEntries([...wanted, ...unwanted, ...SECRET].map((name) => [name, "x"]));
  assert.deepEqual(Object.keys(cellEnvironment({}, all)), wanted);
  assert.deepEqual(cellEnvironment({ TZ: "UTC" }, { TZ: "CET" }), { TZ: "UTC" });
});

Deno.test("cellEnvironment() keeps the proxy away from this machine", () => {
  const environment = cellEnvironment({}, { https_proxy: "http://p:1", NO_PROXY: "intranet" });
  assert.deepEqual(environment, {
    https_proxy: "http://p:1",
    NO_PROXY: "intranet,localhost,127.0.0.0/8,::1",
    no_proxy: "intranet,localhost,127.0.0.0/8,::1",
  });
});
