import assert from "node:assert/strict";
import type { DiscoveredReward } from "../run.ts";
import { listing } from "./listing.ts";

const REWARD: DiscoveredReward = {
  name: "reward",
  kind: "programmatic",
  aggregation: "weighted_mean",
  reward_weight: 1,
  criteria: [],
} as unknown as DiscoveredReward;

Deno.test("a reward is a line, its criteria and permissions a line each below it", () => {
  assert.equal(listing([]), "");
  assert.equal(listing([REWARD]), "reward (programmatic, weighted_mean, weight 1)");
  const full = {
    ...REWARD,
    name: "build",
    aggregation: "threshold",
    threshold: 0.5,
    criteria: [
      { name: "file_exists:a", weight: 2, description: "a is there" },
      { name: "b", weight: 0 },
      { name: "c", weight: 1, description: "" },
    ],
    permissions: { read: ["/app/a", "/tests"], net: true },
  } as unknown as DiscoveredReward;
  assert.equal(
    listing([full, REWARD]),
    `build (programmatic, threshold 0.5, weight 1)
  file_exists:a (weight 2): a is there
  b (weight 0)
  c (weight 1)
  read: /app/a, /tests
  net: everything
reward (programmatic, weighted_mean, weight 1)`,
  );
});
