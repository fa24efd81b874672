// What the bundle costs beside the sources that it was made of: the same run, in turns.

import { bundle } from "../../bundle/bundle.ts";
import type { Context, Section } from "../section.ts";
import { median } from "../statistics.ts";
import { grade, type Job, REWARD_KIT, type Tool } from "../tools.ts";

const HELLO_WORLD = new URL("../../fixtures/seeds/hello-world/", import.meta.url).pathname;

export const bundled: Section = { name: "bundle", run };

async function run({ folder, isQuick, report, warn }: Context): Promise<void> {
  try {
    await bundle(`${folder}/dist`);
  } catch (error) {
    return warn(`the bundle is not measured: ${(error as Error).message}`);
  }
  const argv = [Deno.execPath(), "run", "-A", "--no-config", `${folder}/dist/rewardkit.js`];
  const fromBundle: Tool = { ...REWARD_KIT, name: "bundle", argv };
  const job: Job = {
    testsDir: `${HELLO_WORLD}tests`,
    workspace: `${HELLO_WORLD}workspace`,
    expected: 1,
  };
  // No folder to keep anything in, as in a verifier's image.
  const withoutCache = { env: { DENO_DIR: "/dev/null" } };
  const seconds: Record<"source" | "bundle" | "bare", number[]> = {
    source: [],
    bundle: [],
    bare: [],
  };
  for (let round = -1; round < (isQuick ? 7 : 21); round++) {
    const taken = {
      source: (await grade(REWARD_KIT, job)).seconds,
      bundle: (await grade(fromBundle, job)).seconds,
      bare: (await grade(fromBundle, job, withoutCache)).seconds,
    };
    // The first runs fill the caches.
    if (round < 0) continue;
    for (const key of ["source", "bundle", "bare"] as const) seconds[key].push(taken[key]);
  }
  const ratio = (times: number[]) => median(times.map((time, at) => time / seconds.source[at]!));
  report({ name: "hello-world, wall time", unit: "ms", rewardKit: 1000 * median(seconds.bundle) });
  report({
    name: "hello-world without a cache",
    unit: "ms",
    rewardKit: 1000 * median(seconds.bare),
  });
  report({
    name: "bundle ÷ source, median of pairs",
    unit: "×",
    rewardKit: ratio(seconds.bundle),
    target: { is: "at most", value: 1 },
  });
  report({
    name: "bundle without a cache ÷ source",
    unit: "×",
    rewardKit: ratio(seconds.bare),
  });
}
