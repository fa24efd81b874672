// Shows how far a run is on a terminal: lines at the bottom that change.

import { widthOf } from "../report/columns.ts";
import { withoutColours } from "../report/paint.ts";
import type { RunEvent } from "../events.ts";
import { Progress } from "./progress.ts";
import { progressLines } from "./progress_lines.ts";

/** A terminal. */
export interface Terminal {
  /** Control characters included. */
  write(text: string): void;
  /** `null`: it cannot be asked for. */
  size(): { columns: number; rows: number } | null;
  colours: boolean;
}

/** Milliseconds until the first lines are shown: a short run shows none. */
const DELAY_MS = 300;

/** Milliseconds between two looks at how far it is. */
const TICK_MS = 100;

/**
 * Erases this line and all below. From the corner of the screen, tmux would keep what is erased in its
 * history, and show it again when it gets larger; so it is erased from the second column.
 */
const ERASE_BELOW = "\x1b[K\x1b[C\x1b[0J\r";

const DEFAULT_SIZE = { columns: 80, rows: 24 };

/**
 * The changing lines at the bottom of a terminal. Nothing of the terminal is changed that would have
 * to be put right: however a run ends, at most these lines are left.
 */
export class LiveDisplay {
  readonly #terminal: Terminal;
  readonly #now: () => number;
  readonly #progress: Progress;
  /** What is on the terminal; the cursor is at the beginning of the last line. */
  #shown: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param startedAt When the run began, by the clock `now`; milliseconds.
   */
  constructor(
    terminal: Terminal,
    { startedAt }: { startedAt: number },
    now: () => number = () => performance.now(),
  ) {
    this.#terminal = terminal;
    this.#now = now;
    this.#progress = new Progress(startedAt);
  }

  /** Looks at the clock by itself from now on. */
  start(): void {
    this.#timer = setInterval(() => this.draw(), TICK_MS);
  }

  /** @param at When it happened; milliseconds. */
  event(event: RunEvent, at: number = this.#now()): void {
    this.#progress.apply(event, at);
  }

  /** Brings the lines up to date. */
  draw(): void {
    const now = this.#now();
    if (now - this.#progress.startedAt < DELAY_MS) return;
    const { colours } = this.#terminal;
    const lines = progressLines(this.#progress, { ...this.#size(), colours }, now);
    // One write, so that it does not flicker. Lines cannot wrap in it: a terminal may think a
    // character wider than it was taken for.
    const frame = `\x1b[?7l${lines.join("\x1b[K\r\n")}\x1b[0J\r\x1b[?7h`;
    this.#terminal.write(this.#backToTop() + frame);
    this.#shown = lines;
  }

  /** Takes the lines away, for others to be written; they come back by themselves. */
  clear(): void {
    if (this.#shown.length === 0) return;
    this.#terminal.write(this.#backToTop() + ERASE_BELOW);
    this.#shown = [];
  }

  /** Takes the lines away for good. */
  close(): void {
    clearInterval(this.#timer);
    this.clear();
  }

  /** To the first line that is shown. Terminals wrap lines anew that were written for more columns. */
  #backToTop(): string {
    const { columns } = this.#size();
    const above = this.#shown.slice(0, -1).reduce((rows, line) => {
      const width = widthOf(withoutColours(line));
      return rows + Math.max(1, Math.ceil(width / columns));
    }, 0);
    return above === 0 ? "\r" : `\r\x1b[${above}A`;
  }

  #size(): { columns: number; rows: number } {
    const { columns, rows } = this.#terminal.size() ?? DEFAULT_SIZE;
    return { columns: columns || DEFAULT_SIZE.columns, rows: rows || DEFAULT_SIZE.rows };
  }
}
