// Runs the recorded agent judges through the command line, with programs that stand in for agents.

import { ownCaches } from "../agent_run.ts";
import { FakeAgents, type FakeCall, type FakeReply } from "./fake_agent.ts";
import { filled, placed, readPlacedJson, type RecordedFile, writeFiles } from "./places.ts";

/** A recorded agent judge. Places in braces stand for folders of the run. */
export interface AgentCase {
  id: string;
  toml: string;
  more_tomls?: Record<string, string>;
  tests_files?: Record<string, string>;
  files: Record<string, RecordedFile>;
  env: Record<string, string>;
  /** Programs that there are. */
  tools: string[];
  fake: { replies: FakeReply[]; version?: Record<string, string> };
  run_kwargs?: { yolo?: boolean };
  // deno-lint-ignore no-explicit-any -- as it was recorded
  expected: any;
}

/** What came of an agent judge here. */
export interface AgentOutcome {
  code: number;
  reward: Record<string, number> | null;
  // deno-lint-ignore no-explicit-any -- any part of reward-details.json
  details: Record<string, any> | null;
  stderr: string;
  /** Every start of a program. */
  calls: readonly FakeCall[];
  /** Those that were to judge. */
  runs: readonly FakeCall[];
  /** In the workspace, at the end. */
  files: readonly string[];
  /** Of the logs. */
  logs: readonly string[];
}

const FILE = new URL("../../fixtures/conformance/agents.jsonl", import.meta.url);

/** Every recorded agent judge. */
export const agentCases: readonly AgentCase[] = Deno.readTextFileSync(FILE).trimEnd().split("\n")
  .map((line) => JSON.parse(line));

const CLI = new URL("../../cli.ts", import.meta.url).pathname;

/** Grades one. */
export async function gradeAgent(one: AgentCase): Promise<AgentOutcome> {
  const root = Deno.realPathSync(await Deno.makeTempDir({ prefix: "rewardkit-agent-" }));
  try {
    const fakes = new FakeAgents(`${root}/fake`, {
      tools: one.tools,
      replies: one.fake.replies,
      versions: one.fake.version ?? {},
    });
    const places = {
      BIN: fakes.bin,
      WS: `${root}/ws`,
      TESTS: `${root}/tests`,
      LOGS: `${root}/logs`,
      HOME: `${root}/home`,
      TMP: `${root}/tmp`,
      ROOT: root,
    };
    const { WS, TESTS, LOGS, HOME, TMP } = places;
    const tomls = { "quality.toml": one.toml, ...one.more_tomls };
    await writeFiles(TESTS, { ...tomls, ...one.tests_files }, places);
    await writeFiles(WS, one.files, places);
    for (const folder of [HOME, TMP]) await Deno.mkdir(folder);
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "-A", "--quiet", CLI, TESTS, "--workspace", WS, "--pass-mark", "1"],
        ...["--output", `${root}/out/reward.json`],
        // What would be installed comes from nowhere.
        ...["--judge-env", "NPM_CONFIG_REGISTRY=http://127.0.0.1:9/"],
        ...(one.run_kwargs?.yolo === true ? ["--yolo"] : []),
      ],
      cwd: WS,
      clearEnv: true,
      env: {
        ...ownCaches(),
        HOME,
        TMPDIR: TMP,
        NO_COLOR: "1",
        ...Object.fromEntries(
          Object.entries(one.env).map(([name, value]) => [name, filled(value, places)]),
        ),
      },
      stdin: "null",
    }).output();
    const left = [...Deno.readDirSync(TMP)].map(({ name }) => name);
    if (left.length > 0) throw new Error(`${one.id} leaves ${left} in the folder for these`);
    const shown = { WS, TESTS, LOGS };
    return {
      code,
      reward: readPlacedJson(`${root}/out/reward.json`, shown),
      details: readPlacedJson(`${root}/out/reward-details.json`, shown),
      stderr: new TextDecoder().decode(stderr),
      calls: fakes.calls,
      runs: fakes.runs.map((run) => ({
        ...run,
        args: run.args.map((argument) => placed(argument, places)),
        cwd: placed(run.cwd, places),
      })),
      files: filesIn(WS),
      logs: filesIn(LOGS),
    };
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

/** Paths of every file below a folder, sorted; none if it is not there. */
function filesIn(folder: string): string[] {
  const found: string[] = [];
  const visit = (path: string) => {
    for (const { name, isDirectory } of Deno.readDirSync(path)) {
      if (isDirectory) visit(`${path}/${name}`);
      else found.push(`${path}/${name}`.slice(folder.length + 1));
    }
  };
  try {
    visit(folder);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return found.sort();
}
