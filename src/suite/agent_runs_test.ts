import assert from "node:assert/strict";
import { agentRuns, sharingAgents } from "./agent_runs.ts";
import type { JudgeConfig } from "../judge_config.ts";
import { DEFAULT_SCORING } from "./scoring_table.ts";

function judge(rest: Partial<JudgeConfig>): { config: JudgeConfig } {
  const criterion = {
    name: "c",
    description: "d",
    scale: { type: "binary" as const },
    weight: 1,
    negate: false,
    optional: false,
  };
  return {
    config: {
      kind: "agent",
      judge: "codex",
      timeoutSec: 300,
      files: [],
      weight: 1,
      mode: "batched",
      samples: 1,
      guard: "off",
      isolated: false,
      mcpServers: [],
      scoring: DEFAULT_SCORING,
      criteria: [criterion, criterion],
      ...rest,
    },
  };
}

Deno.test("agentRuns() counts samples, and questions where each is asked on its own", () => {
  assert.equal(agentRuns(judge({}).config), 1);
  assert.equal(agentRuns(judge({ samples: 3, guard: "flag" }).config), 3);
  assert.equal(agentRuns(judge({ mode: "individual", samples: 3 }).config), 6);
  assert.equal(agentRuns(judge({ mode: "individual", guard: "flag" }).config), 3);
  assert.equal(agentRuns(judge({ kind: "llm", samples: 3 }).config), 0);
});

Deno.test("sharingAgents() names the agents that are not isolated where there are several runs", () => {
  const shared = judge({});
  const isolated = judge({ isolated: true });
  const sampled = judge({ samples: 2 });
  assert.deepEqual(sharingAgents([shared, judge({ kind: "llm", samples: 3 })]), []);
  assert.deepEqual(sharingAgents([isolated, isolated]), []);
  assert.deepEqual(sharingAgents([shared, isolated]), [shared]);
  assert.deepEqual(sharingAgents([sampled]), [sampled]);
});
