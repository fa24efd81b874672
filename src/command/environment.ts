// What programs of the run get to see of the caller's environment.

/** Environment variables by name. */
export type Environment = Record<string, string>;

/**
 * The environment of a command: the caller's without what could be a secret. The graded work runs
 * in it, so it must see neither the keys of the judges nor anybody else's.
 *
 * Left out, whatever the case of the name, is a variable
 * - with `TOKEN`, `SECRET`, `PASSWORD`, `PASSWD`, `PASSPHRASE`, `CREDENTIAL`, `AUTH`, `APIKEY` or
 *   the plural of one (but not `TOKENS`, which counts things: `MAX_TOKENS`) as a word of its name,
 *   words being what underscores separate: `GITHUB_TOKEN`, `AWS_SECRET_ACCESS_KEY`,
 *   `SSH_AUTH_SOCK`;
 * - whose name ends in `_KEY`, `_KEYS`, `_KEY_ID`, `_PASS`, `_PWD` or `PASSWORD`: `OPENAI_API_KEY`,
 *   `AWS_ACCESS_KEY_ID`, `MYSQL_PWD`, `PGPASSWORD` (but not `PWD` and `OLDPWD` themselves);
 * - of a model provider or of an agent, all of it, base addresses included: `ANTHROPIC_*`,
 *   `CLAUDE_*`, `CODEX_*`, `OPENAI_*` and their like;
 * - of this tool: `REWARDKIT_*`, and `DENO_PERMISSION_BROKER_PATH`.
 *
 * Names are all it looks at: a password inside a `DATABASE_URL` is passed on.
 *
 * @param keep Names that are passed on although the rule leaves them out.
 * @param from The caller's environment.
 *
 * @example
 * ```ts
 * import { commandEnvironment } from "./environment.ts";
 * import assert from "node:assert/strict";
 *
 * const caller = { PATH: "/usr/bin", OPENAI_API_KEY: "sk-1", DB_PASSWORD: "hunter2" };
 * assert.deepEqual(commandEnvironment([], caller), { PATH: "/usr/bin" });
 * assert.equal(commandEnvironment(["DB_PASSWORD"], caller).DB_PASSWORD, "hunter2");
 * ```
 */
export function commandEnvironment(
  keep: readonly string[] = [],
  from: Environment = Deno.env.toObject(),
): Environment {
  const entries = Object.entries(from).filter(([name]) => keep.includes(name) || !isSecret(name));
  return Object.fromEntries(entries);
}

/**
 * The environment of a cell, the process that loads what the author of the checks wrote: what
 * Deno needs to start, to find its cache and to reach the network, and nothing else. Hosts on
 * this machine never go through a proxy.
 *
 * @param extra Variables to add; they win over the caller's.
 * @param from The caller's environment.
 *
 * @example
 * ```ts
 * import { cellEnvironment } from "./environment.ts";
 * import assert from "node:assert/strict";
 *
 * const cell = cellEnvironment({ NO_COLOR: "1" }, { PATH: "/usr/bin", LD_PRELOAD: "x.so" });
 * assert.deepEqual(cell, { PATH: "/usr/bin", NO_COLOR: "1" });
 * ```
 */
export function cellEnvironment(
  extra: Environment = {},
  from: Environment = Deno.env.toObject(),
): Environment {
  const entries = Object.entries(from).filter(([name]) => CELL.has(name) || /^LC_/.test(name));
  const environment: Environment = { ...Object.fromEntries(entries), ...extra };
  if (Object.keys(environment).some((name) => PROXY.has(name))) passByProxy(environment);
  return environment;
}

const SECRET_WORDS = new Set(
  (
    "TOKEN SECRET SECRETS PASSWORD PASSWORDS PASSWD PASSPHRASE PASSPHRASES CREDENTIAL " +
    "CREDENTIALS AUTH APIKEY APIKEYS"
  ).split(" "),
);

const SECRET_END = /(_KEYS?|_KEY_ID|_PASS|_PWD|PASSWORD)$/;

const JUDGES = new RegExp(
  "^(ANTHROPIC|CLAUDE|CODEX|OPENAI|LITELLM|OPENROUTER|GEMINI|GROQ|MISTRAL|DEEPSEEK|TOGETHER|" +
    "TOGETHERAI|TOGETHER_AI|FIREWORKS|FIREWORKS_AI|XAI|OLLAMA|AZURE|HOSTED_VLLM)_",
);

function isSecret(name: string): boolean {
  const upper = name.toUpperCase();
  return upper.split("_").some((word) => SECRET_WORDS.has(word)) || SECRET_END.test(upper) ||
    JUDGES.test(upper) || upper.startsWith("REWARDKIT_") ||
    upper === "DENO_PERMISSION_BROKER_PATH";
}

const PROXY = new Set(
  "HTTP_PROXY HTTPS_PROXY ALL_PROXY http_proxy https_proxy all_proxy".split(" "),
);

const CELL = new Set([
  ...PROXY,
  ...(
    "PATH HOME LANG LANGUAGE TMPDIR TZ DENO_DIR XDG_CACHE_HOME NO_COLOR SSL_CERT_FILE " +
    "SSL_CERT_DIR DENO_CERT DENO_TLS_CA_STORE NODE_EXTRA_CA_CERTS NO_PROXY no_proxy JSR_URL " +
    "NPM_CONFIG_REGISTRY"
  ).split(" "),
]);

/** Adds this machine to the hosts that are reached directly. */
function passByProxy(environment: Environment): void {
  const hosts = [environment.NO_PROXY, environment.no_proxy, "localhost,127.0.0.0/8,::1"]
    .filter((list) => list !== undefined && list !== "").join(",");
  // Programs differ in which spelling they read.
  environment.NO_PROXY = hosts;
  environment.no_proxy = hosts;
}
