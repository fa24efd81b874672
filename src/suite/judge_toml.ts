// A judge TOML to a complete configuration.

import { isWithin, parentOf, resolvePath } from "../path.ts";
import type { JudgeConfig, McpServer } from "../judge_config.ts";
import { readCriterion } from "./judge_criterion.ts";
import { DEFAULT_SCORING, readScoring } from "./scoring_table.ts";
import { Table } from "./table.ts";

/** The model that judges where a TOML names none. */
export const DEFAULT_JUDGE = "anthropic/claude-opus-5-5";

/** Reasoning efforts of models. */
export const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];
/** Reasoning efforts of the agents that are known. */
export const AGENT_EFFORTS: Readonly<Record<string, readonly string[]>> = {
  "claude-code": ["low", "medium", "high", "xhigh", "max"],
  "codex": EFFORTS,
};

/** More than anybody means: each is paid for. */
const MAX_SAMPLES = 1000;

/** Keys of `[judge]` that only models take. */
export const LLM_KEYS = ["files", "reference"];
/** Keys of `[judge]` that only agents take. */
export const AGENT_KEYS = ["model", "isolated", "cwd", "version", "mcp_servers"];

/** A file name of a prompt template. */
export const TEMPLATE_REGEXP = /\.(txt|md)$/;

/** An exact version of an agent's program. */
export const VERSION_REGEXP = /^v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)$/;

/** What the run decides about its judges, whatever their TOMLs say. */
export interface JudgeOptions {
  /** Judge of every TOML: a model, or the name of an agent. */
  judge?: string;
  /** Model of every agent judge. */
  model?: string;
  /** Reasoning effort of every judge. */
  reasoningEffort?: string;
  /** Names of agents beside `claude-code` and `codex`. */
  agents?: readonly string[];
  /** The graded folder; an isolated agent has to work inside it. Default `/app`. */
  workspace?: string;
  /** Real path of the folder that prompt templates have to lie in. Default: anywhere. */
  templatesWithin?: string;
}

/**
 * Reads a judge TOML. What is wrong with it becomes problems of the table.
 *
 * @param path Absolute path of the TOML; a prompt template is looked for beside it.
 */
export function readJudgeToml(top: Table, path: string, options: JudgeOptions): JudgeConfig {
  const table = top.table("judge") ?? new Table({}, top.source, "[judge]", ["judge"]);
  const ownJudge = table.text("judge") ?? DEFAULT_JUDGE;
  const judge = options.judge ?? ownJudge;
  const isAgent = Object.hasOwn(AGENT_EFFORTS, judge) || options.agents?.includes(judge) === true;
  if (judge.trim() === "") {
    table.problemAt(["judge"], '"judge" is empty, expected a model or an agent');
  }

  const common = readCommon(table, path, options);
  const scoringTable = top.table("scoring");
  const scoring = scoringTable === undefined ? DEFAULT_SCORING : readScoring(scoringTable);
  scoringTable?.finish();
  const criteria = top.tables("criterion");
  const isMissing = criteria === undefined ? !top.has("criterion") : criteria.length === 0;
  if (isMissing) {
    top.problem("has no criterion", "Add a [[criterion]] table with a description");
  }
  const config: JudgeConfig = {
    kind: isAgent ? "agent" : "llm",
    judge,
    ...common,
    ...readLlmKeys(table, isAgent),
    ...readAgentKeys(table, isAgent, judge, options),
    ...readEffort(table, isAgent, judge, options),
    scoring,
    criteria: criteria?.map(readCriterion) ?? [],
  };
  // Another judge put in place from outside is no reason to refuse what the TOML's own one takes.
  if (options.judge === undefined) refuseForeignKeys(table, isAgent, judge);
  table.finish();
  checkCriteria(top, config);
  checkWorkingFolder(table, config, options.workspace ?? "/app");
  warnOfSamples(table, config);
  top.finish();
  return config;
}

type Common = Pick<
  JudgeConfig,
  "timeoutSec" | "trajectory" | "promptTemplate" | "weight" | "mode" | "samples" | "guard"
>;

function readCommon(table: Table, path: string, options: JudgeOptions): Common {
  return {
    timeoutSec: table.integer("timeout", 0) ?? 300,
    trajectory: table.text("atif-trajectory"),
    promptTemplate: readTemplate(table, path, options),
    weight: table.number("weight") ?? 1,
    mode: table.oneOf("mode", ["batched", "individual"]) ?? "batched",
    samples: table.integer("samples", 1, MAX_SAMPLES) ?? 1,
    guard: table.oneOf("guard", ["off", "flag", "penalize"]) ?? "off",
  };
}

function readTemplate(
  table: Table,
  path: string,
  { templatesWithin }: JudgeOptions,
): string | undefined {
  const name = table.text("prompt_template");
  if (name === undefined) return undefined;
  if (!TEMPLATE_REGEXP.test(name)) {
    table.problemAt(
      ["prompt_template"],
      `"prompt_template" is "${name}", expected a .txt or .md file`,
    );
    return undefined;
  }
  const template = resolvePath(parentOf(path), name);
  if (templatesWithin !== undefined && !isWithin(template, templatesWithin)) {
    table.problemAt(
      ["prompt_template"],
      `"prompt_template" is "${name}", which lies outside of the tests folder`,
      "--untrusted reads none of those; put it beside the TOML",
    );
    return undefined;
  }
  let text: string;
  try {
    text = Deno.readTextFileSync(template);
  } catch (error) {
    table.problemAt(
      ["prompt_template"],
      `"prompt_template" is "${name}", which cannot be read: ${(error as Error).message}`,
      "The path starts at the folder of the judge's TOML",
    );
    return undefined;
  }
  if (!text.includes("{criteria}")) {
    table.problemAt(
      ["prompt_template"],
      `the prompt template "${name}" does not contain {criteria}`,
    );
  }
  return text;
}

