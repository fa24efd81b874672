// What the largest inputs cost that ought to work.

import { BenchError, type ProgramRun, runProgram } from "../program.ts";
import type { Context, Section } from "../section.ts";
import { call, type Suite, writeSuite } from "../suite.ts";
import { grade, REWARD_KIT, type Tool } from "../tools.ts";
import { suiteOfCriteria, writeSmallFiles } from "./criteria.ts";
import { suiteOfFiles, writeWorkspace } from "./files.ts";

/** Most that any of them may take, all processes together. */
const MAX_MIB = 1024;

const TIMEOUT_SEC = 300;
const MAKER = new URL("../make_large_files.py", import.meta.url).pathname;

/** A large input, and what is asked about it. */
interface Case {
  /** As `--only` spells it. */
  name: string;
  title: string;
  suite: Suite;
  expected: number;
  tolerance?: number;
  /** Writes the input; gets what makes workbooks and pictures. */
  write(workspace: string, python: string): Promise<void>;
  needsPython?: boolean;
}

const MB = 1e6;
const CSV_RECORDS = 2_000_000;
const OUTPUT_BYTES = 16 * 1024 * 1024;

const CASES: readonly Case[] = [
  {
    name: "text-contains",
    title: "200 MB of ASCII text, fileContains at its end",
    suite: [[call("file_contains", "large.txt", "the very end")]],
    expected: 1,
    write: (workspace) => writeText(`${workspace}/large.txt`, "the quick brown fox jumps"),
  },
  {
    name: "text-matches",
    title: "200 MB of ASCII text, fileMatches",
    suite: [[call("file_matches", "large.txt", "something else")]],
    expected: 0,
    write: (workspace) => writeText(`${workspace}/large.txt`, "the quick brown fox jumps"),
  },
  {
    name: "text-unicode",
    // A character outside Latin-1 makes all of a JavaScript string two bytes wide.
    title: "200 MB of text beyond Latin-1, fileContains at its end",
    suite: [[call("file_contains", "large.txt", "the very end")]],
    expected: 1,
    write: (workspace) => writeText(`${workspace}/large.txt`, "the quick brown → fox jumps"),
  },
  {
    name: "csv",
    title: "100 MB of CSV, its last cell",
    suite: [[
      call("csv_cell_equals", "large.csv", CSV_RECORDS - 1, "remark", remark(CSV_RECORDS)),
    ]],
    expected: 1,
    write: writeCsv,
  },
  {
    name: "workbook",
    title: "workbook of 200,000 cells, its last cell",
    suite: [[call("xlsx_cell_equals", "workbook.xlsx", "J20000", 200_000)]],
    expected: 1,
    write: makeWithPython,
    needsPython: true,
  },
  {
    name: "png",
    title: "pair of PNGs of 4,000 × 4,000, imageSimilarity",
    suite: [[call("image_similarity", "first.png", "second.png")]],
    expected: 15 / 16,
    tolerance: 1e-4,
    write: makeWithPython,
    needsPython: true,
  },
  {
    name: "jpeg",
    title: "pair of JPEGs of 4,000 × 4,000, imageSimilarity",
    suite: [[call("image_similarity", "first.jpg", "second.jpg")]],
    expected: 15 / 16,
    // Blocks at the edge of what differs differ as well, and decoders round in their own ways.
    tolerance: 0.01,
    write: makeWithPython,
    needsPython: true,
  },
  {
    name: "output",
    title: "16 MiB of a command's output, commandOutputContains at its end",
    suite: [[call(
      "command_output_contains",
      `head -c ${OUTPUT_BYTES - 4} /dev/zero | tr '\\0' a; echo end`,
      "end",
    )]],
    expected: 1,
    write: () => Promise.resolve(),
  },
  {
    name: "many-criteria",
    title: "5,000 criteria in one check file",
    suite: suiteOfCriteria(5000),
    expected: 1,
    write: (workspace) => writeSmallFiles(workspace, 5000),
  },
  {
    name: "many-files",
    title: "400 check files of ten built-ins each",
    suite: suiteOfFiles(400),
    expected: 1,
    write: writeWorkspace,
  },
];

