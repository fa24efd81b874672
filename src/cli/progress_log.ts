// Says how far a run is where there is no terminal: a line now and then.

import type { RunEvent } from "../events.ts";
import { oneLine } from "../report/columns.ts";
import { type FileProgress, Progress } from "./progress.ts";
import { count, stateText } from "./progress_lines.ts";

/** Milliseconds between two lines about one check file or judge. */
export const LOG_EVERY_MS = 10_000;

/** Most files that are named at a time. */
const MAX_NAMED = 5;

/**
 * In a log: what is being computed every ten seconds, a line when a judge is done, and with `verbose`
 * one when a check file is.
 */
export class ProgressLog {
  readonly #write: (line: string) => void;
  readonly #now: () => number;
  readonly #verbose: boolean;
  readonly #progress: Progress;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param write Gets lines without their ends.
   * @param startedAt When the run began, by the clock `now`; milliseconds.
   */
  constructor(
    write: (line: string) => void,
    { verbose, startedAt }: { verbose: boolean; startedAt: number },
    now: () => number = () => performance.now(),
  ) {
    this.#write = write;
    this.#verbose = verbose;
    this.#now = now;
    this.#progress = new Progress(startedAt);
  }

  /** Looks at the clock by itself from now on. */
  start(): void {
    this.#timer = setInterval(() => this.tell(), LOG_EVERY_MS);
  }

  /** @param at When it happened; milliseconds. */
  event(event: RunEvent, at: number = this.#now()): void {
    const state = this.#progress.apply(event, at);
    if (state === null || event.type !== "fileFinished") return;
    if (state.isJudge) this.#write(`judge ${lineOf(state, at)}`);
    else if (this.#verbose) this.#write(doneText(state, event.durationSec));
  }

  /** Says what is being computed. */
  tell(): void {
    const now = this.#now();
    const { running } = this.#progress;
    for (const state of running.slice(0, MAX_NAMED)) {
      this.#write(`${state.isJudge ? "judge " : ""}${lineOf(state, now)}`);
    }
    const more = running.length - MAX_NAMED;
    if (more > 0) this.#write(`and ${count(more, "more file")}`);
  }

  clear(): void {}

  close(): void {
    clearInterval(this.#timer);
  }
}

function lineOf(state: FileProgress, now: number): string {
  return `${oneLine(state.file)}: ${stateText(state, now)}`;
}

function doneText({ file, criteria, failed }: FileProgress, durationSec: number): string {
  const failures = failed === 0 ? "" : `, ${failed} failed`;
  const number = count(criteria.length, "criterion", "criteria");
  return `${oneLine(file)}: ${number}${failures}, ${durationSec.toFixed(2)} s`;
}
