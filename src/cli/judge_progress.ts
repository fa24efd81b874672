// How far the judges are, on a terminal or in a log.

import type { JudgeProgress } from "../events.ts";

/** Milliseconds between two lines of one judge in a log. */
const LOG_EVERY_MS = 10_000;

/** Columns of a terminal whose size is not known. */
const DEFAULT_COLUMNS = 80;

/** Writes where a person looks. */
export interface ProgressOutput {
  /** Appends, control characters included. */
  write(text: string): void;
  /** Columns of the terminal; `null`: it is none. */
  columns(): number | null;
}

/**
 * Shows how far the judges are: on a terminal one line that changes, elsewhere a line every ten
 * seconds and one when a judge is done.
 */
export class JudgeProgressLines {
  readonly #output: ProgressOutput;
  readonly #now: () => number;
  readonly #judges = new Map<
    string,
    { progress: JudgeProgress; startedAt: number; saidAt: number }
  >();
  #isLive = false;

  /** @param now Milliseconds. */
  constructor(output: ProgressOutput, now: () => number = () => performance.now()) {
    this.#output = output;
    this.#now = now;
  }

  /** A judge got on. */
  update(judge: string, progress: JudgeProgress): void {
    const now = this.#now();
    const known = this.#judges.get(judge) ?? { startedAt: now, saidAt: now };
    const isDone = progress.done === progress.total;
    const columns = this.#output.columns();
    if (columns === null && !isDone && now - known.saidAt < LOG_EVERY_MS) {
      this.#judges.set(judge, { ...known, progress });
      return;
    }
    this.#judges.set(judge, { ...known, progress, saidAt: now });
    const line = describe(judge, progress, (now - known.startedAt) / 1000);
    this.clear();
    if (isDone || columns === null) this.#output.write(`${line}\n`);
    if (columns !== null) this.#showLive(columns, now);
  }

  /** Takes the changing line away, for other lines to be written. */
  clear(): void {
    if (!this.#isLive) return;
    this.#output.write("\r\x1b[K");
    this.#isLive = false;
  }

  #showLive(columns: number, now: number): void {
    const running = [...this.#judges].filter(([, { progress }]) => progress.done < progress.total);
    if (running.length === 0) return;
    const [[judge, { progress, startedAt }]] = running as [typeof running[0]];
    const others = running.length === 1 ? "" : ` (and ${running.length - 1} more)`;
    const line = `${describe(judge, progress, (now - startedAt) / 1000)}${others}`;
    // A line that wraps could not be taken away again.
    this.#output.write([...line].slice(0, (columns || DEFAULT_COLUMNS) - 1).join(""));
    this.#isLive = true;
  }
}

function describe(
  judge: string,
  { done, total, calls, costUsd }: JudgeProgress,
  seconds: number,
): string {
  const of = done === total ? count(total, "judgement") : `${done} of ${count(total, "judgement")}`;
  const cost = costUsd === undefined ? "" : `, $${costUsd.toFixed(4)}`;
  return `judge ${judge}: ${of}, ${count(calls, "call")}${cost}, ${seconds.toFixed(1)} s`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
