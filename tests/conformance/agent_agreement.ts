// Holds what an agent judge gave here against what was recorded.

import { callProblems } from "./agent_calls.ts";
import type { AgentCase, AgentOutcome } from "./agents.ts";
import { compareCriteria, compareNode, comparison, withoutNoise } from "./judge_agreement.ts";

/** What is not as it was recorded; empty: it agrees. */
export function agentProblems({ id, expected }: AgentCase, outcome: AgentOutcome): string[] {
  const { problems, compare } = comparison();
  compare("number of runs", outcome.runs.length, expected.runs);
  compare("files afterwards", outcome.files, expected.workspace_files_after);
  if (expected.error !== undefined) {
    compare("reward.json", outcome.reward, null);
    // What is wrong before an agent runs is the configuration.
    compare("exit code", outcome.code, expected.runs === 0 ? 2 : 1);
    const unsaid = expected.mentions.filter((word: string) => !outcome.stderr.includes(word));
    if (!OTHER_WORDS.has(id)) compare("what is not said", unsaid, []);
    return problems;
  }
  compare("reward.json", outcome.reward, expected.reward);
  compare("logs", outcome.logs.map(withoutHex).sort(), expected.log_files);
  compareNode(outcome.details?.reward, expected, compare, (found, wanted) => {
    compareCriteria(found, wanted, expected.unordered === true, compare);
    compare("judge", found?.judge, wanted.judge);
    compare("guard", found?.guard, wanted.guard);
    compare("usage", comparableUsage(found?.usage), comparableUsage(wanted.usage));
    const logs: string[] = found?.judge_logs ?? [];
    compare("judge_logs", logs.map(withoutHex).sort(), wanted.judge_logs);
    const answers = wanted.judge_output_samples_sorted;
    const output = withoutSpaces(found?.judge_output ?? "");
    if (answers === undefined) compare("judge_output", output, withoutSpaces(wanted.judge_output));
    else compare("judge_output", samplesOf(output).sort(), answers.map(withoutSpaces));
  });
  return [...problems, ...callProblems(expected.calls, outcome.runs)];
}

/** Errors that have another cause here: no script to fetch, another folder, no such agent. */
const OTHER_WORDS = new Set(["claude-not-installed", "cwd-missing-dir", "fx-key-missing"]);

/** Names of logs end in something that is new each time. */
function withoutHex(name: string): string {
  return name.replace(/\.[0-9a-f]{32}\./, ".<hex>.");
}

/** A count of 0 says no more than none, and the word for an estimate is our own. */
function comparableUsage(usage: unknown): unknown {
  return withoutZeros(withoutNoise(usage) ?? {}) ?? {};
}

function withoutZeros(value: unknown): unknown {
  if (value === 0) return undefined;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).flatMap(([key, part]) => {
    const kept = key === "cost_source" ? "estimate" : withoutZeros(part);
    return kept === undefined ? [] : [[key, kept] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** JSON is written without spaces here. */
function withoutSpaces(text: string): string {
  return text.replace(/([:,]) /g, "$1");
}

function samplesOf(output: string): string[] {
  return output.split(/^--- sample \d+ ---\n/m).map((text) => text.trim()).filter((text) =>
    text !== ""
  );
}
