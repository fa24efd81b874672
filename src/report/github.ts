// Workflow commands, with which GitHub Actions shows errors beside the files that they are in.

import type { CriterionOutcome } from "../events.ts";
import type { RunError } from "../results.ts";
import { mismatchTexts } from "./mismatch_text.ts";

/** A criterion that has failed. */
export interface FailedCriterion extends CriterionOutcome {
  /** As a person would type it. */
  file: string;
}

/** GitHub shows no more of each kind for one step. */
const MAX_ANNOTATIONS = 10;

/**
 * An error for each error, a warning for each criterion that failed, and a notice with the rewards;
 * at most ten of a kind.
 *
 * @param root The folder that the repository was checked out to; paths below it are shown from there.
 *
 * @example
 * ```ts
 * import { annotations } from "./github.ts";
 * import assert from "node:assert/strict";
 *
 * const errors = [{ file: "tests/a.ts", criterion: "c", message: "50%\n::error::x" }];
 * assert.deepEqual(annotations({ rewards: null, errors, failed: [] }), [
 *   "::error file=tests/a.ts,title=c::50%25%0A::error::x",
 * ]);
 * ```
 */
export function annotations(
  { rewards, errors, failed }: {
    rewards: Readonly<Record<string, number>> | null;
    errors: readonly RunError[];
    failed: readonly FailedCriterion[];
  },
  root?: string,
): string[] {
  const scores = Object.entries(rewards ?? {}).map(([name, score]) => `${name}: ${score}`);
  return [
    ...errors.slice(0, MAX_ANNOTATIONS).map(({ file, criterion, message, hint }) => {
      const text = hint === undefined ? message : `${message}\n${hint}`;
      return command("error", { file: fromRoot(file, root), title: criterion }, text);
    }),
    ...failed.slice(0, MAX_ANNOTATIONS).map((outcome) =>
      command(
        "warning",
        {
          file: fromRoot(outcome.file, root),
          title: `${outcome.criterion} scored ${outcome.score}`,
        },
        whyFailed(outcome),
      )
    ),
    ...(scores.length === 0 ? [] : [command("notice", { title: "Reward" }, scores.join("\n"))]),
  ];
}

/**
 * Keeps GitHub from taking anything else that is printed for a command: lines before and after it.
 *
 * @param token What no output can know beforehand.
 */
export function withoutCommands(token: string): { before: string; after: string } {
  return { before: `::stop-commands::${token}`, after: `::${token}::` };
}

/** A text for the step's summary, which is Markdown: as code, however many backticks it holds. */
export function summaryText(tree: string): string {
  const longest = Math.max(2, ...[...tree.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${tree}\n${fence}\n`;
}

function whyFailed(outcome: CriterionOutcome): string {
  const { reasoning } = outcome;
  const lines = [...(reasoning === undefined ? [] : [reasoning]), ...mismatchTexts(outcome)];
  return lines.length === 0 ? "It did not pass." : lines.join("\n");
}

function fromRoot(file: string, root: string | undefined): string {
  const prefix = `${root}/`;
  return root !== undefined && file.startsWith(prefix) ? file.slice(prefix.length) : file;
}

function command(
  name: string,
  properties: Record<string, string | undefined>,
  message: string,
): string {
  const given = Object.entries(properties).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${inProperty(value)}`]
  );
  return `::${name} ${given.join(",")}::${inMessage(message)}`;
}

function inMessage(text: string): string {
  return printableBytes(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll(
    "\n",
    "%0A",
  );
}

function inProperty(text: string): string {
  return inMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** Control characters other than line ends and tabs have no place in a log. */
function printableBytes(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]/g, "\ufffd");
}
