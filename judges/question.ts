// What a judge is asked, and what it is shown with each question.

import type { JudgeConfig, JudgeCriterion } from "../src/judge_config.ts";
import { FENCE_PROMPT, GUARD_CRITERION, GUARD_PROMPT } from "./guard.ts";
import type { Block, ModelRequest } from "./model.ts";
import { askAgain, type PromptParts, systemPrompt } from "./prompt.ts";
import { answerSchema } from "./schema.ts";

/** What is asked in one call. */
export interface Question {
  /** Stands above its answers; absent where the judge has only this question. */
  title?: string;
  /** What is asked, the guard's question included. */
  criteria: readonly JudgeCriterion[];
  /** What is shown. */
  blocks: readonly Block[];
  /** The words that ask for those of its criteria that lack a verdict. */
  instructions(criteria: readonly JudgeCriterion[]): string;
}

/** The instructions of a model that is shown things. */
export function modelInstructions(
  parts: Pick<PromptParts, "shows" | "template">,
): Question["instructions"] {
  return (criteria) =>
    systemPrompt({
      ...parts,
      criteria,
      fencePrompt: FENCE_PROMPT,
      ...(criteria.includes(GUARD_CRITERION) && { guardPrompt: GUARD_PROMPT }),
    });
}

/** The criteria of each question of a judge: all in one, or one each; the guard's is the last. */
export function criteriaOfQuestions({ mode, guard, criteria }: JudgeConfig): {
  title?: string;
  criteria: readonly JudgeCriterion[];
}[] {
  const asked = guard === "off" ? criteria : [...criteria, GUARD_CRITERION];
  if (mode === "batched") return [{ criteria: asked }];
  return asked.map((criterion) => ({ title: criterion.name, criteria: [criterion] }));
}

/** How a question is asked once. */
export interface Attempt extends Pick<ModelRequest, "effort" | "roomier"> {
  problems: ReadonlyMap<string, string>;
}

/**
 * One call's request.
 *
 * @param open The criteria that still lack a verdict.
 * @param attempt How it is asked, `problems` being why they still lack one, by name. Default: as at
 * first, which is for a prompt's length.
 */
export function requestFor(
  { blocks, instructions }: Question,
  open: readonly JudgeCriterion[],
  attempt: Attempt = { effort: "none", roomier: 0, problems: new Map() },
): ModelRequest {
  const { effort, roomier, problems } = attempt;
  const again: Block[] = problems.size === 0 ? [] : [{ type: "text", text: askAgain(problems) }];
  return {
    system: instructions(open),
    blocks: [...blocks, ...again],
    schema: answerSchema(open),
    effort,
    roomier,
  };
}
