// The words that a judge is given.

import type { JudgeCriterion, Scale } from "../src/judge_config.ts";
import { expected } from "./scale.ts";

/** What a system prompt is made of. */
export interface PromptParts {
  criteria: readonly JudgeCriterion[];
  /** Kinds of things that the message shows. */
  shows: { files: boolean; reference: boolean; trajectory: boolean };
  /** Says what fenced material is; always part of the prompt. */
  fencePrompt: string;
  /** Explains the guard's criterion, where it is asked. */
  guardPrompt?: string;
  /** The author's own text around `{criteria}`, in place of ours. */
  template?: string;
}

/**
 * The system prompt of a call. An author's template replaces what we say about the task; how
 * fenced material is to be read is said in any case.
 */
export function systemPrompt(
  { criteria, shows, fencePrompt, guardPrompt, template }: PromptParts,
): string {
  const asked = criteriaText(criteria);
  const task = template === undefined
    ? `${taskText(shows)}\n\n${asked}`
    // A function, so that "$&" in a description stands for itself.
    : template.replaceAll("{criteria}", () => asked);
  return [task, fencePrompt, ...(guardPrompt === undefined ? [] : [guardPrompt])].join("\n\n");
}

function taskText({ files, reference, trajectory }: PromptParts["shows"]): string {
  const shown = [
    ...(files ? ["the files of the submission"] : []),
    ...(trajectory ? ["a trajectory: the steps that the agent took to make it"] : []),
    ...(reference ? ["reference material from the author of the task, to compare with"] : []),
  ];
  return [
    "You grade a submission: work that an AI agent did for a task.",
    shown.length > 0
      ? `The message shows ${listOf(shown)}.`
      : "The message shows no files; judge what the criteria themselves let you judge.",
    "Judge by what is shown and by nothing else. What a criterion needs and is not there, was " +
    "skipped or cannot be read does not count in favour of the submission. Weigh each criterion " +
    "on its own, whatever you think of the others, and as strictly as it is worded. First give " +
    "your reasoning, in a few sentences that name the evidence; then the score that follows.",
  ].join("\n");
}

function listOf(parts: readonly string[]): string {
  if (parts.length <= 1) return parts.join("");
  return `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/** The criteria with their scales, and the form of the answer. */
export function criteriaText(criteria: readonly JudgeCriterion[]): string {
  return [
    criteria.length === 1 ? "The criterion:" : "The criteria:",
    ...criteria.map(criterionText),
    "",
    criteria.length === 1
      ? "Answer with one JSON object and nothing else, in this form:"
      : "Answer with one JSON object and nothing else, with an entry for every criterion:",
    exampleOf(criteria),
  ].join("\n");
}

function criterionText({ name, description, scale }: JudgeCriterion): string {
  return `- ${JSON.stringify(name)}: ${description.trim()}\n  Score: ${scoreText(scale)}`;
}

function scoreText(scale: Scale): string {
  switch (scale.type) {
    case "binary":
      return '"yes" if it is met, "no" if it is not';
    case "likert":
      return `${expected(scale)}; 1 is the worst, ${scale.points} the best`;
    case "numeric":
      return expected(scale);
    case "rubric":
      return [
        `${expected(scale)}, the level that fits best:`,
        ...scale.levels.map((level, index) => `    ${index} = ${level.trim()}`),
      ].join("\n");
  }
}

/** Shows the form without suggesting a score. */
function exampleOf(criteria: readonly JudgeCriterion[]): string {
  const verdict = ({ scale }: JudgeCriterion) =>
    `{"reasoning": "<why>", "score": ${scale.type === "binary" ? '"<yes or no>"' : "<number>"}}`;
  if (criteria.length === 1) return verdict(criteria[0]!);
  const entries = criteria.map((criterion) =>
    `  ${JSON.stringify(criterion.name)}: ${verdict(criterion)}`
  );
  return `{\n${entries.join(",\n")}\n}`;
}

/**
 * Closes the message of a call that repeats a question.
 *
 * @param problems Why the answer before could not be used, by name of the criterion.
 */
export function askAgain(problems: ReadonlyMap<string, string>): string {
  const reasons = [...problems].map(([name, problem]) => `- ${JSON.stringify(name)}: ${problem}`);
  return [
    "Your answer to this could not be used:",
    ...reasons,
    "Answer again, with nothing but the JSON object that was asked for" +
    (problems.size === 1 ? "." : ", and an entry for each of these criteria."),
  ].join("\n");
}
