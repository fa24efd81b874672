// One agent at one view of the workspace: runs its program, once for each question and try.

import { commandEnvironment } from "../../src/command/environment.ts";
import type { ProcessGroups } from "../../src/command/groups.ts";
import { run } from "../../src/command/run.ts";
import { RewardKitError } from "../../src/errors.ts";
import { type Completion, ModelCallError, type ModelRequest, type TokenUsage } from "../model.ts";
import { redact } from "../providers/redact.ts";
import type { AgentOutput, AgentReply, AgentTask } from "./agent.ts";
import type { JudgeLogs } from "./judge_logs.ts";
import type { PreparedAgent } from "./preparation.ts";
import { trustedPath } from "./program_path.ts";

/** A view of the workspace for an agent. */
export interface AgentView {
  /** Absolute path at which the agent sees the workspace. */
  readonly path: string;
  /** What made it; absent: it is the workspace itself. */
  readonly backend?: string;
  /** Wraps an argument list so that the program sees the view. */
  wrap(argv: readonly string[], cwd?: string): string[];
}

/** What a session needs. */
export interface SessionOptions {
  view: AgentView;
  /** Real path of the workspace. */
  workspace: string;
  /** Absolute path of the folder that the agent works in. */
  cwd: string;
  /** A folder of the run's own; each task gets a new one in it. */
  privateDir: string;
  /** Absolute path of the trajectory, where there is one to be looked at. */
  trajectory?: string;
  groups: ProcessGroups;
  logs: JudgeLogs;
  secrets: readonly string[];
  /** Ends the run, of which nothing is kept then. */
  signal: AbortSignal;
}

/**
 * Git runs programs that a repository's configuration names: monitors, hooks, filters, drivers for
 * differences. The graded agent may have written it, and agents run git without being asked. So git
 * takes every repository for somebody else's and refuses it; where it does not know that variable,
 * at least what it runs by itself is turned off.
 */
const GIT_ENVIRONMENT = {
  ...gitEnvironment({
    "core.fsmonitor": "false",
    "core.hooksPath": "/dev/null",
    "safe.directory": "",
  }),
  GIT_TEST_ASSUME_DIFFERENT_OWNER: "1",
};

function gitEnvironment(settings: Record<string, string>): Record<string, string> {
  const entries = Object.entries(settings).flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { ...Object.fromEntries(entries), GIT_CONFIG_COUNT: `${Object.keys(settings).length}` };
}

/** Most characters of an answer: a verdict is short, and a flood would take long to read. */
const MAX_ANSWER = 1024 * 1024;

/** Most characters of what a program says of its failure that are shown. */
const MAX_SHOWN = 300;

/** Runs an agent again and again at the same view. */
export class AgentSession {
  readonly #prepared: PreparedAgent;
  readonly #options: SessionOptions;

  constructor(prepared: PreparedAgent, options: SessionOptions) {
    this.#prepared = prepared;
    this.#options = options;
  }

