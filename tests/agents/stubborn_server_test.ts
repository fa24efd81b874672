// A tool server that does not end by itself, of a run that is killed.

import assert from "node:assert/strict";
import { canRun, comesTrue, processesWith, type RealAgent, RealBench } from "./real_agents.ts";

const AGENTS: readonly RealAgent[] = ["claude-code", "codex"];

for (const agent of AGENTS) {
  Deno.test({
    name: `nothing is left of a tool server of the real ${agent} after SIGKILL`,
    ignore: !await canRun(agent),
    async fn() {
      await using bench = await RealBench.make(agent, {
        servers: '[[judge.mcp_servers]]\nname = "stubborn"\ntransport = "stdio"\n' +
          'command = "sh"\nargs = ["-c", "trap : INT TERM HUP; while :; do sleep 1; done"]\n',
        script: [{ fault: "hang", repeat: true }],
      });
      const servers = () => processesWith(bench.temporary).filter((line) => /trap :/.test(line));
      await bench.interrupted("SIGKILL", { when: () => servers().length > 0 });
      assert.ok(await comesTrue(() => servers().length === 0), `${servers()}`);
    },
  });
}
