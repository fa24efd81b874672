// Criteria on the trajectory of the agent: the record of its steps in ATIF, a JSON format.

import { requireInteger, requireNumber, requireText } from "../src/criterion/arguments.ts";
import { type Check, registerBuiltin } from "../src/criterion/builtin.ts";
import type { CriterionOptions } from "../src/criterion/options.ts";
import type { WorkspaceReader } from "../src/criterion/reader.ts";
import { SubmissionError } from "../src/errors.ts";
import { lazily } from "../src/lazy.ts";

/** Where Harbor puts the trajectory. */
const DEFAULT_PATH = "/logs/agent/trajectory.json";

/** Options of every criterion on trajectories. */
export interface TrajectoryOptions extends CriterionOptions {
  /** The trajectory; from the workspace, or absolute. Default `/logs/agent/trajectory.json`. */
  path?: string;
}

/** Options of {@link trajectoryToolNotUsed}. */
export interface ToolOptions extends TrajectoryOptions {
  /**
   * Count only calls whose arguments, written as compact JSON (`{"command":"git push"}`), contain
   * this text or match this expression: for agents that do everything through one tool.
   */
  args?: string | RegExp;
}

/** Options of {@link trajectoryToolUsed}. */
export interface ToolUsedOptions extends ToolOptions {
  /** How many calls it takes: a whole number of at least 0. Default 1. */
  minCount?: number;
}

/**
 * Scores 1 when the agent called a tool often enough. Calls in all steps count. A trajectory that
 * is missing or malformed scores 0 with a warning that names its path.
 *
 * @param toolName Function name of the calls, exactly; or a `RegExp` that is searched for in it.
 * @throws {TypeError} If an argument has the wrong type, or `minCount` is no whole number of at
 * least 0.
 *
 * @example
 * ```ts ignore
 * import * as rk from "@rewardkit/cli";
 *
 * rk.trajectoryToolUsed("bash", { minCount: 2 });
 * rk.trajectoryToolUsed("exec", { args: /\bnpm test\b/ });
 * ```
 */
export function trajectoryToolUsed(toolName: string | RegExp, options?: ToolUsedOptions): void {
  const minCount = options?.minCount ?? 1;
  requireInteger("trajectoryToolUsed", "minCount", minCount, 0);
  registerBuiltin({
    criterion: "trajectory_tool_used",
    args: [...toolArguments("trajectoryToolUsed", toolName, options), minCount],
    options,
    ownOptions: ["path", "args", "minCount"],
    description: `the agent calls ${shown(toolName)}, at least ${minCount} times`,
    needs: [{ read: options?.path ?? DEFAULT_PATH }],
  });
}

/**
 * Scores 1 when the agent never called a tool. A trajectory that is missing or malformed proves
 * nothing: it scores 0 with a warning that names its path.
 *
 * @param toolName Function name of the calls, exactly; or a `RegExp` that is searched for in it.
 * @throws {TypeError} If an argument has the wrong type.
 *
 * @example
 * ```ts ignore
 * import * as rk from "@rewardkit/cli";
 *
 * rk.trajectoryToolNotUsed(/^web_/);
 * ```
 */
export function trajectoryToolNotUsed(toolName: string | RegExp, options?: ToolOptions): void {
  registerBuiltin({
    criterion: "trajectory_tool_not_used",
    args: toolArguments("trajectoryToolNotUsed", toolName, options),
    options,
    ownOptions: ["path", "args"],
    description: `the agent does not call ${shown(toolName)}`,
    needs: [{ read: options?.path ?? DEFAULT_PATH }],
  });
}

/**
 * Scores 1 up to `maxTurns` steps of the agent, then falls in a straight line to 0 at twice as
 * many. Only steps whose source is `agent` count. A trajectory that is missing or malformed scores
 * 0 with a warning that names its path.
 *
 * @param maxTurns Above 0; need not be whole.
 * @throws {TypeError} If an argument has the wrong type.
 * @throws {RangeError} If `maxTurns` is not above 0.
 *
 * @example
 * ```ts ignore
 * import * as rk from "@rewardkit/cli";
 *
 * rk.trajectoryTurnCount(20);
 * ```
 */
