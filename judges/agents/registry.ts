// Which agents there are.

import { UsageError } from "../../src/errors.ts";
import { lazily } from "../../src/lazy.ts";
import type { Agent } from "./agent.ts";

/** Agents of our own, loaded when one judges. */
const OWN: Readonly<Record<string, () => Promise<Agent>>> = {
  "claude-code": async () =>
    (await lazily<typeof import("./claude.ts")>("./claude.ts", import.meta.url)).claudeCode,
  "codex": async () =>
    (await lazily<typeof import("./codex.ts")>("./codex.ts", import.meta.url)).codex,
};

const registered = new Map<string, Agent>();

/** What a model is never called: those have a service and a slash, or begin with a known word. */
const NAME_REGEXP = /^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/;

/**
 * Adds an agent: from now on, `judge = "NAME"` in a TOML is that agent. A script calls it before
 * `run()`.
 *
 * @throws {UsageError} If its name is taken, or is none.
 *
 * @example
 * ```ts
 * import { registerAgent } from "./registry.ts";
 *
 * registerAgent({
 *   name: "house-agent",
 *   program: "house-agent",
 *   command: ({ prompt, model, environment }) => ({
 *     args: ["--answer-in-json", ...(model ? ["--model", model] : [])],
 *     stdin: prompt,
 *     env: { HOUSE_KEY: environment.HOUSE_KEY ?? "" },
 *   }),
 * });
 * ```
 */
export function registerAgent(agent: Agent): void {
  const { name } = agent;
  if (!NAME_REGEXP.test(name)) {
    throw new UsageError(`"${name}" is no name for an agent`, {
      hint: "Take lower-case words with hyphens, such as house-agent",
    });
  }
  if (Object.hasOwn(OWN, name) || registered.has(name)) {
    throw new UsageError(`There is an agent called "${name}" already`);
  }
  registered.set(name, agent);
}

/** Names of the agents that were added with {@link registerAgent}. */
export function registeredAgents(): string[] {
  return [...registered.keys()];
}

/**
 * The agent of that name.
 *
 * @throws {Error} If there is none.
 */
export async function agentNamed(name: string): Promise<Agent> {
  const agent = registered.get(name) ?? await OWN[name]?.();
  if (agent === undefined) throw new Error(`There is no agent called "${name}"`);
  return agent;
}
