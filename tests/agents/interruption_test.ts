// A run that is interrupted or killed while a real agent waits for its model, or for a command.

import assert from "node:assert/strict";
import type { Reply } from "../model_server.ts";
import {
  canRun,
  comesTrue,
  namesBelow,
  processesWith,
  type RealAgent,
  RealBench,
} from "./real_agents.ts";

const HANG: Reply = { fault: "hang", repeat: true };

/** A command that lasts, and needs no permission. Agents start it in a session of its own. */
const SLEEP: Readonly<Record<RealAgent, Reply>> = {
  "claude-code": { tool: { name: "Bash", input: { command: "sleep 600", description: "s" } } },
  "codex": {
    tool: {
      name: "exec",
      input: 'text(await tools.exec_command({ cmd: "sleep 600", yield_time_ms: 30000 }))',
    },
  },
};

const SETTINGS: Readonly<Record<RealAgent, string>> = {
  "claude-code": "isolated = true",
  // One that is offered each tool by itself.
  "codex": 'isolated = true\nmodel = "openai/gpt-5.6-sol"',
};

const AGENTS: readonly RealAgent[] = ["claude-code", "codex"];
const SIGNALS = ["SIGINT", "SIGTERM", "SIGKILL"] as const;

for (const agent of AGENTS) {
  const ignore = !await canRun(agent);
  for (const signal of SIGNALS) {
    Deno.test({
      name: `nothing is left of the real ${agent} after ${signal}`,
      ignore,
      async fn() {
        await using bench = await RealBench.make(agent, {
          settings: SETTINGS[agent],
          script: [HANG],
        });
        await requireNothingLeft(bench, signal, bench.interrupted(signal));
      },
    });

    Deno.test({
      name: `nor of a command that it runs, after ${signal} (${agent})`,
      ignore,
      async fn() {
        await using bench = await RealBench.make(agent, {
          settings: SETTINGS[agent],
          script: [SLEEP[agent], HANG],
        });
        const isAsleep = () => processesWith(bench.temporary).some((line) => /^sleep/.test(line));
        const run = bench.interrupted(signal, { when: isAsleep });
        await requireNothingLeft(bench, signal, run);
      },
    });
  }
}

async function requireNothingLeft(
  bench: RealBench,
  signal: typeof SIGNALS[number],
  run: ReturnType<RealBench["interrupted"]>,
): Promise<void> {
  const { code, stdout } = await run;
  assert.deepEqual([code, stdout], [signal === "SIGKILL" ? 137 : 130, ""]);
  const left = () => [
    ...processesWith(bench.temporary),
    ...[...Deno.readDirSync(bench.temporary)].map(({ name }) => name),
  ];
  // Nobody waits for what cleans up after a run that was killed.
  if (signal === "SIGKILL") await comesTrue(() => left().length === 0);
  assert.deepEqual(left(), []);
  assert.deepEqual(namesBelow(`${bench.home}/out`), []);
}
