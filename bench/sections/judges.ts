// What 200 criteria cost that a model judges one by one.

import type { Context, Section } from "../section.ts";
import { median } from "../statistics.ts";
import { grade, type Job, REWARD_KIT, runFloor, type Tool } from "../tools.ts";

export const judges: Section = { name: "judges", run };

const CRITERIA = 200;
const AT_ONCE = 8;
/** Seconds that the stand-in takes for an answer. */
const ANSWER_SEC = 0.05;

async function run({ folder, original, isQuick, report }: Context): Promise<void> {
  const workspace = `${folder}/workspace`;
  const testsDir = `${folder}/tests`;
  for (const path of [workspace, testsDir]) await Deno.mkdir(path);
  await Deno.writeTextFile(`${workspace}/report.md`, "# Report\n\nEverything was done.\n");
  await Deno.writeTextFile(`${testsDir}/quality.toml`, judgeToml(`${workspace}/report.md`));
  const script = `${folder}/script.json`;
  await Deno.writeTextFile(
    script,
    JSON.stringify([{ text: ANSWER, delay: ANSWER_SEC, repeat: true }]),
  );

  const server = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      new URL("../../tests/model_server.ts", import.meta.url).pathname,
      `--script=${script}`,
    ],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  try {
    const url = await firstLine(server.stdout);
    const job: Job = {
      testsDir,
      workspace,
      expected: 1,
      flags: ["--max-concurrent-llm", `${AT_ONCE}`],
    };
    const env = {
      OPENAI_API_KEY: "bench",
      OPENAI_BASE_URL: `${url}/v1`,
      // Else the original asks the network for its tables.
      LITELLM_LOCAL_MODEL_COST_MAP: "True",
    };
    const seconds = async (tool: Tool) => (await grade(tool, job, { env })).seconds;
    const floor = async () => {
      const args = [`${url}/v1/chat/completions`, `${CRITERIA}`, `${AT_ONCE}`];
      return (await runFloor("calls.ts", args)).seconds;
    };
    await seconds(REWARD_KIT);
    const ours: number[] = [];
    const floors: number[] = [];
    const originals: number[] = [];
    for (let round = 0; round < (isQuick ? 2 : 7); round++) {
      floors.push(await floor());
      ours.push(await seconds(REWARD_KIT));
      if (original !== null && round < 3) originals.push(await seconds(original));
    }
    report({
      name: `${CRITERIA} criteria of a judge, one by one, ${AT_ONCE} at a time`,
      unit: "s",
      rewardKit: median(ours),
      floor: median(floors),
      original: original && median(originals),
      target: { is: "at most", value: 1.5 },
    });
    report({
      name: "Reward Kit ÷ plain requests, median of pairs",
      unit: "×",
      rewardKit: median(ours.map((own, round) => own / floors[round]!)),
      target: { is: "at most", value: 1.2 },
    });
  } finally {
    server.kill("SIGKILL");
    await server.status;
  }
}

const ANSWER = '{"reasoning": "The report says so.", "score": "yes"}';

function judgeToml(file: string): string {
  const criteria = Array.from(
    { length: CRITERIA },
    (_, i) => `[[criterion]]\nname = "c${i}"\ndescription = "Does the report meet point ${i}?"\n`,
  );
  return [
    `[judge]\njudge = "openai/gpt-5.6-sol"\nmode = "individual"\nfiles = ["${file}"]\n`,
    ...criteria,
  ].join("\n");
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of stream) {
    text += new TextDecoder().decode(chunk);
    if (text.includes("\n")) break;
  }
  return text.slice(0, text.indexOf("\n"));
}
