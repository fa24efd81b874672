// From judgements to the scores of a judge's criteria.

import type { JudgeConfig, JudgeCriterion } from "../src/judge_config.ts";
import type { CriterionScore, JsonValue } from "../src/score/criterion_score.ts";
import { GUARD_CRITERION } from "./guard.ts";
import type { Failure, Judgement, Verdict } from "./judgement.ts";
import type { Question } from "./question.ts";
import type { JudgeError, JudgeResult } from "./result.ts";
import { agreementOf, medianSample } from "./samples.ts";

/** A question's judgements, one a sample. */
export interface Asked {
  question: Question;
  judgements: readonly Judgement[];
}

/** Criteria that were not put to the model, and what the graded work lacks for it. */
export interface Unasked {
  criteria: readonly JudgeCriterion[];
  reason: string;
}

/** Below this, samples are too far apart to trust one: half of them say the opposite, say. */
const LOW_AGREEMENT = 0.6;

type Scored = Pick<JudgeResult, "criteria" | "warnings" | "errors" | "guard">;

/** Scores every criterion of a judge, in the order of its TOML. */
export function scoreJudgements(
  config: JudgeConfig,
  { asked, unasked, warnings: given }: {
    asked: readonly Asked[];
    unasked: readonly Unasked[];
    warnings: readonly string[];
  },
): Scored {
  const warnings = [...given, ...unasked.map(({ reason }) => `no evidence: ${reason}`)];
  const notes = asked.flatMap(({ judgements }) => judgements.flatMap(({ notes }) => notes));
  warnings.push(...new Set(notes));
  const errors = new Errors();
  const criteria = config.criteria.map((criterion): CriterionScore => {
    const found = judgementsOn(criterion, asked);
    // Nothing to judge is the graded work's fault: no credit, also where `negate` would give some.
    if (found === null) return { ...headOf(criterion), value: 0, raw: null };
    const { score, failure } = scoreSamples(criterion, found, warnings);
    if (failure !== null) errors.add(criterion.name, failure);
    return score;
  });
  const guard = config.guard === "off" ? null : judgementsOn(GUARD_CRITERION, asked);
  return {
    criteria,
    warnings,
    ...(guard !== null && { guard: guardOf(config, guard, errors, warnings) }),
    errors: errors.list(),
  };
}

function judgementsOn(
  criterion: JudgeCriterion,
  asked: readonly Asked[],
): readonly Judgement[] | null {
  return asked.find(({ question }) => question.criteria.includes(criterion))?.judgements ?? null;
}

function headOf({ name, weight }: JudgeCriterion): Pick<CriterionScore, "name" | "weight"> {
  return { name, weight };
}

interface Sample {
  verdict: Verdict;
  /** In [0, 1], with `negate` applied. */
  value: number;
}

function samplesOf({ name, negate }: JudgeCriterion, judgements: readonly Judgement[]): Sample[] {
  return judgements.flatMap(({ verdicts }) => {
    const verdict = verdicts.get(name);
    if (verdict === undefined) return [];
    return [{ verdict, value: negate ? 1 - verdict.value : verdict.value }];
  });
}

function scoreSamples(
  criterion: JudgeCriterion,
  judgements: readonly Judgement[],
  warnings: string[],
): { score: CriterionScore; failure: Failure | null } {
  const { name } = criterion;
  const samples = samplesOf(criterion, judgements);
  const failures = judgements.flatMap(({ failures }) => failures.get(name) ?? []);
  const several: Pick<CriterionScore, "samples" | "agreement"> = {};
  if (judgements.length > 1) {
    several.samples = judgements.map(({ verdicts }) => verdicts.get(name)?.raw ?? null);
    if (samples.length > 0) several.agreement = agreementOf(samples.map(({ value }) => value));
  }
  if (samples.length === 0) {
    const failure = failures[0]!;
    const score = { ...headOf(criterion), value: 0, raw: null, error: failure.message, ...several };
    return { score, failure };
  }
  if (failures.length > 0) {
    warnings.push(
      `${name}: ${failures.length} of ${judgements.length} samples gave no verdict: ` +
        failures[0]!.message,
    );
  }
  if (several.agreement !== undefined && several.agreement < LOW_AGREEMENT) {
    warnings.push(`${name}: the samples disagree (agreement ${several.agreement.toFixed(2)})`);
  }
  const { value, verdict } = medianSample(samples, "lower");
  const score = {
    ...headOf(criterion),
    value,
    raw: verdict.raw,
    reasoning: verdict.reasoning,
    ...several,
  };
  return { score, failure: null };
}

function guardOf(
  { guard }: JudgeConfig,
  judgements: readonly Judgement[],
  errors: Errors,
  warnings: string[],
): { [key: string]: JsonValue } {
  const samples = samplesOf(GUARD_CRITERION, judgements);
  if (samples.length > 0) {
    // In doubt, it is flagged.
    const { value, verdict } = medianSample(samples, "upper");
    if (value === 1) warnings.push(`guard: the submission was flagged: ${verdict.reasoning}`);
    return { flagged: value === 1, reasoning: verdict.reasoning };
  }
  const failure = judgements.flatMap(({ failures }) =>
    failures.get(GUARD_CRITERION.name) ?? []
  )[0]!;
  // Only where it decides over the score is there none without it.
  if (guard === "penalize") errors.addOwn(`guard: ${failure.message}`, failure.hint);
  else warnings.push(`guard: ${failure.message}`);
  return { flagged: null, error: failure.message };
}

/** Errors by message: a broken service is told once, not for each of two hundred criteria. */
class Errors {
  readonly #byMessage = new Map<string, { names: string[]; hint?: string }>();
  readonly #own: JudgeError[] = [];

  add(name: string, { message, hint }: Failure): void {
    const known = this.#byMessage.get(message);
    if (known !== undefined) known.names.push(name);
    else this.#byMessage.set(message, { names: [name], ...(hint !== undefined && { hint }) });
  }

  addOwn(message: string, hint: string | undefined): void {
    this.#own.push({ criteria: [], message, ...(hint !== undefined && { hint }) });
  }

  list(): JudgeError[] {
    const ofCriteria = [...this.#byMessage].map(([message, { names, hint }]) => ({
      criteria: names,
      message,
      ...(hint !== undefined && { hint }),
    }));
    return [...ofCriteria, ...this.#own];
  }
}

/** Every answer as text, each below its sample, question and try where there are several of them. */
export function answersAsText(asked: readonly Asked[]): string {
  const count = asked[0]?.judgements.length ?? 0;
  const samples = Array.from(
    { length: count },
    (_, index) =>
      asked.map(({ question, judgements }) => headed(question.title, answersOf(judgements[index]!)))
        .join("\n\n"),
  );
  if (samples.length <= 1) return samples[0] ?? "";
  return samples.map((text, index) => headed(`sample ${index + 1}`, text)).join("\n\n");
}

/** Most characters of an answer that are kept: verdicts are short, and a service may send anything. */
const MAX_ANSWER = 200_000;

function answersOf(judgement: Judgement): string {
  const answers = judgement.answers.map((text) =>
    text.length <= MAX_ANSWER
      ? text
      : `${text.slice(0, MAX_ANSWER).toWellFormed()}\n[… ${
        text.length - MAX_ANSWER
      } more characters]`
  );
  if (answers.length <= 1) return answers[0] ?? "";
  return answers.map((text, index) => headed(`answer ${index + 1}`, text)).join("\n\n");
}

function headed(title: string | undefined, text: string): string {
  return title === undefined ? text : `--- ${title} ---\n${text}`;
}
