// What a person sees: results on standard output, everything else on standard error.

import { ConfigError, RewardKitError } from "../errors.ts";
import { lazily } from "../lazy.ts";
import type { RunError } from "../results.ts";
import type { RunEvent } from "../events.ts";
import type { JudgeProgressLines } from "./judge_progress.ts";

const RED = "31";
const YELLOW = "33";
const DIM = "2";

/** Prints results, warnings and errors. */
export class Printer {
  readonly #verbose: boolean;
  readonly #quiet: boolean;
  readonly #colours: boolean;
  /** Loaded with the first judge. */
  #progress: JudgeProgressLines | null = null;
  #progressLoaded: Promise<JudgeProgressLines> | null = null;

  constructor({ verbose, quiet }: { verbose: boolean; quiet: boolean }) {
    this.#verbose = verbose;
    this.#quiet = quiet;
    this.#colours = !Deno.noColor && Deno.stderr.isTerminal();
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

  /** What comes up during a run. */
  event(event: RunEvent): void {
    if (this.#quiet) return;
    if (event.type === "warning") {
      this.note(`${this.#paint(YELLOW, "warning:")} ${printable(event.message)}`);
    } else if (event.type === "info") {
      this.note(printable(event.message));
    } else if (event.type === "judgeProgress") {
      const { file, progress } = event;
      this.#progressLoaded ??= this.#loadProgress();
      this.#progressLoaded.then((lines) => lines.update(printable(file), progress));
    } else if (event.type === "output") {
      this.#progress?.clear();
      writeAll(Deno.stderr, printable(event.text));
    }
  }

  async #loadProgress(): Promise<JudgeProgressLines> {
    const { JudgeProgressLines } = await lazily<typeof import("./judge_progress.ts")>(
      "./judge_progress.ts",
      import.meta.url,
    );
    const write = (text: string) => writeAll(Deno.stderr, text);
    return this.#progress = new JudgeProgressLines({ write, columns: terminalColumns });
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
    this.note(`${this.#paint(RED, "error:")} ${printable(message)}`);
    if (hint !== undefined) this.note(`${this.#paint(DIM, "hint:")} ${printable(hint)}`);
    if (this.#verbose && stack !== undefined) this.note(this.#paint(DIM, printable(stack)));
  }

  #paint(colour: string, text: string): string {
    return this.#colours ? `\x1b[${colour}m${text}\x1b[0m` : text;
  }
}

function terminalColumns(): number | null {
  if (!Deno.stderr.isTerminal()) return null;
  try {
    return Deno.consoleSize().columns;
  } catch {
    // Standard error is a terminal, but none whose size can be asked for.
    return 0;
  }
}

function placeOf({ place, message }: ConfigError): string {
  if (place === undefined || message.includes(place.file)) return "";
  const position = place.line === undefined ? "" : `:${place.line}`;
  const column = place.column === undefined ? "" : `:${place.column}`;
  return `${place.file}${position}${column}: `;
}

/** Nothing that a workspace or an author's file says may steer the terminal. */
function printable(text: string): string {
  // deno-lint-ignore no-control-regex
  const plain = text.replace(/\x1b\[[0-9;]*m/g, "");
  // deno-lint-ignore no-control-regex
  return plain.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
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
