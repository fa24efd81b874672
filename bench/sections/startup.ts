// What a run costs that does next to nothing: the first example of the documentation.

import { type ProgramRun } from "../program.ts";
import type { Context, Section } from "../section.ts";
import { median } from "../statistics.ts";
import { grade, type Job, REWARD_KIT, runFloor, type Tool } from "../tools.ts";

const HELLO_WORLD = new URL("../../fixtures/seeds/hello-world/", import.meta.url).pathname;
const ORIGINALS_HELLO_WORLD = new URL("../hello_world/", import.meta.url).pathname;

export const startup: Section = { name: "startup", run };

async function run(context: Context): Promise<void> {
  const { original, isQuick } = context;
  const workspace = `${HELLO_WORLD}workspace`;
  const ourJob: Job = { testsDir: `${HELLO_WORLD}tests`, workspace, expected: 1 };
  const ours = (watchMemory = false) => grade(REWARD_KIT, ourJob, { watchMemory });
  const floor = (watchMemory = false) => runFloor("cli.ts", [], { watchMemory });

  // The first runs fill the caches.
  await floor();
  await ours();
  const [floorSec, ourSec] = await pairs(isQuick ? 7 : 21, floor, ours);
  const originalRuns = original && await measureOriginal(original, workspace, ours, isQuick);
  context.report({
    name: "hello-world, wall time",
    unit: "ms",
    rewardKit: 1000 * median(ourSec),
    floor: 1000 * median(floorSec),
    original: originalRuns && 1000 * median(originalRuns.seconds),
  });
  context.report({
    name: "Reward Kit ÷ floor, median of pairs",
    unit: "×",
    rewardKit: median(ourSec.map((seconds, i) => seconds / floorSec[i]!)),
    target: { is: "at most", value: 2 },
  });
  context.report({
    name: "original ÷ Reward Kit, median of pairs",
    unit: "×",
    rewardKit: originalRuns && median(originalRuns.ratios),
    target: { is: "at least", value: 27 },
  });

  const strangers = { ...ourJob, flags: ["--untrusted"] };
  const untrusted: number[] = [];
  for (let i = 0; i < (isQuick ? 2 : 7); i++) {
    untrusted.push((await grade(REWARD_KIT, strangers)).seconds);
  }
  context.report({
    name: "hello-world with --untrusted, wall time",
    unit: "ms",
    rewardKit: 1000 * median(untrusted),
  });

  const watched = { ours: [] as ProgramRun[], floor: [] as ProgramRun[] };
  for (let i = 0; i < (isQuick ? 2 : 5); i++) {
    watched.ours.push(await ours(true));
    watched.floor.push(await floor(true));
  }
  for (const [key, name] of MEMORY) {
    context.report({
      name,
      unit: "MiB",
      rewardKit: median(watched.ours.map((run) => run.memory![key])),
      floor: median(watched.floor.map((run) => run.memory![key])),
      original: originalRuns && originalRuns.watched.memory![key],
      target: { is: "at most", value: 110 },
    });
  }
}

const MEMORY = [
  ["tree", "peak memory, all processes"],
  ["largest", "peak memory, largest process"],
] as const;

interface OriginalRuns {
  seconds: number[];
  /** Of its time to ours. */
  ratios: number[];
  watched: ProgramRun;
}

async function measureOriginal(
  original: Tool,
  workspace: string,
  ours: () => Promise<ProgramRun>,
  isQuick: boolean,
): Promise<OriginalRuns> {
  const job: Job = { testsDir: ORIGINALS_HELLO_WORLD, workspace, expected: 1 };
  const theirs = (watchMemory = false) => grade(original, job, { watchMemory });
  // Watching costs such a long run nothing that shows; this one fills the caches.
  const watched = await theirs(true);
  const [seconds, ourSec] = await pairs(isQuick ? 1 : 5, theirs, ours);
  return { seconds, ratios: seconds.map((value, i) => value / ourSec[i]!), watched };
}

/** Seconds of two programs that run in turns. */
async function pairs(
  count: number,
  a: () => Promise<ProgramRun>,
  b: () => Promise<ProgramRun>,
): Promise<[a: number[], b: number[]]> {
  const seconds: [number[], number[]] = [[], []];
  for (let i = 0; i < count; i++) {
    seconds[0].push((await a()).seconds);
    seconds[1].push((await b()).seconds);
  }
  return seconds;
}
