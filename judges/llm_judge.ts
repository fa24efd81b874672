// A judge that is a model: every question as often as asked for, and what the answers add up to.

import type { JudgeProgress } from "../src/settings.ts";
import type { Slots } from "../src/slots.ts";
import { ask, type Asking } from "./judgement.ts";
import { type Model, ModelCallError, type TokenUsage } from "./model.ts";
import type { PreparedJudge } from "./preparation.ts";
import type { JudgeResult } from "./result.ts";
import { answersAsText, type Asked, scoreJudgements } from "./verdicts.ts";
import { UsageTotals } from "./usage.ts";

/** Milliseconds between two reports, but for the last one: nobody sees more. */
const REPORT_EVERY_MS = 100;

/** How a judge is asked. */
export interface AskOptions {
  /** Calls to models at the same time, those of all judges together. */
  calls: Slots;
  /** Ends everything. */
  signal: AbortSignal;
  onProgress: (progress: JudgeProgress) => void;
}

/**
 * Asks a judge everything it is configured to be asked.
 *
 * @throws Only what the signal was aborted with.
 */
export async function askJudge(
  { config, model, questions, unasked, warnings }: PreparedJudge,
  { calls, signal, onProgress }: AskOptions,
): Promise<JudgeResult> {
  const started = performance.now();
  const usage = new UsageTotals();
  const progress = { done: 0, total: questions.length * config.samples, calls: 0 };
  let reportedAt = -Infinity;
  const report = () => {
    const isLast = progress.done === progress.total;
    if (!isLast && performance.now() - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = performance.now();
    onProgress({ ...progress, ...usage.cost() });
  };
  const asking: Asking = {
    model: untilRejected(counted(model, (spent) => {
      progress.calls++;
      if (spent !== undefined) usage.add(model.name, spent);
      report();
    })),
    effort: config.reasoningEffort ?? "none",
    timeoutSec: config.timeoutSec,
    limit: (work, options) => calls.use(work, options),
    signal,
  };
  if (progress.total > 0) report();
  const asked = await Promise.all(questions.map(async (question): Promise<Asked> => ({
    question,
    judgements: await Promise.all(Array.from({ length: config.samples }, async () => {
      const judgement = await ask(question, asking);
      progress.done++;
      report();
      return judgement;
    })),
  })));
  return {
    ...scoreJudgements(config, { asked, unasked, warnings }),
    judge_output: answersAsText(asked),
    ...(progress.calls > 0 && { usage: usage.toJson() }),
    durationSec: (performance.now() - started) / 1000,
  };
}

/** Tells of every call, with what it used as far as the service said so. */
function counted(model: Model, onCall: (usage: TokenUsage | undefined) => void): Model {
  const call: Model["call"] = async (request, signal) => {
    let usage: TokenUsage | undefined;
    try {
      const completion = await model.call(request, signal);
      usage = completion.usage;
      return completion;
    } catch (error) {
      if (error instanceof ModelCallError) usage = error.usage;
      throw error;
    } finally {
      onCall(usage);
    }
  };
  return { ...model, call };
}

/** Wrong key, no rights, no such model: the same for every request of a judge. */
const FINAL_STATUSES = new Set([401, 403, 404]);

/** A key or a model that was refused will be refused again: no more calls are spent on it. */
function untilRejected(model: Model): Model {
  let rejection: ModelCallError | null = null;
  const call: Model["call"] = async (request, signal) => {
    if (rejection !== null) throw rejection;
    try {
      return await model.call(request, signal);
    } catch (error) {
      const isFinal = error instanceof ModelCallError && FINAL_STATUSES.has(error.status ?? 0);
      if (isFinal) rejection = error;
      throw error;
    }
  };
  return { ...model, call };
}