/** A section for each large input. */
export const large: readonly Section[] = CASES.map((item) => ({
  name: item.name,
  run: (context) => measure(item, context),
}));

async function measure(item: Case, context: Context): Promise<void> {
  const { folder, original, report, warn } = context;
  if (item.needsPython && original === null) {
    return warn(`"${item.title}" was not measured: making it takes bench/setup_original.sh`);
  }
  const workspace = `${folder}/workspace`;
  await Deno.mkdir(workspace);
  await item.write(workspace, original?.argv[0] ?? "");
  const ours = await gradeOnce(REWARD_KIT, item, folder);
  const theirs = original && await gradeOriginal(original, item, context);
  report({
    name: `${item.title}: time`,
    unit: "s",
    rewardKit: ours.seconds,
    original: theirs && theirs.seconds,
  });
  report({
    name: "  peak memory, all processes",
    unit: "MiB",
    rewardKit: ours.memory!.tree,
    original: theirs && theirs.memory!.tree,
    target: { is: "at most", value: MAX_MIB },
  });
  report({
    name: "  peak memory, largest process",
    unit: "MiB",
    rewardKit: ours.memory!.largest,
    original: theirs && theirs.memory!.largest,
    target: { is: "at most", value: MAX_MIB },
  });
}

async function gradeOnce(tool: Tool, item: Case, folder: string): Promise<ProgramRun> {
  const testsDir = `${folder}/tests_${tool.language.extension}`;
  await writeSuite(testsDir, item.suite, tool.language);
  const job = { ...item, testsDir, workspace: `${folder}/workspace` };
  return grade(tool, job, { timeoutSec: TIMEOUT_SEC, watchMemory: true });
}

/** What is large for the original is no failure of ours. */
async function gradeOriginal(
  original: Tool,
  item: Case,
  { folder, warn }: Context,
): Promise<ProgramRun | null> {
  try {
    return await gradeOnce(original, item, folder);
  } catch (error) {
    if (!(error instanceof BenchError)) throw error;
    warn(`"${item.title}" does not work in the original: ${error.message}`);
    return null;
  }
}

async function writeText(path: string, words: string): Promise<void> {
  const line = new TextEncoder().encode(`${words}\n`);
  const end = new TextEncoder().encode("the very end\n");
  const count = Math.floor((200 * MB - end.length) / line.length);
  await writeRepeated(path, count, () => line, end);
}

async function writeCsv(workspace: string): Promise<void> {
  const encoder = new TextEncoder();
  await writeRepeated(
    `${workspace}/large.csv`,
    CSV_RECORDS + 1,
    (i) => encoder.encode(i === 0 ? "number,name,remark\n" : csvRecord(i)),
    new Uint8Array(),
  );
}

/** 50 bytes, or nearly so. */
function csvRecord(number: number): string {
  return `${number},"Lovelace, Ada",${remark(number)}\n`;
}

function remark(number: number): string {
  return `remark ${number}`.padEnd(25, ".");
}

/** Writes in pieces of about 1 MB. */
async function writeRepeated(
  path: string,
  count: number,
  part: (index: number) => Uint8Array,
  end: Uint8Array,
): Promise<void> {
  using file = await Deno.open(path, { write: true, create: true });
  const buffer = new Uint8Array(MB);
  let length = 0;
  const flush = async () => {
    for (let from = 0; from < length;) from += await file.write(buffer.subarray(from, length));
    length = 0;
  };
  for (let i = 0; i <= count; i++) {
    const bytes = i < count ? part(i) : end;
    if (length + bytes.length > buffer.length) await flush();
    buffer.set(bytes, length);
    length += bytes.length;
  }
  await flush();
}

async function makeWithPython(workspace: string, python: string): Promise<void> {
  const { code, printed } = await runProgram([python, MAKER, workspace]);
  if (code !== 0) throw new BenchError(`${MAKER} ended with code ${code}:\n${printed}`);
}
