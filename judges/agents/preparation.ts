// Makes an agent judge ready to be asked: finds its program and key. Runs nothing of it but
// `--version`.

import type { WorkspaceReader } from "../../src/criterion/reader.ts";
import { requireFolder, workingFolder } from "../../src/command/folder.ts";
import { ConfigError, SubmissionError } from "../../src/errors.ts";
import type { JudgeConfig, McpServer } from "../../src/judge_config.ts";
import { isAbsolute, isWithin, resolvePath } from "../../src/path.ts";
import type { JudgeInput } from "../preparation.ts";
import type { Agent, Environment } from "./agent.ts";
import { withVariables } from "./mcp.ts";
import { findProgram } from "./program.ts";
import { agentNamed } from "./registry.ts";

/** An agent judge that can be asked. */
export interface PreparedAgent {
  config: JudgeConfig;
  agent: Agent;
  /** Absolute path of its program. */
  program: string;
  environment: Environment;
  mcpServers: readonly McpServer[];
  /** Where it works, from the workspace's root; empty: there. An absolute path lies outside. */
  cwd: string;
  reader: WorkspaceReader;
  /** What `check` should say, such as what will be installed. */
  notes: readonly string[];
}

/** What agent judges get to see beside their TOML. */
export interface AgentSurroundings {
  environment: Environment;
  /** Reads the workspace, guarded. */
  reader: WorkspaceReader;
  /** Whether a version that is not there is installed. */
  install: boolean;
  onNotice: (message: string) => void;
  signal?: AbortSignal;
}

/**
 * Prepares one agent judge.
 *
 * @throws {ConfigError} If its program, its key or its folder is missing.
 */
export async function prepareAgent(
  { shown, config }: JudgeInput,
  surroundings: AgentSurroundings,
): Promise<PreparedAgent> {
  try {
    return await prepare(config, surroundings);
  } catch (error) {
    throw error instanceof ConfigError ? error.at({ file: shown }) : error;
  }
}

/**
 * Looks for the program and key of an agent judge that is asked later.
 *
 * @throws {ConfigError} If one is missing.
 */
export async function requireAgent(
  config: JudgeConfig,
  surroundings: Omit<AgentSurroundings, "install" | "reader"> & { workspace: string },
): Promise<void> {
  const agent = await agentNamed(config.judge);
  agent.check?.(surroundings.environment);
  await programOf(agent, config, { ...surroundings, install: false });
}

async function prepare(
  config: JudgeConfig,
  surroundings: AgentSurroundings,
): Promise<PreparedAgent> {
  const { environment, reader } = surroundings;
  const agent = await agentNamed(config.judge);
  agent.check?.(environment);
  const mcpServers = withVariables(config.mcpServers, environment);
  const { workspace } = reader;
  const found = await programOf(agent, config, { ...surroundings, workspace });
  const cwd = placeOf(config, workspace);
  if (isAbsolute(cwd)) requireOutside(cwd);
  return {
    config,
    agent,
    program: "path" in found ? found.path : agent.program,
    environment,
    mcpServers,
    cwd,
    reader,
    notes: ["path" in found ? `runs ${found.path}` : `would install ${found.toInstall}`],
  };
}

/** A folder of the author's own. */
function requireOutside(cwd: string): void {
  try {
    requireFolder(cwd);
  } catch (error) {
    if (!(error instanceof SubmissionError)) throw error;
    throw new ConfigError(error.message, {
      hint: 'Give a folder that is there when the judge runs as "cwd"',
    });
  }
}

async function programOf(
  agent: Agent,
  { version }: JudgeConfig,
  { environment, workspace, install, onNotice, signal }:
    & Omit<AgentSurroundings, "reader">
    & { workspace: string },
): Promise<Awaited<ReturnType<typeof findProgram>>> {
  return await findProgram(agent, {
    environment,
    workspace,
    install,
    onNotice,
    ...(version !== undefined && { version }),
    ...(signal !== undefined && { signal }),
  });
}

function placeOf({ cwd }: JudgeConfig, workspace: string): string {
  if (cwd === undefined) return "";
  const path = resolvePath(workspace, cwd);
  if (path === workspace) return "";
  return isWithin(path, workspace) ? path.slice(workspace.length + 1) : path;
}

/** What the graded work lacks to be judged; `null`: nothing. */
export function lackOf({ config, cwd, reader }: PreparedAgent): string | null {
  const { trajectory } = config;
  try {
    workingFolder(reader.workspace, cwd);
    if (trajectory === undefined) return null;
    reader.open(trajectory).file.close();
    return null;
  } catch (error) {
    if (!(error instanceof SubmissionError)) throw error;
    return error.message;
  }
}