function readLlmKeys(table: Table, isAgent: boolean): Pick<JudgeConfig, "files" | "reference"> {
  const files = table.texts("files") ?? [];
  const reference = table.text("reference");
  return isAgent ? { files: [] } : { files, reference };
}

type AgentKeys = Pick<JudgeConfig, "model" | "isolated" | "cwd" | "version" | "mcpServers">;

function readAgentKeys(
  table: Table,
  isAgent: boolean,
  judge: string,
  options: JudgeOptions,
): AgentKeys {
  const ownModel = table.text("model");
  const isolated = table.boolean("isolated") ?? false;
  const cwd = table.text("cwd");
  const givenVersion = table.text("version");
  const version = givenVersion === undefined ? undefined : VERSION_REGEXP.exec(givenVersion)?.[1];
  const mcpServers = (table.tables("mcp_servers") ?? []).map(readMcpServer);
  if (!isAgent) return { isolated: false, mcpServers: [] };

  if (givenVersion !== undefined && version === undefined) {
    table.problemAt(["version"], `"version" is "${givenVersion}", expected one such as "2.1.197"`);
  }
  if (judge === "codex" && mcpServers.some(({ transport }) => transport === "sse")) {
    table.problemAt(
      ["mcp_servers"],
      "codex takes no tool server with the sse transport",
      'Set transport = "streamable-http" or "stdio"',
    );
  }
  return { model: options.model ?? ownModel, isolated, cwd, version, mcpServers };
}

function readMcpServer(table: Table): McpServer {
  const name = table.text("name");
  if (!table.has("name") || name === "") table.problem('"name" is missing');
  const transport = table.oneOf("transport", ["stdio", "sse", "streamable-http", "http"]) ?? "sse";
  const url = table.text("url");
  const command = table.text("command");
  if (transport === "stdio" && !command) table.problem('a stdio server needs a "command"');
  if (transport !== "stdio" && !url) table.problem(`a server with ${transport} needs a "url"`);
  const server: McpServer = {
    name: name ?? "",
    transport: transport === "http" ? "streamable-http" : transport,
    url,
    command,
    args: table.texts("args") ?? [],
    allowedTools: table.texts("allowed_tools") ?? [],
  };
  table.finish();
  return server;
}

function readEffort(
  table: Table,
  isAgent: boolean,
  judge: string,
  { judge: otherJudge, reasoningEffort }: JudgeOptions,
): Pick<JudgeConfig, "reasoningEffort"> {
  const standard = isAgent ? {} : { reasoningEffort: "medium" };
  const own = table.text("reasoning_effort");
  const effort = reasoningEffort ?? own;
  if (effort === undefined) return standard;
  // What agents that a script adds understand is for them to say.
  const known = isAgent ? AGENT_EFFORTS[judge] ?? [effort] : EFFORTS;
  if (known.includes(effort)) return { reasoningEffort: effort };
  if (reasoningEffort === undefined && otherJudge !== undefined) return standard;
  table.problemAt(
    ["reasoning_effort"],
    `the reasoning effort is "${effort}", expected one of ${known.join(", ")}`,
  );
  return standard;
}

function refuseForeignKeys(table: Table, isAgent: boolean, judge: string): void {
  const foreign = (isAgent ? LLM_KEYS : AGENT_KEYS).filter((key) => table.has(key));
  for (const key of foreign) {
    table.problemAt(
      [key],
      isAgent
        ? `"${key}" is for LLM judges, and "${judge}" is an agent: it looks at the workspace itself`
        : `"${key}" is for agent judges, and "${judge}" is a model`,
      isAgent || key !== "model" ? `Remove "${key}"` : 'Name the model in "judge"',
    );
  }
}

function checkCriteria(top: Table, config: JudgeConfig): void {
  const { criteria, mode, guard, kind } = config;
  const names = new Set<string>();
  for (const [index, { name, files }] of criteria.entries()) {
    const place = ["criterion", index];
    if (mode === "batched" && names.has(name)) {
      top.problemAt(
        place,
        `two criteria are called "${name}"`,
        'Give each a "name" of its own, or set mode = "individual" in [judge]',
      );
    }
    names.add(name);
    if (files === undefined) continue;
    if (kind === "agent") {
      top.problemAt(
        [...place, "files"],
        `criterion "${name}" has "files", which is for LLM judges`,
      );
    } else if (mode === "batched") {
      top.problemAt(
        [...place, "files"],
        `criterion "${name}" has "files", which needs mode = "individual" in [judge]`,
      );
    }
  }
  if (guard !== "off" && names.has("guard")) {
    top.problem('the name "guard" is taken while the guard is on', "Rename the criterion");
  }
}

function checkWorkingFolder(
  table: Table,
  { cwd, isolated }: JudgeConfig,
  workspace: string,
): void {
  if (!isolated || cwd === undefined) return;
  const folder = resolvePath(Deno.cwd(), workspace);
  if (!isWithin(resolvePath(folder, cwd), folder)) {
    table.problemAt(
      ["cwd"],
      `"cwd" is "${cwd}", outside the workspace ${workspace}`,
      "An isolated agent works in a view of the workspace: choose a folder in it",
    );
  }
}

function warnOfSamples(table: Table, { samples }: JudgeConfig): void {
  if (samples % 2 === 0) {
    table.warn(`an even number of samples (${samples}) has no middle one; the lower one is taken`, [
      "samples",
    ]);
  }
}