  /**
   * Runs the agent once.
   *
   * @param label Of its logs.
   * @param signal Kills it; what it used is told all the same.
   * @throws {ModelCallError} If it gives no answer.
   * @throws What the run was aborted with.
   */
  async call(request: ModelRequest, label: string, signal: AbortSignal): Promise<Completion> {
    const { config } = this.#prepared;
    const { logs, secrets } = this.#options;
    const task = await this.#task(request);
    const output = await this.#run(task, signal);
    this.#options.signal.throwIfAborted();
    const reply = bounded(await this.#read(output, task));
    if (reply.sessionLog !== undefined) await logs.saveSession(label, reply.sessionLog);
    const usage = reply.usage === undefined ? {} : { usage: this.#plain(reply.usage) };
    if (signal.aborted || reply.text === undefined) {
      const log = await logs.saveOutput(label, output);
      const reason = shorten(redact(reply.failure ?? "it printed no answer", secrets));
      throw new ModelCallError(
        signal.aborted
          ? `${config.judge} was stopped`
          : `${config.judge} failed with exit code ${output.code}: ${reason}`,
        {
          kind: "unavailable",
          ...(log !== null && { hint: `What it printed is in ${log}` }),
          ...usage,
        },
      );
    }
    return { text: redact(reply.text, secrets), stop: "end", notes: [], ...usage };
  }

  /** An agent that was given a model has used that one, unless it says more. No name is a secret. */
  #plain(usage: TokenUsage): TokenUsage {
    const { model } = this.#prepared.config;
    const { secrets } = this.#options;
    const { byModel = model === undefined ? {} : { [model]: usage }, toolRequests = {} } = usage;
    return {
      ...usage,
      byModel: redactedKeys(byModel, secrets),
      toolRequests: redactedKeys(toolRequests, secrets),
    };
  }

  async #task({ system, blocks, schema }: ModelRequest): Promise<AgentTask> {
    const { config, mcpServers, environment } = this.#prepared;
    const { cwd, trajectory } = this.#options;
    const texts = blocks.flatMap((block) => block.type === "text" ? [block.text] : []);
    return {
      prompt: [system, ...texts].join("\n\n"),
      schema,
      ...(config.model !== undefined && { model: config.model }),
      ...(config.reasoningEffort !== undefined && { reasoningEffort: config.reasoningEffort }),
      cwd,
      isolated: config.isolated,
      ...(trajectory !== undefined && { trajectory }),
      mcpServers,
      folder: await this.#newFolder(),
      environment,
    };
  }

  /** Never one that an agent has been told of: it could have laid something there. */
  async #newFolder(): Promise<string> {
    const folder = `${this.#options.privateDir}/${crypto.randomUUID()}`;
    await Deno.mkdir(folder, { mode: 0o700 });
    return folder;
  }

  async #run(task: AgentTask, signal: AbortSignal): Promise<AgentOutput> {
    const { agent, program, environment } = this.#prepared;
    const { view, workspace, cwd, groups } = this.#options;
    const { args, stdin, env } = await this.#guarded(() => agent.command(task));
    const { code, stdout, stderr, truncated } = await this.#guarded(() =>
      run(view.wrap([program, ...args], cwd), {
        // A folder of a view is entered in the view.
        cwd: view.backend === undefined ? cwd : "/",
        workspace: view.path,
        env: {
          ...commandEnvironment([], environment),
          // What the program looks for itself must not be the graded agent's either.
          PATH: trustedPath(environment.PATH, workspace),
          // Thrown away with all the rest.
          TMPDIR: task.folder,
          ...GIT_ENVIRONMENT,
          ...env,
        },
        ...(stdin !== undefined && { stdin }),
        // The judgement's own time limit is in the signal.
        timeoutSec: Infinity,
        stop: signal,
        groups,
        endsGroup: true,
      })
    );
    const remark = truncated ? "\nit printed more than 16 MiB and was killed" : "";
    return { code, stdout, stderr: stderr + remark };
  }

  async #read(output: AgentOutput, task: AgentTask): Promise<AgentReply> {
    const { agent } = this.#prepared;
    if (agent.read !== undefined) return await this.#guarded(() => agent.read!(output, task));
    const { code, stdout, stderr } = output;
    return code === 0 ? { text: stdout } : { failure: stderr.trim() || stdout.trim() };
  }

  /** What a script's agent throws is an error of its judge, not the end of the run. */
  async #guarded<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const hint = error instanceof RewardKitError ? error.hint : undefined;
      throw new ModelCallError(`${this.#prepared.config.judge} cannot be run: ${message}`, {
        kind: "rejected",
        cause: error,
        ...(hint !== undefined && { hint }),
      });
    }
  }
}

function bounded(reply: AgentReply): AgentReply {
  if (reply.text === undefined || reply.text.length <= MAX_ANSWER) return reply;
  const { text, ...rest } = reply;
  return { ...rest, failure: `its answer has ${text.length} characters` };
}

function redactedKeys<T>(
  record: Readonly<Record<string, T>>,
  secrets: readonly string[],
): Record<string, T> {
  const entries = Object.entries(record).map(([key, value]) => [redact(key, secrets), value]);
  return Object.fromEntries(entries);
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  // The end of a long complaint says more than its beginning.
  return line.length > MAX_SHOWN ? `…${line.slice(-MAX_SHOWN)}` : line;
}
