// How far a judge is, and what it has used.

import type { JudgeProgress } from "../src/events.ts";
import { type Callable, ModelCallError, type TokenUsage } from "./model.ts";
import type { JudgeResult } from "./result.ts";
import { UsageTotals } from "./usage.ts";

/** Milliseconds between two reports, but for the last one: nobody sees more. */
const REPORT_EVERY_MS = 100;

/** Counts the judgements and calls of one judge, and reports them. */
export class Tally {
  readonly #usage = new UsageTotals();
  readonly #total: number;
  readonly #onProgress: (progress: JudgeProgress) => void;
  readonly #startedAt: number = performance.now();
  #done = 0;
  #calls = 0;
  #reportedAt = -Infinity;

  /** @param total Judgements in all. */
  constructor(total: number, onProgress: (progress: JudgeProgress) => void) {
    this.#total = total;
    this.#onProgress = onProgress;
    if (total > 0) this.#report();
  }

  /** Counts every call, with what it used as far as that is known. */
  counting({ name, call }: Callable): Callable {
    return {
      name,
      call: async (request, signal) => {
        let usage: TokenUsage | undefined;
        try {
          const completion = await call(request, signal);
          usage = completion.usage;
          return completion;
        } catch (error) {
          if (error instanceof ModelCallError) usage = error.usage;
          throw error;
        } finally {
          this.#calls++;
          if (usage !== undefined) this.#usage.add(name, usage);
          this.#report();
        }
      },
    };
  }

  /** A judgement has ended. */
  judged(): void {
    this.#done++;
    this.#report();
  }

  /** What goes into the details. */
  notes(): Pick<JudgeResult, "usage" | "durationSec"> {
    return {
      ...(this.#calls > 0 && { usage: this.#usage.toJson() }),
      durationSec: (performance.now() - this.#startedAt) / 1000,
    };
  }

  #report(): void {
    const [done, total] = [this.#done, this.#total];
    if (done < total && performance.now() - this.#reportedAt < REPORT_EVERY_MS) return;
    this.#reportedAt = performance.now();
    this.#onProgress({ done, total, calls: this.#calls, ...this.#usage.cost() });
  }
}
