// The programs that are compared: Reward Kit, the original, and the least that could be done.

import { BenchError, type ProgramOptions, type ProgramRun, runProgram } from "./program.ts";
import { type Language, PYTHON, TYPESCRIPT } from "./suite.ts";

const ROOT = new URL("../", import.meta.url).pathname;
const ORIGINAL_PYTHON = `${ROOT}bench/.original/bin/python`;

/** A tool that grades. */
export interface Tool {
  name: string;
  language: Language;
  argv: readonly string[];
  env: Record<string, string>;
}

/** Reward Kit, as it is started in practice. */
export const REWARD_KIT: Tool = {
  name: "Reward Kit",
  language: TYPESCRIPT,
  argv: [Deno.execPath(), "run", "-A", `${ROOT}cli.ts`],
  env: {},
};

const ORIGINAL: Tool = {
  name: "original",
  language: PYTHON,
  argv: [ORIGINAL_PYTHON, "-m", "rewardkit"],
  // Else it asks the network for a list of prices at each start, and waits when there is none.
  env: { LITELLM_LOCAL_MODEL_COST_MAP: "True" },
};

/** The original; `null` if `bench/setup_original.sh` has not installed it. */
export async function findOriginal(): Promise<Tool | null> {
  try {
    await Deno.stat(ORIGINAL_PYTHON);
    return ORIGINAL;
  } catch {
    return null;
  }
}

/** What is graded. */
export interface Job {
  testsDir: string;
  workspace: string;
  /** Further flags, which both tools understand. */
  flags?: readonly string[];
  /** The reward that must come out, so that what is measured was really done. */
  expected: number;
  /** How far the reward may be off. Default 0. */
  tolerance?: number;
}

/**
 * Grades once, into a new folder.
 *
 * @throws {BenchError} If the tool fails, or another reward than the expected one comes out.
 */
export async function grade(
  tool: Tool,
  { testsDir, workspace, flags = [], expected, tolerance = 0 }: Job,
  options: ProgramOptions = {},
): Promise<ProgramRun> {
  const output = await Deno.makeTempDir({ prefix: "rewardkit-bench-" });
  try {
    const argv = [...tool.argv, testsDir, "--workspace", workspace, ...flags];
    const run = await runProgram([...argv, "--output", `${output}/reward.json`], {
      cwd: ROOT,
      ...options,
      env: { ...tool.env, ...options.env },
    });
    if (run.code !== 0) {
      throw new BenchError(`${argv.join(" ")} ended with code ${run.code}:\n${run.printed}`);
    }
    const scores = JSON.parse(await Deno.readTextFile(`${output}/reward.json`));
    const score: unknown = scores.reward;
    if (typeof score !== "number" || !(Math.abs(score - expected) <= tolerance)) {
      throw new BenchError(
        `${argv.join(" ")} gave ${JSON.stringify(scores)}, expected a reward of ${expected}:\n` +
          run.printed,
      );
    }
    return run;
  } finally {
    await Deno.remove(output, { recursive: true });
  }
}

/**
 * Runs a program of `bench/floor`.
 *
 * @throws {BenchError} If it fails.
 */
export async function runFloor(
  program: string,
  args: readonly string[] = [],
  options: ProgramOptions = {},
): Promise<ProgramRun> {
  const path = `${ROOT}bench/floor/${program}`;
  const run = await runProgram([Deno.execPath(), "run", "-A", path, ...args], {
    cwd: ROOT,
    ...options,
  });
  if (run.code === 0) return run;
  throw new BenchError(`${path} ended with code ${run.code}:\n${run.printed}`);
}
