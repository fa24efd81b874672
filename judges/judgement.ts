// One question, asked once: calls to a model until each criterion has a verdict or no hope.

import { type Deadline, deadline } from "../src/deadline.ts";
import type { JudgeCriterion } from "../src/judge_config.ts";
import type { JsonValue } from "../src/score/criterion_score.ts";
import { type Callable, type Completion, ModelCallError } from "./model.ts";
import { type Question, requestFor } from "./question.ts";
import { readReply } from "./reply.ts";
import { callWithRetries, type Limit } from "./retry.ts";
import { readScore } from "./scale.ts";

/** What a judge says of one criterion. */
export interface Verdict {
  /** In [0, 1]; `negate` has not been applied. */
  value: number;
  /** As it was answered. */
  raw: JsonValue;
  reasoning: string;
}

/** What one question gave. */
export interface Judgement {
  verdicts: ReadonlyMap<string, Verdict>;
  /** Why there is no verdict, for each criterion that has none. */
  failures: ReadonlyMap<string, Failure>;
  /** The text of every answer, unusable ones included. */
  answers: readonly string[];
  /** What was left out of requests, for people. */
  notes: readonly string[];
}

/** Why a criterion has no verdict. */
export interface Failure {
  message: string;
  hint?: string;
}

/** How a model is asked. */
export interface Asking {
  model: Callable;
  /** Reasoning effort. */
  effort: string;
  /** Seconds for one judgement from its first call on; 0: no limit. */
  timeoutSec: number;
  limit: Limit;
  /** Ends everything. */
  signal: AbortSignal;
}

/** Most usable or unusable answers that are asked for. */
const MAX_ANSWERS = 3;

/**
 * Asks a question. An answer that cannot be used is asked for again, but only for the criteria that
 * still lack a verdict; a cut-off one gets more room.
 *
 * @throws Only what `signal` was aborted with.
 */
export async function ask(question: Question, asking: Asking): Promise<Judgement> {
  const clock = new Clock(asking.timeoutSec, asking.signal);
  const verdicts = new Map<string, Verdict>();
  const answers: string[] = [];
  const notes = new Set<string>();
  let open = question.criteria;
  let failures = new Map<string, Failure>();
  let roomier = 0;
  try {
    while (answers.length < MAX_ANSWERS && open.length > 0) {
      const problems = new Map([...failures].map(([name, { message }]) => [name, message]));
      const request = requestFor(question, open, { effort: asking.effort, roomier, problems });
      const completion = await callWithRetries(asking.model, request, {
        signal: clock.signal,
        deadlineAt: () => clock.endsAt,
        limit: (work, options) => asking.limit(() => (clock.start(), work()), options),
      });
      answers.push(completion.text);
      for (const note of completion.notes) notes.add(note);
      const read = await readAnswer(completion, open);
      for (const [name, verdict] of read.verdicts) verdicts.set(name, verdict);
      failures = read.failures;
      open = open.filter(({ name }) => failures.has(name));
      if (completion.stop === "length") roomier++;
    }
    for (const { name } of open) failures.set(name, afterAll(failures.get(name)!, answers.length));
  } catch (error) {
    asking.signal.throwIfAborted();
    const failure = failureOf(error, clock, asking);
    for (const { name } of open) {
      const earlier = failures.get(name);
      failures.set(name, earlier === undefined ? failure : afterwards(earlier, failure));
    }
  } finally {
    clock.stop();
  }
  return { verdicts, failures, answers, notes: [...notes] };
}

async function readAnswer(
  { text, stop }: Completion,
  criteria: readonly JudgeCriterion[],
): Promise<{ verdicts: Map<string, Verdict>; failures: Map<string, Failure> }> {
  const verdicts = new Map<string, Verdict>();
  const failures = new Map<string, Failure>();
  // A refusal can quote a verdict that the submission asks for.
  const { entries, problem } = await readReply(
    stop === "refusal" ? "" : text,
    criteria.map(({ name }) => name),
    { isCutOff: stop === "length" },
  );
  for (const { name, scale } of criteria) {
    const entry = entries.get(name);
    const score = entry === undefined ? null : readScore(entry.score, scale);
    if (score !== null && !("problem" in score)) {
      verdicts.set(name, { ...score, reasoning: entry!.reasoning ?? "" });
    } else {
      failures.set(name, { message: reasonOf(stop) ?? score?.problem ?? problem ?? "no verdict" });
    }
  }
  return { verdicts, failures };
}

function reasonOf(stop: Completion["stop"]): string | undefined {
  if (stop === "refusal") return "the model refused to answer";
  if (stop === "length") return "the reply was cut off";
  return undefined;
}

function failureOf(error: unknown, clock: Clock, { model, timeoutSec }: Asking): Failure {
  if (clock.hasEnded) {
    const last = error instanceof ModelCallError ? `; the last call: ${error.message}` : "";
    return {
      message: `${model.name} gave no verdict within ${timeoutSec} s${last}`,
      hint: 'Raise "timeout" in [judge], or choose a faster model or less effort',
    };
  }
  if (!(error instanceof ModelCallError)) throw error;
  return { message: error.message, ...(error.hint !== undefined && { hint: error.hint }) };
}

function afterAll({ message }: Failure, answers: number): Failure {
  return {
    message: `${message} (the last of ${answers} answers)`,
    hint: "Word the criterion more plainly, or choose a judge that keeps to its form",
  };
}

function afterwards(earlier: Failure, later: Failure): Failure {
  return { ...later, message: `${earlier.message}; asked again: ${later.message}` };
}

/** The time of a judgement, which starts with its first call: waiting for others is not its fault. */
class Clock {
  readonly #ending = new AbortController();
  readonly #seconds: number;
  readonly #outer: AbortSignal;
  readonly #end = () => this.#ending.abort(this.#outer.reason);
  #limit: Deadline | null = null;
  #isOver = false;
  /** In milliseconds of `performance.now()`. */
  endsAt = Infinity;

  constructor(seconds: number, outer: AbortSignal) {
    this.#seconds = seconds;
    this.#outer = outer;
    // By hand: `AbortSignal.any` takes several times as long, and there is one for each question.
    outer.addEventListener("abort", this.#end);
    if (outer.aborted) this.#end();
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  get hasEnded(): boolean {
    return this.#isOver || performance.now() >= this.endsAt;
  }

  start(): void {
    if (this.#seconds === 0 || this.#limit !== null) return;
    this.endsAt = performance.now() + this.#seconds * 1000;
    this.#limit = deadline(this.#seconds, () => {
      this.#isOver = true;
      this.#ending.abort();
    });
  }

  stop(): void {
    this.#limit?.cancel();
    this.#outer.removeEventListener("abort", this.#end);
  }
}
