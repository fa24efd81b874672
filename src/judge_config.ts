// What a judge TOML configures, complete with defaults.

import type { JsonValue } from "./score/criterion_score.ts";
import type { ScoringTable } from "./suite/scoring_table.ts";

/** How a criterion is answered, and what its answers are worth. */
export type Scale =
  | { type: "binary" }
  /** Whole numbers from 1 to `points`. */
  | { type: "likert"; points: number }
  | { type: "numeric"; min: number; max: number }
  /** From worst to best, 2 to 10 of them. */
  | { type: "rubric"; levels: readonly string[] };

/** One question to a judge. */
export interface JudgeCriterion {
  name: string;
  description: string;
  scale: Scale;
  weight: number;
  /** The score is turned around: 1 - score. */
  negate: boolean;
  /** Does not count for `required-pass`. */
  optional: boolean;
  /** Files of this criterion alone; only in individual mode. */
  files?: readonly string[];
  /** The author's own key. */
  id?: string;
  /** The author's own notes, as written. */
  annotations?: Readonly<Record<string, unknown>>;
}

/** A tool server that an agent judge may use. */
export interface McpServer {
  name: string;
  transport: "stdio" | "sse" | "streamable-http";
  /** Only of `stdio`. */
  command?: string;
  args: readonly string[];
  /** Not of `stdio`. */
  url?: string;
  /** Empty: all of them. */
  allowedTools: readonly string[];
}

/** A judge and its questions. */
export interface JudgeConfig {
  kind: "llm" | "agent";
  /** A model, such as `anthropic/claude-opus-5-5`, or the name of an agent. */
  judge: string;
  /** The model of an agent judge; absent: the agent's own choice. */
  model?: string;
  /** Absent: the agent's own choice. Always set for an LLM judge. */
  reasoningEffort?: string;
  /** Seconds for one judgement; 0: no limit. */
  timeoutSec: number;
  /** What an LLM judge is shown; relative paths start at the workspace. */
  files: readonly string[];
  /** Reference material for an LLM judge. */
  reference?: string;
  /** Path of the agent's trajectory (ATIF). */
  trajectory?: string;
  /** Text of the template; holds `{criteria}`. */
  promptTemplate?: string;
  /** Weight among the inputs of its folder. */
  weight: number;
  /** One question for all criteria, or one each. */
  mode: "batched" | "individual";
  /** How often it is asked. */
  samples: number;
  /** Whether it looks for attempts to influence it, and what follows from one. */
  guard: "off" | "flag" | "penalize";
  /** Whether an agent works in a throw-away view of the workspace. */
  isolated: boolean;
  /** Working folder of an agent; absent: the workspace. */
  cwd?: string;
  /** Version of an agent's program, such as `2.1.197`. */
  version?: string;
  mcpServers: readonly McpServer[];
  scoring: ScoringTable;
  criteria: readonly JudgeCriterion[];
}

/** The settings as `reward-details.json` shows them, under the original's names. */
export function settingsOf(config: JudgeConfig): { [key: string]: JsonValue } {
  const common = {
    reasoning_effort: config.reasoningEffort ?? null,
    timeout: config.timeoutSec,
  };
  const last = { mode: config.mode, samples: config.samples, guard: config.guard };
  if (config.kind === "llm") {
    return {
      model: config.judge,
      ...common,
      files: [...config.files],
      atif_trajectory: config.trajectory ?? null,
      reference: config.reference ?? null,
      ...last,
    };
  }
  return {
    agent: config.judge,
    model: config.model ?? null,
    version: config.version ?? null,
    ...common,
    cwd: config.cwd ?? null,
    isolated: config.isolated,
    atif_trajectory: config.trajectory ?? null,
    mcp_servers: config.mcpServers.map((server) => ({
      name: server.name,
      transport: server.transport,
      url: server.url ?? null,
      command: server.command ?? null,
      args: [...server.args],
      allowed_tools: [...server.allowedTools],
    })),
    ...last,
  };
}
