// For tests: the recorded cases of a criterion, and the workspace that they look at.

import { SubmissionError } from "../src/errors.ts";
import type { Check, CheckContext, CheckResult } from "../src/criterion/builtin.ts";
import { WorkspaceReader } from "../src/criterion/reader.ts";

const FIXTURES = new URL("../fixtures/conformance/", import.meta.url);

/** One recorded call of a criterion of the original. */
export interface RecordedCase {
  id: string;
  args: unknown[];
  kwargs: Record<string, unknown>;
  /** Score, or null where the original raised. */
  value: number | null;
}

/** What was recorded of one criterion. */
export function recordedCases(criterion: string): RecordedCase[] {
  const lines = Deno.readTextFileSync(new URL("criteria.jsonl", FIXTURES)).trim().split("\n");
  return lines.map((line) => JSON.parse(line)).filter((entry) => entry.criterion === criterion)
    .map(({ id, args, kwargs, expected }) => ({
      id,
      args: untagged(args) as unknown[],
      kwargs: untagged(kwargs) as Record<string, unknown>,
      value: expected.value ?? null,
    }));
}

/** A fresh copy of the workspace; removed by `using`. */
export function recordedWorkspace(): { path: string } & Disposable {
  const path = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "rewardkit-conformance-" }));
  copyFolder(new URL("workspace", FIXTURES).pathname, path);
  const manifest = JSON.parse(
    Deno.readTextFileSync(new URL("workspace_manifest.json", FIXTURES)),
  ) as { symlinks: Record<string, string>; empty_dirs: string[] };
  for (const folder of ["links", ...manifest.empty_dirs]) {
    Deno.mkdirSync(`${path}/${folder}`, { recursive: true });
  }
  for (const [link, target] of Object.entries(manifest.symlinks)) {
    Deno.symlinkSync(target, `${path}/${link}`);
  }
  return { path, [Symbol.dispose]: () => Deno.removeSync(path, { recursive: true }) };
}

/** What one call of a check function came to. */
export interface Outcome {
  result: CheckResult;
  /** Of `warn()`, and the message of a SubmissionError, which scores 0. */
  warnings: string[];
}

/** Calls a check function as the built-ins Worker would. */
export async function outcomeOf(
  check: Check,
  workspace: string,
  ...args: unknown[]
): Promise<Outcome> {
  const warnings: string[] = [];
  const context: CheckContext = {
    files: new WorkspaceReader({ workspace, maxFileBytes: 2 ** 28 }),
    warn: (message) => void warnings.push(message),
    mismatch: () => false,
    command: () => Promise.reject(new Error("no command was declared")),
  };
  try {
    return { result: await check(context, ...args), warnings };
  } catch (error) {
    if (!(error instanceof SubmissionError)) throw error;
    return { result: 0, warnings: [...warnings, error.message] };
  }
}

function copyFolder(from: string, to: string): void {
  for (const entry of Deno.readDirSync(from)) {
    if (entry.isDirectory) {
      Deno.mkdirSync(`${to}/${entry.name}`);
      copyFolder(`${from}/${entry.name}`, `${to}/${entry.name}`);
    } else {
      Deno.copyFileSync(`${from}/${entry.name}`, `${to}/${entry.name}`);
    }
  }
}

/** Values that JSON cannot hold are tagged in the recording. */
function untagged(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(untagged);
  if (typeof value !== "object" || value === null) return value;
  const [tag, content] = Object.entries(value)[0] ?? [];
  switch (tag) {
    case "$int":
      return Number.isSafeInteger(Number(content)) ? Number(content) : BigInt(content);
    case "$float":
      return content === "inf" ? Infinity : content === "-inf" ? -Infinity : Number(content);
    case "$bytes":
      return Uint8Array.fromHex(content);
    case "$datetime":
      return new Date(`${content}Z`);
    case "$time":
      return Temporal.PlainTime.from(content);
    case "$seconds":
      return Temporal.Duration.from({ seconds: content });
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, untagged(item)]));
}

/**
 * Whether a declaration takes its arguments. Outside of a check file what is right comes as far as
 * the registry, which refuses it with a plain error.
 */
export function isAccepted(declare: () => void): boolean {
  try {
    declare();
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return false;
    if (error instanceof SyntaxError) return false;
    if (!(error instanceof Error) || !/while a check file loads/.test(error.message)) throw error;
  }
  return true;
}
