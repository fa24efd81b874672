// The examples of the product's documentation, graded by the real command line. Each folder of
// fixtures/seeds holds tests, a workspace, and what the two files of a run must hold.
//
// After a change that is meant to show in the files: UPDATE_EXPECTED=1 deno test -A tests/seeds_test.ts

import assert from "node:assert/strict";
import { discover, run, runMany } from "../mod.ts";
import { type CliRun, rewardkit } from "./cli.ts";
import { startRoutes } from "./route_server.ts";

const ROOT = new URL("../", import.meta.url).pathname;
const SEEDS = `${ROOT}fixtures/seeds`;

/** What stands in expected files for folders of this machine. */
const PLACES: [place: string, shown: string][] = [[SEEDS, "/seeds"]];

/** A view of the workspace that isolation by copying makes. */
const VIEW_REGEXP = /\S*\/rewardkit-[0-9a-f]+\/views\/[0-9a-f-]+/g;

/** By folder: the scores as worked out by hand, and a part of each warning that is printed. */
const EXAMPLES: Record<string, { reward: Record<string, number>; warnings?: RegExp[] }> = {
  "hello-world": { reward: { reward: 1 } },
  // 5 lines are there (weight 2), 10 are not (weight 1).
  lines: { reward: { reward: 0.6667 } },
  "first-checks": { reward: { reward: 1 } },
  "valid-output": { reward: { reward: 1 } },
  "valid-output-missing": {
    reward: { reward: 0 },
    warnings: [/tests\/output\.ts: has_valid_output: "output\.txt" does not exist$/],
  },
  // 10 lines are there (weight 2), 50 are not (weight 1).
  "n-lines": { reward: { reward: 0.6667 } },
  "scored-result": { reward: { reward: 1 } },
  weights: { reward: { reward: 0.75 } },
  // 80 of 100 words score 0.8; (3 · 0.8 + 0) / 4.
  "shared-criterion": { reward: { correctness: 0.6, style: 0.8, reward: 0.7 } },
  // (2 · 1 + 2/3) / 3.
  "flat-layout": { reward: { reward: 0.8889 } },
  dimensions: {
    reward: { correctness: 0.75, quality: 0.6, structure: 1 },
    warnings: [/no score is called "reward"/],
  },
  "main-reward": { reward: { correctness: 0.75, quality: 0.6, structure: 1, reward: 0.775 } },
  "keep-dimensions": { reward: { correctness: 1, quality: 0.5, reward: 0.875 } },
  "dimension-weights": {
    reward: { correctness: 0.6667 },
    warnings: [/no score is called "reward"/],
  },
  // behavior is (1 + 0.5) / 2, whatever the weights inside it; (1 + 2 · 0.75) / 3.
  "nested-groups": {
    reward: { correctness: 0.8333 },
    warnings: [/the weights of its files' criteria add up differently/, /no score is called/],
  },
  aggregations: {
    reward: {
      all_pass: 0,
      any_pass: 1,
      groups: 1,
      // The text is only alike, but any score above 0 passes.
      required_pass: 1,
      // 3 / 5 reaches 0.6; 2 / 5 does not reach the default, 0.5.
      threshold: 1,
      threshold_default: 0,
      weighted_mean: 0.25,
      // 2 · 1 − 0.5 · 1, above 1 and kept.
      weighted_sum: 1.5,
      // 3 / 4 reaches 0.75.
      reward: 1,
    },
  },
  isolation: { reward: { reward: 1 } },
};

for (const [name, { reward, warnings = [] }] of Object.entries(EXAMPLES)) {
  Deno.test(`example ${name} scores ${JSON.stringify(reward)}`, async () => {
    await using graded = await grade([`${SEEDS}/${name}/tests`], `${SEEDS}/${name}/workspace`);
    assert.deepEqual(graded.reward, reward);
    assert.equal(
      graded.stdout,
      Object.entries(reward).map(([key, score]) => `${key}: ${score}\n`).join(""),
    );
    const printed = graded.stderr.split("\n").filter((line) => line !== "");
    assert.equal(printed.length, warnings.length, graded.stderr);
    for (const [index, warning] of warnings.entries()) {
      assert.match(printed[index]!.replace(/^warning: /, ""), warning);
    }
    await compare(name, graded);
  });
}

Deno.test("every folder of examples is tested", () => {
  const folders = Array.from(Deno.readDirSync(SEEDS), (entry) => entry.name);
  const tested = [...Object.keys(EXAMPLES), "all-builtins", "comparison"];
  assert.deepEqual(folders.sort(), tested.sort());
});

Deno.test("hello-world scores 0 without the file, for other text and without the final newline", async () => {
  const workspaces: Record<string, string | null> = {
    "no file": null,
    "other text": "Goodbye, world!\n",
    "no final newline": "Hello, world!",
  };
  for (const [what, answer] of Object.entries(workspaces)) {
    const workspace = await Deno.makeTempDir();
    if (answer !== null) await Deno.writeTextFile(`${workspace}/answer.txt`, answer);
    const scores = await run(`${SEEDS}/hello-world/tests`, { workspace, output: null });
    assert.deepEqual(scores, { reward: 0 }, what);
    await Deno.remove(workspace, { recursive: true });
  }
});

Deno.test("example comparison gives each folder's scores and a table of the common ones", async () => {
  const dirs = [`${SEEDS}/comparison/tests/v1`, `${SEEDS}/comparison/tests/v2`];
  await using graded = await grade(dirs, `${SEEDS}/comparison/workspace`);
  assert.deepEqual(graded.reward, {
    "v1/correctness": 1,
    "v1/style": 1,
    "v1/reward": 1,
    "v2/correctness": 0.5,
    "v2/reward": 0.5,
  });
  const rows = graded.stdout.split("\n").filter((line) => line.startsWith("│"))
    .map((line) => line.split("│").slice(1, -1).map((cell) => cell.trim()));
  assert.deepEqual(rows, [
    ["reward", "v1", "v2", "difference"],
    ["correctness", "1", "0.5", "+0.5"],
    ["reward", "1", "0.5", "+0.5"],
  ]);
  await compare("comparison", graded);

  const scores = await runMany(dirs, {
    workspace: `${SEEDS}/comparison/workspace`,
    output: null,
  });
  assert.deepEqual(scores, {
    v1: { correctness: 1, style: 1, reward: 1 },
    v2: { correctness: 0.5, reward: 0.5 },
  });
});

Deno.test("example all-builtins grades with all 23 criteria, default and optional arguments", async () => {
  const server = startRoutes([
    { method: "GET", path: "/", body: "<h1>Welcome</h1>" },
    { method: "GET", path: "/health", body: "ok" },
    { method: "GET", path: "/moved", status: 301, headers: { Location: "/" } },
  ]);
  const tests = await Deno.realPath(await Deno.makeTempDir());
  try {
    await copyFolder(`${SEEDS}/all-builtins/tests`, tests);
    await Deno.writeTextFile(`${tests}/server.json`, JSON.stringify({ base: server.url }));
    await using graded = await grade([tests], `${SEEDS}/all-builtins/workspace`);
    // The mean of 3.75/7, 8/9, 1, 11.5/13.5, 2.75/3.5 and 4/5.
    assert.deepEqual(graded.reward, { reward: 0.8104 });
    const names = new Set(
      [...(await sources(tests)).matchAll(/\brk\.(\w+)\(/g)].map(([, name]) => name),
    );
    assert.equal(names.size, 23);
    await compare("all-builtins", graded, [[tests, `${SEEDS}/all-builtins/tests`], [
      server.url,
      "http://127.0.0.1:8000",
    ]]);
  } finally {
    server.close();
    await Deno.remove(tests, { recursive: true });
  }
});

Deno.test("run() returns what reward.json holds", async () => {
  const scores = await run(`${SEEDS}/main-reward/tests`, {
    workspace: `${SEEDS}/main-reward/workspace`,
    output: null,
  });
  assert.deepEqual(scores, { correctness: 0.75, quality: 0.6, structure: 1, reward: 0.775 });
});

Deno.test("discover() lists rewards, criteria and permissions and runs nothing", async () => {
  const workspace = await Deno.realPath(`${SEEDS}/hello-world/workspace`);
  const tests = await Deno.realPath(`${SEEDS}/hello-world/tests`);
  const [reward, ...others] = await discover(tests, { workspace });
  assert.deepEqual(others, []);
  assert.equal(reward!.kind, "programmatic");
  assert.equal(reward!.aggregation, "all-pass");
  assert.deepEqual(reward!.criteria.map(({ name, weight }) => [name, weight]), [
    ["file_exists:answer.txt", 1],
    ["exactAnswer", 1],
  ]);
  assert.deepEqual(reward!.permissions, {
    read: [`${workspace}/answer.txt`, workspace, tests],
  });

  const rewards = await discover(`${SEEDS}/isolation/tests`, {
    workspace: `${SEEDS}/isolation/workspace`,
  });
  assert.deepEqual(rewards.flatMap(({ criteria }) => criteria.map(({ name }) => name)), [
    "command_succeeds:sh main.sh",
    "clean start",
    "buildsOnce",
    "workspace is as it was",
  ]);
  assert.deepEqual(
    Array.from(Deno.readDirSync(`${SEEDS}/isolation/workspace`), ({ name }) => name),
    [
      "main.sh",
    ],
  );
});

async function grade(testsDirs: string[], workspace: string): Promise<CliRun> {
  const graded = await rewardkit([...testsDirs, "--workspace", workspace]);
  assert.equal(graded.code, 0, graded.stderr);
  return graded;
}

/** Compares both files with the folder `expected`: all of them but times and places. */
async function compare(
  name: string,
  { output }: CliRun,
  places: [place: string, shown: string][] = [],
): Promise<void> {
  const mask = (key: string, value: unknown): unknown => {
    if (key === "duration_sec") return 0;
    if (key === "isolation") return "any";
    // Which of the two Workers starts first is chance.
    if (key === "permissions") return Object.fromEntries(Object.entries(value as object).sort());
    if (typeof value !== "string") return value;
    return [...places, ...PLACES].reduce(
      (text, [place, shown]) => text.replaceAll(place, shown),
      value.replace(VIEW_REGEXP, `${SEEDS}/${name}/workspace`),
    );
  };
  for (const [file, expectedFile] of [["reward", "reward"], ["reward-details", "details"]]) {
    const content = await Deno.readTextFile(`${output}/${file}.json`);
    assert.equal(content, `${JSON.stringify(JSON.parse(content), null, 2)}\n`);
    const masked = `${JSON.stringify(JSON.parse(content, mask), null, 2)}\n`;
    const expected = `${SEEDS}/${name}/expected/${expectedFile}.json`;
    if (Deno.env.get("UPDATE_EXPECTED") === "1") {
      await Deno.mkdir(`${SEEDS}/${name}/expected`, { recursive: true });
      await Deno.writeTextFile(expected, masked);
    }
    assert.equal(masked, await Deno.readTextFile(expected));
  }
}

async function sources(folder: string): Promise<string> {
  const files = Array.from(Deno.readDirSync(folder), ({ name }) => name)
    .filter((name) => name.endsWith(".ts"));
  const texts = files.map((name) => Deno.readTextFile(`${folder}/${name}`));
  return (await Promise.all(texts)).join("\n");
}

async function copyFolder(from: string, to: string): Promise<void> {
  for await (const { name } of Deno.readDir(from)) {
    await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
  }
}
