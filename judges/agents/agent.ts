// What an agent is: a program that looks at the workspace itself and answers in JSON.

import type { McpServer } from "../../src/judge_config.ts";
import type { JsonSchema, TokenUsage } from "../model.ts";

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string>>;

/** What an agent is asked to do once. */
export interface AgentTask {
  prompt: string;
  /** What the answer has to look like. */
  schema: JsonSchema;
  /** As the judge is configured; absent: the agent's own choice. */
  model?: string;
  /** As the judge is configured; absent: the agent's own choice. */
  reasoningEffort?: string;
  /** Absolute path of the folder that it works in. */
  cwd: string;
  /** Whether the workspace is a throw-away view: it may change what it likes. */
  isolated: boolean;
  /** Absolute path of the trajectory that it is told of; it may lie outside of `cwd`. */
  trajectory?: string;
  /** Variables in commands, arguments and addresses have been replaced. */
  mcpServers: readonly McpServer[];
  /** Absolute path of an empty folder for its configuration, session and answer. */
  folder: string;
  /** Every variable of the judge's environment, secrets included. */
  environment: Environment;
}

/** How an agent is started for a task. */
export interface AgentCommand {
  /** The program's arguments. */
  args: readonly string[];
  /** What it reads from standard input. Default: nothing. */
  stdin?: string;
  /**
   * Variables that it gets beside what every command gets, such as its key: a command sees none
   * that looks like a secret.
   */
  env?: Record<string, string>;
}

/** What an agent's program did. */
export interface AgentOutput {
  /** 128 + n after signal n. */
  code: number;
  /** At most 16 MiB, as is `stderr`. */
  stdout: string;
  stderr: string;
}

/** What there is to read from an agent's output. */
export interface AgentReply {
  /** The answer, if there is one. */
  text?: string;
  /** Why there is none, in the agent's own words where it has some. */
  failure?: string;
  /** What was used, as far as it is known. */
  usage?: TokenUsage;
  /** Path of the agent's own record of the session; `null`: there should be one, and is not. */
  sessionLog?: string | null;
}

/** An agent that can judge. */
export interface Agent {
  /** As `judge` in a TOML spells it. */
  name: string;
  /** Its program: a name that is looked for on PATH, or an absolute path. */
  program: string;
  /** The npm package that a `version` in a TOML is installed from. Default: it has no versions. */
  npmPackage?: string;
  /**
   * Looks for what it needs, such as a key, before anything is paid for.
   *
   * @throws {ConfigError} If that is missing.
   */
  check?(environment: Environment): void;
  /** Says how it is started for a task; may write files into the task's folder. */
  command(task: AgentTask): AgentCommand | Promise<AgentCommand>;
  /**
   * Reads its answer, also of a program that failed or had to be killed. Default: what it printed
   * is the answer if it ended with 0.
   */
  read?(output: AgentOutput, task: AgentTask): AgentReply | Promise<AgentReply>;
}
