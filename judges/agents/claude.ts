// Claude Code as a judge.

import { ConfigError } from "../../src/errors.ts";
import type { McpServer } from "../../src/judge_config.ts";
import { isWithin } from "../../src/path.ts";
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
import { isObject, parseObject } from "./output_json.ts";
import { findFile } from "./session_files.ts";

/** Other clouds that the program can get its models from, with the variables of each. */
const CLOUDS: Readonly<Record<string, RegExp>> = {
  CLAUDE_CODE_USE_BEDROCK: /^(?:AWS_|CLAUDE_CODE_SKIP_BEDROCK_AUTH$)/,
  CLAUDE_CODE_USE_VERTEX:
    /^(?:GOOGLE_|GCLOUD_|CLOUD_ML_REGION$|VERTEX_REGION_|CLAUDE_CODE_SKIP_VERTEX_AUTH$)/,
  CLAUDE_CODE_USE_FOUNDRY: /^(?:AZURE_|CLAUDE_CODE_SKIP_FOUNDRY_AUTH$)/,
};

/** Nothing is sent, fetched or run that has nothing to do with the task. */
const QUIET = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  // It would run git in the workspace, which runs what the graded agent may have configured there.
  CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_UPDATES: "1",
};

/**
 * The graded agent may have left hooks, tool servers, skills or instructions for Claude Code in the
 * workspace. By default the program runs and obeys them, without asking.
 */
const DISTRUSTFUL = ["--setting-sources", "user", "--strict-mcp-config"];

/** Runs `claude` in a configuration of its own: no settings of the workspace, and none left. */
export const claudeCode: Agent = {
  name: "claude-code",
  program: "claude",
  npmPackage: "@anthropic-ai/claude-code",
  check(environment) {
    if (credentialsOf(environment) !== null || loginFolder(environment) !== null) return;
    throw new ConfigError('the judge "claude-code" needs a key: ANTHROPIC_API_KEY is not set', {
      hint: "Set it in the environment or with --judge-env, or set CLAUDE_CODE_OAUTH_TOKEN, or " +
        "log in with the claude program",
    });
  },
  command,
  read,
};

