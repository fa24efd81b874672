// A judge that is a model: every question as often as asked for, and what the answers add up to.

import type { JudgeProgress } from "../src/events.ts";
import type { Slots } from "../src/slots.ts";
import { ask, type Asking } from "./judgement.ts";
import { type Callable, ModelCallError } from "./model.ts";
import type { PreparedJudge } from "./preparation.ts";
import type { JudgeResult } from "./result.ts";
import { Tally } from "./tally.ts";
import { answersAsText, type Asked, scoreJudgements } from "./verdicts.ts";

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
  const tally = new Tally(questions.length * config.samples, onProgress);
  const asking: Asking = {
    model: untilRejected(tally.counting(model)),
    effort: config.reasoningEffort ?? "none",
    timeoutSec: config.timeoutSec,
    limit: (work, options) => calls.use(work, options),
    signal,
  };
  const asked = await Promise.all(questions.map(async (question): Promise<Asked> => ({
    question,
    judgements: await Promise.all(Array.from({ length: config.samples }, async () => {
      const judgement = await ask(question, asking);
      tally.judged();
      return judgement;
    })),
  })));
  return {
    ...scoreJudgements(config, { asked, unasked, warnings }),
    judge_output: answersAsText(asked),
    ...tally.notes(),
  };
}

/** Wrong key, no rights, no such model: the same for every request of a judge. */
const FINAL_STATUSES = new Set([401, 403, 404]);

/** A key or a model that was refused will be refused again: no more calls are spent on it. */
function untilRejected({ name, call }: Callable): Callable {
  let rejection: ModelCallError | null = null;
  return {
    name,
    call: async (request, signal) => {
      if (rejection !== null) throw rejection;
      try {
        return await call(request, signal);
      } catch (error) {
        const isFinal = error instanceof ModelCallError && FINAL_STATUSES.has(error.status ?? 0);
        if (isFinal) rejection = error;
        throw error;
      }
    },
  };
}
