// What a further built-in criterion in a check file costs.

import { type Context, type Section, sweep } from "../section.ts";
import { slope } from "../statistics.ts";
import { call, type Suite, writeSuite } from "../suite.ts";
import { grade, type Job, REWARD_KIT, type Tool } from "../tools.ts";

export const criteria: Section = { name: "criteria", run };

async function run({ folder, original, isQuick, report }: Context): Promise<void> {
  const sizes = isQuick ? [10, 1000] : [10, 1000, 5000];
  const workspace = `${folder}/workspace`;
  await writeSmallFiles(workspace, Math.max(...sizes));
  const tools = original === null ? [REWARD_KIT] : [REWARD_KIT, original];
  for (const size of sizes) {
    for (const { language } of tools) {
      const testsDir = `${folder}/tests_${size}_${language.extension}`;
      await writeSuite(testsDir, suiteOfCriteria(size), language);
    }
  }
  const gradeWith = async (tool: Tool, size: number) => {
    const testsDir = `${folder}/tests_${size}_${tool.language.extension}`;
    const job: Job = { testsDir, workspace, expected: 1 };
    return (await grade(tool, job)).seconds;
  };
  for (const size of sizes) await gradeWith(REWARD_KIT, size);
  const seconds = await sweep(sizes, {
    ours: { rounds: isQuick ? 2 : 5, run: (size) => gradeWith(REWARD_KIT, size) },
    original: original && { rounds: 1, run: (size) => gradeWith(original, size) },
  });
  report({
    name: "per check of a 1 kB file, in one check file",
    unit: "ms",
    rewardKit: 1000 * slope(seconds.ours!),
    original: seconds.original && 1000 * slope(seconds.original),
    target: { is: "at most", value: 0.2 },
  });
}

/** One check file that looks into as many files of {@link writeSmallFiles}. */
export function suiteOfCriteria(count: number): Suite {
  return [Array.from({ length: count }, (_, i) => call("file_contains", `files/${i}.txt`, "end"))];
}

/** Files of 1 kB each that end in "end". */
export async function writeSmallFiles(workspace: string, count: number): Promise<void> {
  await Deno.mkdir(`${workspace}/files`, { recursive: true });
  const text = "0123456 ".repeat(125).replace(/.{4}$/, "end\n");
  for (let i = 0; i < count; i++) await Deno.writeTextFile(`${workspace}/files/${i}.txt`, text);
}
