// What `rewardkit check` prints.

import type { CheckedSuite } from "../run.ts";
import { listing } from "./listing.ts";

type Judges = CheckedSuite["judges"];
type Judge = Judges[string];
type File = Judge["files"][number];

/** Rewards as `discover` lists them, and what each judge would be sent. */
export function checkText({ rewards, judges, ignored }: CheckedSuite): string {
  const parts = [
    listing(rewards),
    ...Object.entries(judges).map(([file, judge]) => judgeText(file, judge)),
    ...(ignored.length === 0 ? [] : [`ignored: ${ignored.join(", ")}`]),
  ];
  return parts.join("\n\n");
}

function judgeText(file: string, judge: Judge): string {
  const { kind, model, reasoningEffort, calls, tokens, criteria, files, reference, notes } = judge;
  const effort = reasoningEffort === null ? "" : `, effort ${reasoningEffort}`;
  const what = kind === "llm"
    ? `send ${count(calls, "call")} with about ${grouped(tokens)} tokens to ${model}`
    : `make ${count(calls, "run")} of ${model}, with prompts of about ${grouped(tokens)} tokens`;
  return [
    `${file} would ${what}${effort}`,
    `  criteria: ${criteria.map(({ name, type }) => `${name} (${type})`).join(", ")}`,
    ...files.map((shown) => `  file ${fileText(shown)}`),
    ...reference.map((shown) => `  reference ${fileText(shown)}`),
    ...notes.map((note) => `  note: ${note}`),
  ].join("\n");
}

function fileText({ name, size, tokens, note }: File): string {
  const shown = `${name}: ${grouped(size)} bytes, about ${grouped(tokens)} tokens`;
  if (tokens === 0 && note !== undefined) return `${name}: ${note}`;
  return note === undefined ? shown : `${shown} (${note})`;
}

function count(number: number, noun: string): string {
  return `${grouped(number)} ${noun}${number === 1 ? "" : "s"}`;
}

function grouped(number: number): string {
  return number.toLocaleString("en");
}
