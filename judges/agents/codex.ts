// Codex as a judge.

import { RUN_VARIABLE } from "../../src/command/groups.ts";
import { ConfigError } from "../../src/errors.ts";
import type { McpServer } from "../../src/judge_config.ts";
import type { TokenUsage } from "../model.ts";
import { wantsSubscription } from "../providers/resolve.ts";
import { tokenCount } from "../usage.ts";
import type {
  Agent,
  AgentCommand,
  AgentOutput,
  AgentReply,
  AgentTask,
  Environment,
} from "./agent.ts";
import { pricedByLog } from "./codex_prices.ts";
import { readRegular } from "./judge_logs.ts";
import { isObject, objectLines, parseObject } from "./output_json.ts";
import { findFile } from "./session_files.ts";

/** Runs `codex exec` in a home of its own: no settings of the user or the workspace, none left. */
export const codex: Agent = {
  name: "codex",
  program: "codex",
  npmPackage: "@openai/codex",
  check: (environment) => void credentialOf(environment),
  command,
  read,
};

async function command(task: AgentTask): Promise<AgentCommand> {
  const { prompt, schema, model, reasoningEffort, cwd, environment, mcpServers } = task;
  const home = homeOf(task);
  const credential = credentialOf(environment);
  await Deno.mkdir(home);
  await writePrivate(`${home}/config.toml`, configToml(mcpServers, credential, environment));
  if ("auth" in credential) await writePrivate(`${home}/auth.json`, credential.auth);
  await writePrivate(schemaFile(task), JSON.stringify(schema));
  return {
    args: [
      ...["exec", "--json", "--skip-git-repo-check"],
      ...["--sandbox", "danger-full-access"],
      ...["--output-schema", schemaFile(task), "--output-last-message", answerFile(task)],
      ...(model === undefined ? [] : ["-m", bareModel(model)]),
      ...(reasoningEffort === undefined ? [] : ["-c", `model_reasoning_effort=${reasoningEffort}`]),
      ...["-C", cwd, "-"],
    ],
    stdin: prompt,
    env: {
      CODEX_HOME: home,
      ...("key" in credential && { CODEX_API_KEY: credential.key }),
    },
  };
}

function homeOf({ folder }: AgentTask): string {
  return `${folder}/codex`;
}

function schemaFile(task: AgentTask): string {
  return `${task.folder}/schema.json`;
}

function answerFile(task: AgentTask): string {
  return `${task.folder}/answer.json`;
}

