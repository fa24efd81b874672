// A task for tests of agents, with a folder of its own.

import type { AgentTask } from "../judges/agents/agent.ts";

/** A task; its folder is removed on disposal. */
export async function agentTask(
  parts: Partial<AgentTask> = {},
): Promise<AgentTask & AsyncDisposable> {
  const folder = await Deno.makeTempDir({ prefix: "rewardkit-test-" });
  return {
    prompt: "Is it good?",
    schema: { type: "object" },
    cwd: "/app",
    isolated: false,
    mcpServers: [],
    folder,
    environment: {},
    ...parts,
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}
