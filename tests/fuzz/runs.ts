// How much is tried, and with which seed.

import process from "node:process";
import type { Parameters } from "fast-check";

/** By hand: `REWARDKIT_FUZZ_RUNS=100` tries two hundred times as much as by default. */
const RUNS = Deno.env.get("REWARDKIT_FUZZ_RUNS");

export const EFFORT = Number(RUNS ?? 0.5);

if (!(EFFORT > 0)) throw new Error("REWARDKIT_FUZZ_RUNS is a number above 0");

/** Repeats what failed: fast-check prints the seed. By default the same is tried every time. */
const SEED = Deno.env.get("REWARDKIT_FUZZ_SEED") ?? (RUNS === undefined ? "1" : undefined);

/**
 * For `fc.assert()`.
 *
 * @param runs How many by default.
 */
export function tries(runs: number): Pick<Parameters, "numRuns" | "seed"> {
  const numRuns = Math.max(1, Math.round(runs * EFFORT));
  return SEED === undefined ? { numRuns } : { numRuns, seed: Number(SEED) };
}

/**
 * Fails if some work takes too long by the time of this process, which a busy machine does not
 * stretch. What never ends is for {@link isolatedTest} to stop.
 */
export async function within<T>(limitSec: number, work: () => T | Promise<T>): Promise<T> {
  const start = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(start);
  const tookSec = (user + system) / 1e6;
  if (tookSec > limitSec) throw new Error(`took ${tookSec} s, the limit is ${limitSec} s`);
  return result;
}