export function trajectoryTurnCount(maxTurns: number, options?: TrajectoryOptions): void {
  requireNumber("trajectoryTurnCount", "maxTurns", maxTurns);
  if (maxTurns <= 0) {
    throw new RangeError(
      `trajectoryTurnCount() got ${maxTurns} for "maxTurns", expected a number above 0`,
    );
  }
  const path = pathOf("trajectoryTurnCount", options);
  registerBuiltin({
    criterion: "trajectory_turn_count",
    args: [maxTurns, path],
    options,
    ownOptions: ["path"],
    description: `the agent takes at most ${maxTurns} turns`,
    needs: [{ read: path }],
  });
}

/** How each criterion of this file is computed. */
export const checks: Record<string, Check> = {
  trajectory_tool_used: async (
    { files },
    toolName: string | RegExp,
    path: string,
    args: string | RegExp | null,
    minCount: number,
  ) => countCalls(await readSteps(files, path), toolName, args, path) >= minCount,

  trajectory_tool_not_used: async (
    { files },
    toolName: string | RegExp,
    path: string,
    args: string | RegExp | null,
  ) => countCalls(await readSteps(files, path), toolName, args, path) === 0,

  trajectory_turn_count: async ({ files }, maxTurns: number, path: string) => {
    const steps = await readSteps(files, path);
    const turns = steps.filter(({ source }) => source === "agent").length;
    return turns <= maxTurns ? 1 : Math.max(0, 1 - (turns - maxTurns) / maxTurns);
  },
};

type JsonObject = Readonly<Record<string, unknown>>;

/** The steps of a trajectory; one without the key has none, as in the original. */
async function readSteps(files: WorkspaceReader, path: string): Promise<readonly JsonObject[]> {
  const { parseJson } = await lazily<typeof import("./python/json.ts")>(
    "./python/json.ts",
    import.meta.url,
  );
  const trajectory = parseJson(files.readText(path), path);
  if (!isObject(trajectory)) throw malformed(path, "is not an object");
  const steps = Object.hasOwn(trajectory, "steps") ? trajectory.steps : [];
  if (!Array.isArray(steps)) throw malformed(path, 'has "steps" that are not a list');
  for (const [index, step] of steps.entries()) {
    if (!isObject(step)) throw malformed(path, `has a step ${index} that is not an object`);
  }
  return steps;
}

function countCalls(
  steps: readonly JsonObject[],
  toolName: string | RegExp,
  args: string | RegExp | null,
  path: string,
): number {
  let count = 0;
  for (const [index, step] of steps.entries()) {
    // Null stands for no calls.
    const calls = step.tool_calls ?? [];
    if (!Array.isArray(calls) || !calls.every(isObject)) {
      throw malformed(path, `has "tool_calls" in step ${index} that are not a list of objects`);
    }
    for (const call of calls) {
      const name = call.function_name;
      if (typeof name !== "string" || !isNamed(name, toolName)) continue;
      if (args === null || contains(written(call.arguments, path), args)) count++;
    }
  }
  return count;
}

function isNamed(name: string, wanted: string | RegExp): boolean {
  return typeof wanted === "string" ? name === wanted : contains(name, wanted);
}

function contains(text: string, wanted: string | RegExp): boolean {
  if (typeof wanted === "string") return text.includes(wanted);
  // An expression with the flag g or y goes on where it stopped.
  wanted.lastIndex = 0;
  return wanted.test(text);
}

/** Arguments as compact JSON; some agents record them as JSON text already. */
function written(args: unknown, path: string): string {
  if (typeof args === "string") return args;
  try {
    return JSON.stringify(args, (_, value) => typeof value === "bigint" ? Number(value) : value) ??
      "";
  } catch (cause) {
    throw new SubmissionError(`"${path}" has a tool call whose arguments cannot be written`, {
      cause,
    });
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function malformed(path: string, problem: string): SubmissionError {
  return new SubmissionError(`"${path}" is no trajectory: it ${problem}`);
}

function pathOf(criterion: string, options: TrajectoryOptions | undefined): string {
  const path = options?.path ?? DEFAULT_PATH;
  requireText(criterion, "path", path);
  return path;
}

function toolArguments(
  criterion: string,
  toolName: string | RegExp,
  options: ToolOptions | undefined,
): [toolName: string | RegExp, path: string, args: string | RegExp | null] {
  if (!(toolName instanceof RegExp)) requireText(criterion, "toolName", toolName);
  const args = options?.args ?? null;
  if (args !== null && !(args instanceof RegExp)) requireText(criterion, "args", args);
  return [toolName, pathOf(criterion, options), args];
}

function shown(toolName: string | RegExp): string {
  return typeof toolName === "string" ? `"${toolName}"` : String(toolName);
}
