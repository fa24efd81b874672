// Several tests folders side by side.

import Table from "cli-table3";
import { round4 } from "../score/round.ts";

/**
 * A table of the reward names that two or more folders share, with the difference between the first
 * and the last folder that have the name.
 *
 * @param names Of the folders, in order.
 * @param rewards Keys have the folder's name in front.
 * @returns `null` if no name is shared.
 */
export function comparisonTable(
  names: readonly string[],
  rewards: Readonly<Record<string, number>>,
): string | null {
  const shared = sharedNames(names, rewards);
  if (shared.length === 0) return null;
  const table = new Table({
    head: ["reward", ...names, "difference"],
    style: { head: [], border: [] },
    colAligns: ["left", ...names.map(() => "right" as const), "right"],
  });
  for (const reward of shared) {
    const scores = names.map((name) => rewards[`${name}/${reward}`]);
    const present = scores.filter((score) => score !== undefined);
    const difference = round4(present[0]! - present.at(-1)!);
    const sign = difference > 0 ? "+" : "";
    table.push([reward, ...scores.map((score) => score ?? "—"), `${sign}${difference}`]);
  }
  return table.toString();
}

/** Names of rewards that two or more folders have, in the order in which they come up. */
export function sharedNames(
  names: readonly string[],
  rewards: Readonly<Record<string, number>>,
): string[] {
  const counts = new Map<string, number>();
  for (const name of names) {
    for (const key of Object.keys(rewards)) {
      if (!key.startsWith(`${name}/`)) continue;
      const reward = key.slice(name.length + 1);
      counts.set(reward, (counts.get(reward) ?? 0) + 1);
    }
  }
  return [...counts].filter(([, count]) => count > 1).map(([reward]) => reward);
}
