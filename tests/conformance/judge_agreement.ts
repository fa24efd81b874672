// Holds what a judge gave here against what was recorded.

import { isDeepStrictEqual } from "node:util";
import type { JudgeCase, JudgeOutcome } from "./judges.ts";

/** What is not as it was recorded; empty: it agrees. */
export function judgeProblems({ expected }: JudgeCase, outcome: JudgeOutcome): string[] {
  const { problems, compare } = comparison();
  const calls = outcome.requests.length;
  if (calls < (expected.calls_min ?? expected.calls) || calls > expected.calls) {
    problems.push(`${calls} calls, recorded ${expected.calls}`);
  }
  if (expected.error !== undefined) {
    if (outcome.code === 0 || outcome.reward !== null) {
      problems.push(`graded ${JSON.stringify(outcome.reward)}, recorded as failed`);
    }
    return problems;
  }
  compare("reward.json", outcome.reward, expected.reward);
  if (expected.details_file === false || outcome.details === null) {
    compare("whether there are details", outcome.details !== null, expected.details_file ?? true);
    return problems;
  }
  const wanted = expected.details ?? { reward: expected };
  for (const [name, node] of Object.entries(wanted)) {
    compareNode(outcome.details[name], node, compare, (found, wanted) => {
      if (wanted.kind !== "llm") return;
      compareCriteria(found, wanted, expected.unordered === true, compare);
      compareNotes(found, wanted, compare);
    });
  }
  return problems;
}

/** Notes that something is not as it was recorded. */
export type Compare = (what: string, found: unknown, wanted: unknown) => void;

/** Problems, and what adds to them. */
export function comparison(): { problems: string[]; compare: Compare } {
  const problems: string[] = [];
  const compare = (what: string, found: unknown, wanted: unknown) => {
    if (isDeepStrictEqual(found, wanted)) return;
    problems.push(`${what} is ${JSON.stringify(found)}, recorded ${JSON.stringify(wanted)}`);
  };
  return { problems, compare };
}

/** Fields of a criterion that are compared. */
const CRITERION = [
  ...["name", "value", "raw", "weight", "reasoning", "error", "negate", "optional", "id"],
  ...["annotations", "samples", "agreement"],
];

// deno-lint-ignore no-explicit-any
type Node = any;

/** Compares a part of reward-details.json, and the inputs below it with `compareInput`. */
export function compareNode(
  found: Node,
  wanted: Node,
  compare: Compare,
  compareInput: (found: Node, wanted: Node) => void,
): void {
  compare("kind", found?.kind, wanted.kind);
  compare("score", found?.score, wanted.score);
  if (wanted.kind !== "group") return compareInput(found, wanted);
  compare("aggregation", found?.aggregation, wanted.aggregation);
  for (const [index, component] of wanted.components.entries()) {
    const own = found?.components?.[index];
    compare("component", [own?.name, own?.weight], [component.name, component.weight]);
    compareNode(own?.detail, component.detail, compare, compareInput);
  }
}

/** Compares the criteria of a judge. */
export function compareCriteria(
  found: Node,
  wanted: Node,
  isUnordered: boolean,
  compare: Compare,
): void {
  for (const [index, criterion] of wanted.criteria.entries()) {
    for (const key of CRITERION) {
      const own = found?.criteria?.[index]?.[key];
      const isSet = key === "samples" && isUnordered;
      compare(
        `${key} of ${criterion.name}`,
        isSet ? sorted(own) : own,
        isSet ? sorted(criterion[key]) : criterion[key],
      );
    }
  }
}

function compareNotes(found: Node, wanted: Node, compare: Compare): void {
  compare("judge", found?.judge, wanted.judge);
  compare("guard", found?.guard, wanted.guard);
  compare("usage", withoutNoise(found?.usage), withoutNoise(wanted.usage));
  compare("number of warnings", found?.warnings?.length ?? 0, wanted.warnings_count);
  if (wanted.judge_output !== undefined) {
    compare("judge_output", found?.judge_output, wanted.judge_output);
  }
}

function sorted(values: unknown): unknown {
  if (!Array.isArray(values)) return values;
  return values.map((value) => JSON.stringify(value)).sort();
}

/** Costs are sums of fractions. */
export function withoutNoise(usage: unknown): unknown {
  return JSON.parse(
    JSON.stringify(usage ?? null),
    (key, value) => key === "cost_usd" ? Number(value.toFixed(10)) : value,
  );
}
