// What a further check file costs.

import { type Context, type Section, sweep } from "../section.ts";
import { median, type Point, slope } from "../statistics.ts";
import { call, type Suite, writeSuite } from "../suite.ts";
import { grade, type Job, REWARD_KIT, type Tool } from "../tools.ts";

export const files: Section = { name: "files", run };

/** Where the tools are compared with each other. */
const COMPARED = [100, 250];

async function run(context: Context): Promise<void> {
  const { folder, original, isQuick } = context;
  const sizes = isQuick ? [1, 25, 100] : [1, 25, 100, 250, 400];
  await writeWorkspace(`${folder}/workspace`);
  const tools = original === null ? [REWARD_KIT] : [REWARD_KIT, original];
  for (const size of sizes) {
    for (const { language } of tools) {
      await writeSuite(testsDir(folder, language.extension, size), suiteOfFiles(size), language);
    }
  }
  const gradeWith = (tool: Tool, size: number, watchMemory = false) => {
    const job: Job = {
      testsDir: testsDir(folder, tool.language.extension, size),
      workspace: `${folder}/workspace`,
      expected: 1,
    };
    return grade(tool, job, { watchMemory });
  };

  // Deno compiles a check file when it first sees it. Where each file counts, as in a container that
  // grades once, this is what it costs; it is the worst case of memory, too.
  const firstSec: Point[] = [];
  const peaks = { ours: [] as Point[], original: [] as Point[] };
  for (const size of sizes) {
    const { seconds, memory } = await gradeWith(REWARD_KIT, size, true);
    firstSec.push({ x: size, y: seconds });
    peaks.ours.push({ x: size, y: memory!.tree });
  }
  const seconds = await sweep(sizes, {
    ours: { rounds: 2, run: async (size) => (await gradeWith(REWARD_KIT, size)).seconds },
    original: original && {
      rounds: 1,
      // Watching costs such long runs nothing that shows.
      run: async (size) => {
        const { seconds, memory } = await gradeWith(original, size, true);
        peaks.original.push({ x: size, y: memory!.tree });
        return seconds;
      },
    },
  });

  const per = "per check file of ten built-ins";
  context.report({
    name: `${per}, time`,
    unit: "ms",
    rewardKit: 1000 * slope(seconds.ours!),
    original: seconds.original && 1000 * slope(seconds.original),
    target: { is: "at most", value: 20 },
  });
  context.report({
    name: `${per}, time when first seen`,
    unit: "ms",
    rewardKit: 1000 * slope(firstSec),
  });
  // Ours stops growing where the limit of open files is reached, so that the first ones tell more.
  const first = (points: Point[]) => points.filter(({ x }) => x <= 25);
  context.report({
    name: `${per}, peak memory, 1 to 25 files`,
    unit: "MiB",
    rewardKit: slope(first(peaks.ours)),
    original: original && slope(first(peaks.original)),
    target: { is: "at most", value: 10 },
  });
  context.report({
    name: `${per}, peak memory, all sizes`,
    unit: "MiB",
    rewardKit: slope(peaks.ours),
    original: original && slope(peaks.original),
    target: { is: "at most", value: 10 },
  });
  for (const size of sizes) reportSize(context, size, seconds.ours!, seconds.original);
}

function reportSize(
  context: Context,
  size: number,
  ours: Point[],
  original: Point[] | null,
): void {
  const rewardKit = medianAt(ours, size);
  const theirs = original && medianAt(original, size);
  const name = size === 1 ? "1 file" : `${size} files`;
  context.report({ name: `${name}, wall time`, unit: "s", rewardKit, original: theirs });
  if (!COMPARED.includes(size)) return;
  context.report({
    name: `${name}, original ÷ Reward Kit`,
    unit: "×",
    rewardKit: theirs && theirs / rewardKit,
    target: { is: "at least", value: 1 },
  });
}

function medianAt(points: readonly Point[], size: number): number {
  return median(points.filter(({ x }) => x === size).map(({ y }) => y));
}

function testsDir(folder: string, extension: string, size: number): string {
  return `${folder}/tests_${size}_${extension}`;
}

/** Check files with ten different built-ins each, all of which score 1 in {@link writeWorkspace}. */
export function suiteOfFiles(count: number): Suite {
  const calls = [
    call("file_exists", "notes.txt"),
    call("file_not_exists", "secret.txt"),
    call("file_contains", "notes.txt", "line 20"),
    call("file_contains_regex", "notes.txt", "line \\d+$"),
    call("file_matches", "answer.txt", "Hello, world!"),
    call("files_equal", "notes.txt", "notes-copy.txt"),
    call("diff_ratio", "answer.txt", "Hello, world!"),
    call("json_key_equals", "result.json", "count", 3),
    call("json_path_equals", "result.json", "items.1.name", "two"),
    call("csv_cell_equals", "table.csv", 1, "name", "Grace"),
  ];
  return Array.from({ length: count }, () => calls);
}

/** What {@link suiteOfFiles} grades. */
export async function writeWorkspace(folder: string): Promise<void> {
  const notes = Array.from({ length: 100 }, (_, i) => `line ${i}\n`).join("");
  const texts: Record<string, string> = {
    "notes.txt": notes,
    "notes-copy.txt": notes,
    "answer.txt": "Hello, world!\n",
    "result.json": JSON.stringify({ count: 3, items: [{ name: "one" }, { name: "two" }] }),
    "table.csv": "name,born\nAda,1815\nGrace,1906\n",
  };
  await Deno.mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(texts)) {
    await Deno.writeTextFile(`${folder}/${name}`, text);
  }
}
