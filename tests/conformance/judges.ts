// Runs the recorded judges through the command line, against a stand-in for their models.

import { type Reply, type SeenRequest, startModelServer } from "../model_server.ts";
import { filled, readPlacedJson, type RecordedFile, writeFiles } from "./places.ts";

/** A recorded judge. Places in braces stand for folders of the run. */
export interface JudgeCase {
  id: string;
  /** The judge; absent where the tests folder has others only. */
  toml?: string;
  more_tomls?: Record<string, string>;
  reward_toml?: string;
  tests_files?: Record<string, string>;
  files: Record<string, RecordedFile>;
  env: Record<string, string>;
  /** Where the command line is called. */
  cwd?: string;
  script: Reply[];
  // deno-lint-ignore no-explicit-any -- as it was recorded
  expected: any;
}

/** What came of a judge here. */
export interface JudgeOutcome {
  code: number;
  reward: Record<string, number> | null;
  // deno-lint-ignore no-explicit-any -- any part of reward-details.json
  details: Record<string, any> | null;
  stderr: string;
  requests: readonly SeenRequest[];
}

const FILE = new URL("../../fixtures/conformance/judges.jsonl", import.meta.url);

/** Every recorded judge. */
export const judgeCases: readonly JudgeCase[] = Deno.readTextFileSync(FILE).trimEnd().split("\n")
  .map((line) => JSON.parse(line));

const CLI = new URL("../../cli.ts", import.meta.url).pathname;

/** What a run needs of the caller's environment, which may name models and keys of its own. */
const KEPT = ["PATH", "HOME", "DENO_DIR", "XDG_CACHE_HOME"];

/** Grades one. */
export async function gradeJudge(one: JudgeCase): Promise<JudgeOutcome> {
  const root = Deno.realPathSync(await Deno.makeTempDir({ prefix: "rewardkit-judge-" }));
  try {
    await using server = startModelServer(one.script);
    const places = { WS: `${root}/ws`, TESTS: `${root}/tests`, ROOT: root, STUB: server.url };
    const shown = { WS: places.WS, TESTS: places.TESTS };
    await writeFiles(places.TESTS, {
      ...(one.toml !== undefined && { "quality.toml": one.toml }),
      ...one.more_tomls,
      ...one.tests_files,
      ...(one.reward_toml !== undefined && { "reward.toml": one.reward_toml }),
    }, places);
    await writeFiles(places.WS, one.files, places);
    const cwd = filled(one.cwd ?? "{WS}", places);
    await Deno.mkdir(cwd, { recursive: true });
    const output = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "-A", "--quiet", CLI, places.TESTS, "--workspace", places.WS],
        ...["--output", `${root}/out/reward.json`, "--pass-mark", "1"],
      ],
      cwd,
      clearEnv: true,
      env: {
        ...Object.fromEntries(KEPT.map((name) => [name, Deno.env.get(name) ?? ""])),
        NO_COLOR: "1",
        ...Object.fromEntries(
          Object.entries(one.env).map(([name, value]) => [name, filled(value, places)]),
        ),
      },
      stdin: "null",
    }).output();
    return {
      code: output.code,
      reward: readPlacedJson(`${root}/out/reward.json`, shown),
      details: readPlacedJson(`${root}/out/reward-details.json`, shown),
      stderr: new TextDecoder().decode(output.stderr),
      requests: server.requests.filter(({ path }) => /messages|completions|responses/.test(path)),
    };
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}
