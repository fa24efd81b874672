// What `rewardkit discover` prints.

import type { DiscoveredReward } from "../run.ts";

/** Rewards with their criteria and permissions, a line each. */
export function listing(rewards: readonly DiscoveredReward[]): string {
  return rewards.map(describe).join("\n");
}

function describe(reward: DiscoveredReward): string {
  const { name, kind, aggregation, threshold, reward_weight, criteria, permissions } = reward;
  const gate = threshold === undefined ? "" : ` ${threshold}`;
  return [
    `${name} (${kind}, ${aggregation}${gate}, weight ${reward_weight})`,
    ...criteria.map(({ name, weight, description }) =>
      `  ${name} (weight ${weight})${description ? `: ${description}` : ""}`
    ),
    ...Object.entries(permissions ?? {}).map(([permission, values]) =>
      `  ${permission}: ${values === true ? "everything" : values.join(", ")}`
    ),
  ].join("\n");
}
