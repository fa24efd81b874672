// Agents work in the graded folder: two of them must not share it.

import type { JudgeConfig } from "../judge_config.ts";

/** How often a judge's agent works in the workspace: once a sample, or once a question. */
export function agentRuns({ kind, mode, samples, guard, criteria }: JudgeConfig): number {
  if (kind === "llm") return 0;
  const questions = criteria.length + (guard === "off" ? 0 : 1);
  return mode === "batched" ? samples : samples * questions;
}

/** The agent judges that are not isolated, where there is more than one run of an agent. */
export function sharingAgents<Judge extends { config: JudgeConfig }>(
  judges: readonly Judge[],
): Judge[] {
  const runs = judges.reduce((sum, { config }) => sum + agentRuns(config), 0);
  if (runs <= 1) return [];
  return judges.filter(({ config }) => config.kind === "agent" && !config.isolated);
}