async function command(task: AgentTask): Promise<AgentCommand> {
  const { prompt, schema, model, reasoningEffort, isolated, mcpServers, folder } = task;
  const servers = `${folder}/mcp.json`;
  if (mcpServers.length > 0) {
    const json = JSON.stringify({ mcpServers: serversJson(mcpServers) });
    await Deno.writeTextFile(servers, json, { mode: 0o600 });
  }
  const allowed = [...mcpServers.flatMap(toolsOf), ...readsOf(task)];
  return {
    args: [
      ...["-p", "--output-format", "json", "--json-schema", JSON.stringify(schema)],
      ...DISTRUSTFUL,
      ...(mcpServers.length > 0 ? ["--mcp-config", servers] : []),
      // Without, it may look at the folder that it works in, and write nothing.
      ...(isolated ? ["--permission-mode", "acceptEdits"] : []),
      ...(allowed.length > 0 ? ["--allowedTools", ...allowed] : []),
      ...(model === undefined ? [] : ["--model", model.replace(/^anthropic\//, "")]),
      ...(reasoningEffort === undefined ? [] : ["--effort", reasoningEffort]),
    ],
    // Not as an argument: those have a largest size, and everybody can read them.
    stdin: prompt,
    env: {
      ...QUIET,
      ...credentialsOf(task.environment),
      CLAUDE_CONFIG_DIR: configFolder(task),
    },
  };
}

/** It may read nothing outside of its folder unless a rule says so; a rule has one more slash. */
function readsOf({ trajectory, cwd }: AgentTask): string[] {
  return trajectory === undefined || isWithin(trajectory, cwd) ? [] : [`Read(/${trajectory})`];
}

function serversJson(servers: readonly McpServer[]): Record<string, unknown> {
  return Object.fromEntries(servers.map(({ name, transport, command, args, url }) => [
    name,
    transport === "stdio"
      ? { type: "stdio", command: command!, args: [...args] }
      : { type: transport === "sse" ? "sse" : "http", url: url! },
  ]));
}

function toolsOf({ name, allowedTools }: McpServer): string[] {
  if (allowedTools.length === 0) return [`mcp__${name}`];
  return allowedTools.map((tool) => `mcp__${name}__${tool}`);
}

/** The variables of its key, or of the cloud that is used instead; `null` if there are none. */
function credentialsOf(environment: Environment): Record<string, string> | null {
  const found = Object.entries(environment).filter(([, value]) => value.trim() !== "");
  const set = new Map(found);
  const pick = (fits: (name: string) => boolean) =>
    Object.fromEntries(found.filter(([name]) => fits(name)));
  // Addresses, names of models, headers.
  const others = pick((name) =>
    name.startsWith("ANTHROPIC_") && !KEYS.includes(name) && name !== "ANTHROPIC_API_BASE"
  );
  const base = set.get("ANTHROPIC_BASE_URL") ?? set.get("ANTHROPIC_API_BASE");
  if (base !== undefined) others.ANTHROPIC_BASE_URL = base.replace(/\/+(?:v1\/?)?$/, "");
  for (const [flag, variables] of Object.entries(CLOUDS)) {
    if (!set.has(flag)) continue;
    return { ...others, ...pick((name) => name === flag || variables.test(name)) };
  }
  const key = KEYS.find((name) => set.has(name));
  const token = set.get(TOKEN);
  if (token !== undefined && (key === undefined || wantsSubscription(environment))) {
    return { ...others, [TOKEN]: token.trim() };
  }
  return key === undefined ? null : { ...others, [key]: set.get(key)!.trim() };
}

const KEYS = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"];
const TOKEN = "CLAUDE_CODE_OAUTH_TOKEN";

/** The folder of a user who has logged in; the login lies in it and is renewed there. */
function loginFolder({ CLAUDE_CONFIG_DIR, HOME }: Environment): string | null {
  const folder = CLAUDE_CONFIG_DIR || (HOME && `${HOME}/.claude`);
  if (!folder) return null;
  try {
    Deno.statSync(`${folder}/.credentials.json`);
    return folder;
  } catch {
    return null;
  }
}

function configFolder({ environment, folder }: AgentTask): string {
  const own = `${folder}/claude`;
  return credentialsOf(environment) === null ? loginFolder(environment) ?? own : own;
}

async function read({ code, stdout, stderr }: AgentOutput, task: AgentTask): Promise<AgentReply> {
  const said = parseObject(stdout);
  if (said === null) {
    if (code === 0) return { text: stdout };
    return { failure: stderr.trim() || stdout.trim() };
  }
  const session = typeof said.session_id === "string" ? said.session_id || null : null;
  const common: AgentReply = {
    ...usageOf(said),
    sessionLog: session && await findFile(`${configFolder(task)}/projects`, `${session}.jsonl`),
  };
  const result = typeof said.result === "string" ? said.result : "";
  if (code !== 0 || said.is_error === true) {
    return {
      ...common,
      failure: stderr.trim() || result || `${said.subtype ?? "no reason given"}`,
    };
  }
  // Without a verdict in the form that was asked for, there may be one in its last words.
  const verdict = said.structured_output;
  return { ...common, text: isObject(verdict) ? JSON.stringify(verdict) : result };
}

function usageOf(said: Record<string, unknown>): { usage?: TokenUsage } {
  if (!isObject(said.usage)) return {};
  const { usage } = said;
  const cacheCreation = tokenCount(usage.cache_creation_input_tokens);
  const cacheRead = tokenCount(usage.cache_read_input_tokens);
  const details = isObject(usage.output_tokens_details) ? usage.output_tokens_details : {};
  return {
    usage: {
      input: tokenCount(usage.input_tokens) + cacheCreation + cacheRead,
      output: tokenCount(usage.output_tokens),
      cacheCreation,
      cacheRead,
      reasoning: tokenCount(details.thinking_tokens),
      ...costOf(said.total_cost_usd),
      toolRequests: requestsOf(usage.server_tool_use),
      byModel: modelsOf(said.modelUsage),
    },
  };
}

function requestsOf(requests: unknown): Record<string, number> {
  if (!isObject(requests)) return {};
  const counted = Object.entries(requests).map(([name, value]) =>
    [name.replace(/_requests$/, ""), tokenCount(value)] as const
  );
  return Object.fromEntries(counted);
}

function modelsOf(models: unknown): Record<string, TokenUsage> {
  if (!isObject(models)) return {};
  const known = Object.entries(models).flatMap(([model, usage]) =>
    isObject(usage) ? [[model, modelUsage(usage)] as const] : []
  );
  return Object.fromEntries(known);
}

function modelUsage(usage: Record<string, unknown>): TokenUsage {
  const cacheCreation = tokenCount(usage.cacheCreationInputTokens);
  const cacheRead = tokenCount(usage.cacheReadInputTokens);
  const [context, output] = [tokenCount(usage.contextWindow), tokenCount(usage.maxOutputTokens)];
  return {
    input: tokenCount(usage.inputTokens) + cacheCreation + cacheRead,
    output: tokenCount(usage.outputTokens),
    cacheCreation,
    cacheRead,
    reasoning: 0,
    ...costOf(usage.costUSD),
    toolRequests: { web_search: tokenCount(usage.webSearchRequests) },
    limits: { ...(context > 0 && { context }), ...(output > 0 && { output }) },
  };
}

function costOf(cost: unknown): { costUsd?: number } {
  return typeof cost === "number" && Number.isFinite(cost) && cost >= 0 ? { costUsd: cost } : {};
}
