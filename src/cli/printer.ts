// What a person sees: results on standard output, everything else on standard error.

import { ConfigError, type Place, RewardKitError } from "../errors.ts";
import { lazily } from "../lazy.ts";
import { type Paint, painter } from "../report/paint.ts";
import { printable } from "../report/printable.ts";
import type { RunError } from "../results.ts";
import type { RunEvent } from "../events.ts";
import type { ShownProblem } from "../report/problems_text.ts";
import type { Grades } from "../whole_run.ts";

/** Says how far a run is. */
interface ProgressView {
  event(event: RunEvent, at: number): void;
  /** Makes room for other lines. */
  clear(): void;
  close(): void;
}

/** Columns of a line where there is no terminal. */
const DEFAULT_COLUMNS = 100;

/** Milliseconds after which a run without a terminal says how far it is. */
const QUIET_MS = 10_000;

/** Prints results, warnings and errors, and says how far a run is. */
export class Printer {
  readonly #verbose: boolean;
  readonly #quiet: boolean;
  readonly #colours: boolean;
  readonly #paint: Paint;
  /** Whether lines can change that were written. */
  readonly #isLive = isLive();
  readonly #startedAt = performance.now();
  /** Loaded when there is something to be said. */
  #progress: ProgressView | null = null;
  #loading: Promise<void> | null = null;
  /** What it has to be told when it is loaded, and when that happened. */
  readonly #missed: [RunEvent, number][] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The beginning of a line whose end has not been printed by a check file yet. */
  #unended = "";
  readonly #held: ShownProblem[] = [];

  constructor({ verbose, quiet }: { verbose: boolean; quiet: boolean }) {
    this.#verbose = verbose;
    this.#quiet = quiet;
    this.#colours = !Deno.noColor && Deno.stderr.isTerminal();
    this.#paint = painter(this.#colours);
  }

  /** A line of the result. */
  line(text: string): void {
    this.#progress?.clear();
    writeAll(Deno.stdout, `${text}\n`);
  }

  /** A line that is not part of the result. */
  note(text: string): void {
    this.#progress?.clear();
    writeAll(Deno.stderr, `${text}\n`);
  }

