// What CI services are given of a run: a JUnit file, and GitHub's annotations.

import { ConfigError, DiscoveryError, RewardKitError } from "../errors.ts";
import type { RunEvent } from "../events.ts";
import { resolvePath } from "../path.ts";
import {
  annotations,
  type FailedCriterion,
  summaryText,
  withoutCommands,
} from "../report/github.ts";
import { junitText } from "../report/junit.ts";
import { requireWritable, writeWhole } from "../report/reward_files.ts";
import { treeText } from "../report/tree_text.ts";
import type { RunError } from "../results.ts";
import type { Grades } from "../run.ts";
import type { CliSettings } from "./flags.ts";

/** Writes what `--junit` and `--github` ask for. */
export class CiReports {
  readonly #settings: CliSettings;
  /** Path of the JUnit file; `null`: none is asked for. */
  readonly #junit: string | null;
  readonly #write: (line: string) => void;
  readonly #failed: FailedCriterion[] = [];
  /** Lines around all that is printed of others' texts. */
  readonly #fence = withoutCommands(crypto.randomUUID());

  /**
   * @param write Gets lines of workflow commands.
   * @throws {UsageError} If the JUnit file could not be written.
   */
  constructor(settings: CliSettings, write: (line: string) => void) {
    const { junit, github } = settings;
    this.#settings = settings;
    this.#write = write;
    this.#junit = junit === undefined ? null : resolvePath(Deno.cwd(), junit);
    if (this.#junit !== null) requireWritable(this.#junit, "--junit");
    if (github) write(this.#fence.before);
  }

  event(event: RunEvent): void {
    if (event.type !== "criterionFinished" || event.error !== undefined) return;
    const { passMark = 0 } = this.#settings.options;
    if (event.score <= 0 || event.score < passMark) this.#failed.push(event);
  }

  /** The run is over, and all else has been printed. */
  async report({ rewards, details, errors }: Grades): Promise<void> {
    const { options } = this.#settings;
    if (this.#junit !== null) await writeWhole(this.#junit, junitText(details, options));
    if (!this.#settings.github) return;
    this.#annotate(rewards, errors);
    const summary = Deno.env.get("GITHUB_STEP_SUMMARY");
    if (summary === undefined || summary === "") return;
    const shown = { maxPassed: 20, maxFailed: 50 };
    await Deno.writeTextFile(summary, summaryText(treeText(rewards, details, shown)), {
      append: true,
    });
  }

  /** There was no run. */
  refused(error: unknown): void {
    if (!this.#settings.github) return;
    const problems = error instanceof DiscoveryError ? error.problems : [error];
    this.#annotate(null, problems.filter((it) => it instanceof RewardKitError).map(placed));
  }

  #annotate(rewards: Grades["rewards"], errors: readonly RunError[]): void {
    this.#write(this.#fence.after);
    const root = Deno.env.get("GITHUB_WORKSPACE");
    for (const line of annotations({ rewards, errors, failed: this.#failed }, root)) {
      this.#write(line);
    }
  }
}

function placed(error: RewardKitError): RunError {
  const { message, hint } = error;
  const place = error instanceof ConfigError ? error.place : undefined;
  return { file: place?.file ?? "", message, ...(hint !== undefined && { hint }) };
}
