/**
 * Reward Kit: a folder of check files and judge TOMLs becomes a reward.
 *
 * Import it in a check file for the criteria, or in a script to grade. Run it to grade from the
 * command line: `deno run -A --no-config jsr:@rewardkit/cli /tests`.
 *
 * @module
 */

export * from "./checks.ts";
export type {
  Agent,
  AgentCommand,
  AgentOutput,
  AgentReply,
  AgentTask,
  Environment,
} from "./judges/agents/agent.ts";
export { registerAgent } from "./judges/agents/registry.ts";
export type { JsonSchema, TokenUsage } from "./judges/model.ts";
export {
  ConfigError,
  CriterionError,
  DiscoveryError,
  PermissionNeededError,
  type Place,
  RewardKitError,
  SandboxError,
  UsageError,
} from "./src/errors.ts";
export type { CriterionOutcome, EventFile, JudgeProgress, RunEvent } from "./src/events.ts";
export type { RunError } from "./src/results.ts";
export type { McpServer } from "./src/judge_config.ts";
export type { JudgeSummary, ShownFile } from "./src/judging.ts";
export type { ListedPermissions } from "./src/permission_list.ts";
export type { Ask, Excess, PermissionKind } from "./src/policy.ts";
export {
  check,
  type CheckedSuite,
  discover,
  type DiscoveredReward,
  GradingError,
  permissions,
  run,
  runMany,
} from "./src/run.ts";
export type { Scores } from "./src/whole_run.ts";
export type { CriterionScore, JsonValue } from "./src/score/criterion_score.ts";
export type { InputKind } from "./src/score/plan.ts";
export type { GroupNode, InputNotes, LeafNode, ScoreError, ScoreNode } from "./src/score/tree.ts";
export type { RunOptions } from "./src/settings.ts";
export type { Isolation } from "./src/view/view.ts";
export type { ListedCriterion, ListedReward } from "./src/suite/listing.ts";

if (import.meta.main) {
  import("./src/cli/main.ts").then(({ main }) => main(Deno.args)).then(Deno.exit);
}

// Never called: with its `import()` in the graph, a registry's copy comes with all that cells load.
const _cellModules = () => import("./src/sandbox/cell_modules.ts");
