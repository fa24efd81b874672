// One criterion in the report.

import type { CriterionScore } from "../../score/criterion_score.ts";
import { round4 } from "../../score/round.ts";
import { mismatchLines } from "../mismatch_text.ts";
import { isPassed } from "../passed.ts";
import { factList, textOf } from "./facts.ts";
import { type Markup, markup } from "./markup.ts";

/** How a criterion came out. */
export type Outcome = "passed" | "partial" | "failed" | "error";

/** What each is called, and the mark that says it without colour. */
const OUTCOMES: Readonly<Record<Outcome, { word: string; mark: string }>> = {
  passed: { word: "passed", mark: "✓" },
  partial: { word: "in part", mark: "◐" },
  failed: { word: "failed", mark: "✗" },
  error: { word: "error", mark: "!" },
};

/**
 * How a criterion came out.
 *
 * @param passMark Least score that passes, in (0, 1]; absent: anything above 0.
 */
export function outcomeOf({ value, error }: CriterionScore, passMark?: number): Outcome {
  if (error !== undefined) return "error";
  if (!isPassed(value, passMark)) return "failed";
  return value < 1 ? "partial" : "passed";
}

/** A line that opens: the rest is what there is to say of it. */
export function criterionMarkup(criterion: CriterionScore, passMark?: number): Markup {
  const { name, value, weight, optional } = criterion;
  const outcome = outcomeOf(criterion, passMark);
  const { word, mark } = OUTCOMES[outcome];
  const remarks = [weight === 1 ? "" : `weight ${weight}`, optional ? "optional" : ""];
  return markup`<details class="criterion ${outcome}" data-outcome="${outcome}"><summary><span class="mark" role="img" aria-label="${word}">${mark}</span><span class="name"><bdi>${name}</bdi></span><span class="remark">${
    remarks.filter(Boolean).join(", ")
  }</span><span class="score">${round4(value)}</span></summary><div class="body">${
    bodyOf(criterion)
  }</div></details>`;
}

function bodyOf(criterion: CriterionScore): readonly (Markup | null)[] {
  const { description, reasoning, error, expected, found, raw, ...rest } = criterion;
  const { id, negate, confidence, model, samples, agreement } = rest;
  return [
    error === undefined ? null : markup`<p class="problem">${textOf(error)}</p>`,
    description === undefined || description === criterion.name
      ? null
      : markup`<p class="description">${textOf(description)}</p>`,
    reasoning === undefined ? null : markup`<div class="reasoning">${textOf(reasoning)}</div>`,
    expected === undefined || found === undefined ? null : mismatchMarkup(expected, found),
    factList([
      ["returned", raw],
      ["samples", samples],
      ["agreement", agreement],
      ["confidence", confidence],
      ["model", model],
      ["turned around", negate],
      ["id", id],
    ]),
  ];
}

function mismatchMarkup(expected: string, found: string): Markup {
  return markup`<pre class="mismatch">${
    mismatchLines(expected, found).map(({ side, text }) =>
      markup`<span class="${side}">${text}\n</span>`
    )
  }</pre>`;
}
