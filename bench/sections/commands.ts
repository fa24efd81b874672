// What a criterion on a command costs, over the command itself.

import { type Context, type Section, sweep } from "../section.ts";
import { slope } from "../statistics.ts";
import { type Suite, writeSuite } from "../suite.ts";
import { grade, type Job, REWARD_KIT, runFloor, type Tool } from "../tools.ts";

export const commands: Section = { name: "commands", run };

async function run(context: Context): Promise<void> {
  await measure(context, { name: "command", isIsolated: false, atMost: 5 });
  await measure(context, { name: "isolated command", isIsolated: true, atMost: 40 });
}

interface Kind {
  name: string;
  isIsolated: boolean;
  /** Milliseconds over the command itself. */
  atMost: number;
}

async function measure(
  { folder, original, isQuick, report }: Context,
  { name, isIsolated, atMost }: Kind,
): Promise<void> {
  const sizes = isQuick ? [1, 21] : [1, 51];
  // Its start takes seconds, and varies by more than fifty commands take.
  const originalSizes = isQuick ? [1, 101] : [1, 251];
  const workspace = `${folder}/workspace`;
  await Deno.mkdir(workspace, { recursive: true });
  await Deno.writeTextFile(`${workspace}/answer.txt`, "Hello, world!\n");
  const testsDir = (size: number, { language }: Tool) =>
    `${folder}/${isIsolated ? "isolated" : "shared"}_${size}_${language.extension}`;
  const prepare = (tool: Tool, size: number) =>
    writeSuite(testsDir(size, tool), suiteOfCommands(size, isIsolated), tool.language);
  const gradeWith = async (tool: Tool, size: number) => {
    const job: Job = {
      testsDir: testsDir(size, tool),
      workspace,
      // One at a time, so that the growth is what one costs.
      flags: ["--max-concurrent-programmatic", "1"],
      expected: 1,
    };
    return (await grade(tool, job)).seconds;
  };
  for (const size of sizes) {
    await prepare(REWARD_KIT, size);
    await gradeWith(REWARD_KIT, size);
  }
  const seconds = await sweep(sizes, {
    bare: {
      rounds: isQuick ? 2 : 5,
      run: async (size) => (await runFloor("commands.ts", [`${size}`])).seconds,
    },
    ours: { rounds: isQuick ? 2 : 5, run: (size) => gradeWith(REWARD_KIT, size) },
  });
  const originals = original && await sweep(originalSizes, {
    seconds: {
      rounds: 1,
      run: async (size) => {
        await prepare(original, size);
        return gradeWith(original, size);
      },
    },
  });
  const bareMs = 1000 * slope(seconds.bare!);
  report({
    name: `per ${name}, over the command itself`,
    unit: "ms",
    rewardKit: 1000 * slope(seconds.ours!) - bareMs,
    floor: bareMs,
    original: originals && 1000 * slope(originals.seconds!) - bareMs,
    target: { is: "at most", value: atMost },
  });
}

function suiteOfCommands(count: number, isIsolated: boolean): Suite {
  const command = { criterion: "command_succeeds", args: ["true"], isIsolated };
  return [Array.from({ length: count }, () => command)];
}
