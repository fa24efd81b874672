// What GitHub Actions is told of a run: annotations in the log, and the step's summary.

import { ConfigError, DiscoveryError, RewardKitError } from "../errors.ts";
import type { RunEvent } from "../events.ts";
import {
  annotations,
  type FailedCriterion,
  summaryText,
  withoutCommands,
} from "../report/github.ts";
import { isPassed } from "../report/passed.ts";
import { treeText } from "../report/tree_text.ts";
import type { RunError } from "../results.ts";
import type { Grades } from "../whole_run.ts";
import type { RunOptions } from "../settings.ts";
import type { Printer } from "./printer.ts";

/** Writes what `--github` asks for. */
export class GithubActions {
  readonly #passMark: number | undefined;
  readonly #printer: Printer;
  readonly #failed: FailedCriterion[] = [];
  /** Lines around all that is printed of others' texts. */
  readonly #fence = withoutCommands(crypto.randomUUID());

  constructor({ passMark }: RunOptions, printer: Printer) {
    this.#passMark = passMark;
    this.#printer = printer;
    printer.note(this.#fence.before);
  }

  event(event: RunEvent): void {
    if (event.type !== "criterionFinished" || event.error !== undefined) return;
    if (!isPassed(event.score, this.#passMark)) this.#failed.push(event);
  }

  /** The run is over, and all else has been printed. */
  async report({ rewards, details, errors }: Grades): Promise<void> {
    this.#annotate(rewards, errors);
    const summary = Deno.env.get("GITHUB_STEP_SUMMARY");
    if (summary === undefined || summary === "") return;
    const shown = { maxPassed: 20, maxFailed: 50 };
    const text = summaryText(treeText(rewards, details, shown));
    try {
      await Deno.writeTextFile(summary, text, { append: true });
    } catch (error) {
      const message = `no summary: ${(error as Error).message} (GITHUB_STEP_SUMMARY)`;
      this.#printer.event({ type: "warning", message });
      this.#printer.release();
    }
  }

  /** There was no run. */
  refused(error: unknown): void {
    const problems = error instanceof DiscoveryError ? error.problems : [error];
    this.#annotate(null, problems.filter((it) => it instanceof RewardKitError).map(placed));
  }

  #annotate(rewards: Grades["rewards"], errors: readonly RunError[]): void {
    this.#printer.note(this.#fence.after);
    const root = Deno.env.get("GITHUB_WORKSPACE");
    for (const line of annotations({ rewards, errors, failed: this.#failed }, root)) {
      this.#printer.note(line);
    }
  }
}

function placed(error: RewardKitError): RunError {
  const { message, hint } = error;
  const place = error instanceof ConfigError ? error.place : undefined;
  return { file: place?.file ?? "", message, ...(hint !== undefined && { hint }) };
}