  /** What happens during a run. */
  event(event: RunEvent): void {
    if (this.#quiet) return;
    switch (event.type) {
      case "warning":
        // On a terminal they are shown when the run is over, by file.
        if (this.#isLive) this.#held.push({ ...event, kind: "warning" });
        else this.#warning(event);
        return;
      case "info":
        return this.note(printable(event.message));
      case "output":
        return this.#output(event.text);
      case "done":
        return;
      default:
        this.#follow(event);
    }
  }

  /**
   * What a run gave: on a terminal, or with `verbose`, the tree of scores and what is wrong, grouped;
   * else a line for each error.
   */
  async outcome(grades: Grades): Promise<void> {
    if (!this.#quiet && (this.#isLive || this.#verbose)) {
      const { outcomeText } = await lazily<typeof import("./outcome_text.ts")>(
        "./outcome_text.ts",
        import.meta.url,
      );
      const width = (this.#isLive ? terminalSize()?.columns : undefined) ?? DEFAULT_COLUMNS;
      const options = { colours: this.#colours, width, verbose: this.#verbose };
      this.note(outcomeText(grades, this.#held.splice(0), options));
      return;
    }
    for (const error of grades.errors) this.runError(error);
    if (grades.rewards !== null) return;
    this.note(`no reward: ${grades.errors.length === 1 ? "an error" : "errors"} while grading`);
  }

  /** The reward is not good enough. */
  belowMinimum(name: string, score: number, minimum: number): void {
    this.note(
      `${this.#paint("error:", "red")} ${
        printable(name)
      } is ${score}, below --min-reward ${minimum}`,
    );
  }

  #warning({ file, line, column, message }: Partial<Place> & { message: string }): void {
    const place = file === undefined ? "" : `${shownPlace({ file, line, column })}: `;
    this.note(`${this.#paint("warning:", "yellow")} ${indented(place + message)}`);
  }

  /** Ends what is shown while a run goes on. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#loading;
    this.#progress?.close();
    this.#progress = null;
    if (this.#unended !== "") this.note(this.#unended);
    this.#unended = "";
  }

  /** Prints warnings that were kept for the end of a run that has none. */
  release(): void {
    for (const warning of this.#held.splice(0)) this.#warning(warning);
  }

  /** Lines that change must stand below whole lines. */
  #output(text: string): void {
    if (!this.#isLive) return writeAll(Deno.stderr, printable(text));
    const whole = this.#unended + printable(text);
    const end = whole.lastIndexOf("\n") + 1;
    this.#unended = whole.slice(end);
    this.#progress?.clear();
    writeAll(Deno.stderr, whole.slice(0, end));
  }

  #follow(event: RunEvent): void {
    const now = performance.now();
    if (this.#progress !== null) return this.#progress.event(event, now);
    this.#missed.push([event, now]);
    if (this.#isLive || this.#verbose || event.type === "judgeProgress") this.#load();
    else this.#timer ??= setTimeout(() => this.#load(), QUIET_MS);
  }

  #load(): void {
    this.#loading ??= (this.#isLive ? this.#loadDisplay() : this.#loadLog()).then((view) => {
      for (const [event, at] of this.#missed.splice(0)) view.event(event, at);
      this.#progress = view;
    });
  }

  async #loadDisplay(): Promise<ProgressView> {
    const { LiveDisplay } = await lazily<typeof import("./live_display.ts")>(
      "./live_display.ts",
      import.meta.url,
    );
    const write = (text: string) => writeAll(Deno.stderr, text);
    const display = new LiveDisplay({ write, size: terminalSize, colours: this.#colours }, {
      startedAt: this.#startedAt,
    });
    display.start();
    return display;
  }

  async #loadLog(): Promise<ProgressView> {
    const { ProgressLog } = await lazily<typeof import("./progress_log.ts")>(
      "./progress_log.ts",
      import.meta.url,
    );
    const log = new ProgressLog((line) => this.note(line), {
      verbose: this.#verbose,
      startedAt: this.#startedAt,
    });
    log.start();
    return log;
  }

  /** A mistake of whoever wrote the command line or the tests folder. */
  error(error: RewardKitError): void {
    const place = error instanceof ConfigError ? placeOf(error) : "";
    this.#problem(`${place}${error.message}`, error.hint, error.stack);
  }

  /** An error while grading. */
  runError({ file, criterion, message, hint, stack }: RunError): void {
    const about = criterion === undefined ? file : `${file}: ${criterion}`;
    this.#problem(`${about}: ${message}`, hint, stack);
  }

  /** A mistake of Reward Kit. */
  bug(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#problem(
      `Reward Kit failed: ${message}`,
      "This is a bug: please report it with what --verbose prints",
      error instanceof Error ? error.stack : undefined,
    );
  }

  #problem(message: string, hint: string | undefined, stack: string | undefined): void {
    this.note(`${this.#paint("error:", "red")} ${indented(message)}`);
    if (hint !== undefined) this.note(`${this.#paint("hint:", "dim")} ${indented(hint)}`);
    if (this.#verbose && stack !== undefined) this.note(this.#paint(printable(stack), "dim"));
  }
}

/** No line of it passes for one of ours: it may hold names of the graded work. */
function indented(text: string): string {
  return printable(text).replaceAll("\n", "\n  ");
}

/** A CI's log is none such, whatever it looks like. */
function isLive(): boolean {
  if (!Deno.stderr.isTerminal() || Deno.env.get("TERM") === "dumb") return false;
  return ["", "0", "false"].includes(Deno.env.get("CI") ?? "");
}

function terminalSize(): { columns: number; rows: number } | null {
  try {
    return Deno.consoleSize();
  } catch {
    // A terminal, but none whose size can be asked for.
    return null;
  }
}

function placeOf({ place, message }: ConfigError): string {
  return place === undefined || message.includes(place.file) ? "" : `${shownPlace(place)}: `;
}

function shownPlace({ file, line, column }: Place): string {
  return [file, line, column].filter((part) => part !== undefined).join(":");
}

function writeAll(stream: { writeSync(bytes: Uint8Array): number }, text: string): void {
  const bytes = new TextEncoder().encode(text);
  try {
    for (let at = 0; at < bytes.length;) at += stream.writeSync(bytes.subarray(at));
  } catch (error) {
    // Whoever read it has gone away, as `head` does.
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}
