// The sub-commands that help to write checks: init, list, completions.

import { startTestsFolder } from "../authoring/starter.ts";
import { lazily } from "../lazy.ts";
import { builtinList } from "../report/builtin_list.ts";
import { BUILTIN_SIGNATURES, COMMON_OPTIONS } from "../report/builtin_signatures.ts";
import type { CliSettings } from "./flags.ts";

/** What a sub-command is for, and what it prints. */
const WRITERS = { init, list, completions };

/**
 * Does what a sub-command is for.
 *
 * @returns What it prints.
 * @throws {UsageError} If nothing can be written where it is told to.
 */
export async function write(
  command: keyof typeof WRITERS,
  operands: readonly string[],
  settings: CliSettings,
): Promise<string> {
  return await WRITERS[command](operands, settings);
}

async function init([testsDir = "tests"]: readonly string[]): Promise<string> {
  const { written, kept } = await startTestsFolder(testsDir, Deno.env.toObject());
  return [
    ...written.map((path) => `wrote ${path}`),
    ...kept.map((path) => `kept ${path}`),
    "",
    `rewardkit check ${testsDir} --workspace FOLDER    finds mistakes`,
    `rewardkit ${testsDir} --workspace FOLDER --output FOLDER/reward.json    grades`,
  ].join("\n");
}

function list(_operands: readonly string[], { json }: CliSettings): string {
  return json
    ? JSON.stringify({ criteria: BUILTIN_SIGNATURES, common_options: COMMON_OPTIONS }, null, 2)
    : builtinList(BUILTIN_SIGNATURES, COMMON_OPTIONS);
}

async function completions([shell]: readonly string[]): Promise<string> {
  const { completions } = await lazily<typeof import("./completions/completions.ts")>(
    "./completions/completions.ts",
    import.meta.url,
  );
  return completions(shell!).trimEnd();
}
