// What an agent judge would do, for people, without running it.

import { agentPrompt } from "./prompt.ts";
import { criteriaOfQuestions } from "../question.ts";
import type { JudgeSummary } from "../summary.ts";
import { loadTokenizer } from "../tokens.ts";
import { lackOf, type PreparedAgent } from "./preparation.ts";

/** Sums up how often an agent would be run, and with what. */
export async function summaryOfAgent(prepared: PreparedAgent): Promise<JudgeSummary> {
  const { config, notes, reader } = prepared;
  const { judge, model, reasoningEffort, samples, isolated, trajectory, promptTemplate } = config;
  const tokenizer = await loadTokenizer();
  const questions = criteriaOfQuestions(config);
  const parts = {
    cwd: reader.workspace,
    isolated,
    ...(trajectory !== undefined && { trajectory }),
    ...(promptTemplate !== undefined && { template: promptTemplate }),
  };
  const prompts = questions.map(({ criteria }) => agentPrompt(parts, criteria));
  const perSample = prompts.reduce((sum, prompt) => sum + tokenizer.count(prompt), 0);
  const lack = lackOf(prepared);
  return {
    kind: "agent",
    model: model === undefined ? judge : `${judge} with ${model}`,
    reasoningEffort: reasoningEffort ?? null,
    criteria: questions.flatMap(({ criteria }) =>
      criteria.map(({ name, scale }) => ({ name, type: scale.type }))
    ),
    calls: questions.length * samples,
    tokens: perSample * samples,
    files: [],
    reference: [],
    notes: [
      ...notes,
      ...(isolated ? ["each sample works in a throw-away view of the workspace"] : []),
      ...(lack === null ? [] : [`nothing to judge yet: ${lack}`]),
    ],
  };
}