function bareModel(model: string): string {
  return model.replace(/^openai\//, "");
}

async function writePrivate(path: string, text: string): Promise<void> {
  await Deno.writeTextFile(path, text, { mode: 0o600 });
}

type Credential = { key: string } | { auth: string };

/** A key, or the text of a login's file. */
function credentialOf(environment: Environment): Credential {
  const key = environment.CODEX_API_KEY?.trim() || environment.OPENAI_API_KEY?.trim();
  const auth = environment.CODEX_AUTH_JSON?.trim();
  const isForced = wantsSubscription(environment);
  if (key && !isForced) return { key };
  if (!auth) {
    throw new ConfigError(
      isForced
        ? 'the judge "codex" is to use a subscription, and CODEX_AUTH_JSON is not set'
        : 'the judge "codex" needs a key: OPENAI_API_KEY is not set',
      {
        hint: isForced
          ? "Set it to the text of ~/.codex/auth.json, or unset REWARDKIT_FORCE_SUBSCRIPTION"
          : "Set it in the environment or with --judge-env, or set CODEX_AUTH_JSON to the text of " +
            "~/.codex/auth.json",
      },
    );
  }
  if (parseObject(auth) === null) {
    throw new ConfigError("CODEX_AUTH_JSON is no JSON object", {
      hint: "Set it to the text of ~/.codex/auth.json",
    });
  }
  return { auth };
}

/**
 * The graded agent may have left instructions and skills for Codex in the workspace; its settings
 * there do not count while the workspace is not a trusted one. The key is not for programs that
 * Codex starts.
 */
const HEAD = [
  "project_doc_max_bytes = 0",
  "skills.include_instructions = false",
  'shell_environment_policy.exclude = ["*KEY*", "*SECRET*", "*TOKEN*"]',
];

/** TOML, whose texts are written as in JSON. */
function configToml(
  servers: readonly McpServer[],
  credential: Credential,
  environment: Environment,
): string {
  const base = (environment.OPENAI_BASE_URL || environment.OPENAI_API_BASE)?.trim();
  // The program does not look for an address in its environment.
  const provider = base && "key" in credential
    ? [
      'model_provider = "rewardkit"',
      "",
      "[model_providers.rewardkit]",
      'name = "rewardkit"',
      `base_url = ${JSON.stringify(base.replace(/\/+$/, ""))}`,
      'env_key = "CODEX_API_KEY"',
      'wire_api = "responses"',
    ]
    : [];
  return [
    ...HEAD,
    ...provider,
    ...servers.flatMap(serverToml),
    "",
  ].join("\n");
}

function serverToml({ name, command, args, url, allowedTools }: McpServer): string[] {
  return [
    "",
    `[mcp_servers.${JSON.stringify(name)}]`,
    ...(command === undefined ? [`url = ${JSON.stringify(url)}`] : [
      `command = ${JSON.stringify(command)}`,
      `args = ${JSON.stringify(args)}`,
      // The run's mark, by which its processes are found when it has ended.
      `env_vars = ["${RUN_VARIABLE}"]`,
    ]),
    ...(allowedTools.length > 0 ? [`enabled_tools = ${JSON.stringify(allowedTools)}`] : []),
    // Without its tools an agent would judge by less than its author meant.
    "required = true",
    'default_tools_approval_mode = "approve"',
  ];
}

async function read(output: AgentOutput, task: AgentTask): Promise<AgentReply> {
  const events = eventsOf(output.stdout);
  const thread = events.findLast(({ type }) => type === "thread.started")?.thread_id;
  const sessionLog = typeof thread === "string" && thread !== ""
    ? await findFile(`${homeOf(task)}/sessions`, `${thread}.jsonl`)
    : null;
  const usage = await usageOf(events, task, sessionLog);
  const common: AgentReply = { ...(usage !== null && { usage }), sessionLog };
  const failure = failureOf(events, output);
  if (failure !== null) return { ...common, failure };
  const text = await lastMessage(answerFile(task)) ?? messageOf(events);
  return text === null ? { ...common, failure: "it gave no answer" } : { ...common, text };
}

type Event = Record<string, unknown>;

/** One a line; other lines are remarks of the program. */
function eventsOf(stdout: string): Event[] {
  return [...objectLines(stdout)];
}

function failureOf(events: readonly Event[], { code, stderr, stdout }: AgentOutput): string | null {
  const failed = events.findLast(({ type }) => type === "turn.failed");
  if (failed !== undefined) return messageIn(failed.error) ?? "the turn failed";
  const error = events.findLastIndex(({ type }) => type === "error");
  const completed = events.findLastIndex(({ type }) => type === "turn.completed");
  // One that it got over is none.
  const said = error > completed ? messageIn(events[error]) : null;
  if (code !== 0) return said ?? (stderr.trim() || stdout.trim());
  return said;
}

function messageIn(value: unknown): string | null {
  if (!isObject(value)) return null;
  return typeof value.message === "string" && value.message !== "" ? value.message : null;
}

function messageOf(events: readonly Event[]): string | null {
  const last = events.findLast(({ type, item }) =>
    type === "item.completed" && isObject(item) && item.type === "agent_message"
  );
  const text = (last?.item as { text?: unknown } | undefined)?.text;
  return typeof text === "string" ? text : null;
}

async function lastMessage(path: string): Promise<string | null> {
  try {
    return await readRegular(path);
  } catch {
    return null;
  }
}

async function usageOf(
  events: readonly Event[],
  { model }: AgentTask,
  sessionLog: string | null,
): Promise<TokenUsage | null> {
  const usage = events.findLast(({ type }) => type === "turn.completed")?.usage;
  if (!isObject(usage)) return null;
  const known: TokenUsage = {
    input: tokenCount(usage.input_tokens),
    output: tokenCount(usage.output_tokens),
    cacheCreation: tokenCount(usage.cache_write_input_tokens),
    cacheRead: tokenCount(usage.cached_input_tokens),
    reasoning: tokenCount(usage.reasoning_output_tokens),
  };
  const priced = sessionLog === null ? null : await pricedByLog(known, sessionLog);
  if (priced !== null) return priced;
  return { ...known, byModel: model === undefined ? {} : { [bareModel(model)]: known } };
}
