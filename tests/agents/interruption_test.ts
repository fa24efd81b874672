// A run that is interrupted while a real agent waits for its model.

import assert from "node:assert/strict";
import { canRun, namesBelow, processesWith, type RealAgent, RealBench } from "./real_agents.ts";

const AGENTS: readonly RealAgent[] = ["claude-code", "codex"];

for (const agent of AGENTS) {
  const ignore = !await canRun(agent);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.test({
      name: `nothing is left of the real ${agent} after ${signal}`,
      ignore,
      async fn() {
        await using bench = await RealBench.make(agent, {
          settings: "isolated = true",
          script: [{ fault: "hang", repeat: true }],
        });
        const { code, stdout } = await bench.interrupted(signal);
        assert.deepEqual([code, stdout], [130, ""]);
        assert.deepEqual(processesWith(bench.temporary), []);
        assert.deepEqual([...Deno.readDirSync(bench.temporary)], []);
        assert.deepEqual(namesBelow(`${bench.home}/out`), []);
      },
    });
  }
}
