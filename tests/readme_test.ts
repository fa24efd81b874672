// What the README shows works as it stands there.

import assert from "node:assert/strict";
import * as checks from "../checks.ts";
import { BUILTIN_NAMES, functionNameOf } from "../src/criterion/builtin.ts";
import { schemaLine } from "../src/authoring/starter_files.ts";
import { SUBCOMMANDS } from "../src/cli/subcommands.ts";
import { PROVIDERS } from "../judges/providers/provider_table.ts";
import { folder, rewardkit } from "./cli.ts";
import { startModelServer } from "./model_server.ts";

const README = await Deno.readTextFile(new URL("../README.md", import.meta.url));

/** The code blocks of a language, without their fences. */
function blocks(language: string): string[] {
  return [...README.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, "gm"))]
    .map(([, code]) => code!);
}

Deno.test("the first check file and its reward.toml give 1 for the exact answer, else 0", async () => {
  const [checks] = blocks("ts");
  const [toml] = blocks("toml");
  await using tests = await folder({ "checks.ts": checks!, "reward.toml": toml! });
  for (const [answer, reward] of [["Hello, world!\n", 1], ["Hello, world!", 0]] as const) {
    await using workspace = await folder({ "answer.txt": answer });
    await using run = await rewardkit([tests.path, "--workspace", workspace.path]);
    assert.deepEqual(run.reward, { reward }, run.stderr);
  }
});

Deno.test("the criteria of one's own are graded as they stand there", async () => {
  const custom = blocks("ts").find((code) => code.includes("buildsCleanly"));
  await using tests = await folder({ "custom.ts": custom! });
  await using workspace = await folder({
    "report.md": "line\n".repeat(12),
    "output.txt": "line\n".repeat(20),
    "build.sh": "#!/bin/sh\necho built\n",
  });
  await Deno.chmod(`${workspace.path}/build.sh`, 0o755);
  await using run = await rewardkit([tests.path, "--workspace", workspace.path]);
  assert.equal(run.code, 0, run.stderr);
  const values = run.details!.reward.criteria.map(
    ({ name, value }: { name: string; value: number }) => [name, value],
  );
  assert.deepEqual(values, [
    ["hasReport", 1],
    ["hasLines:10", 1],
    ["long", 0],
    ["buildsCleanly", 1],
  ]);
});

Deno.test("the scoring tables are accepted, each beside what it names", async () => {
  const scoring = blocks("toml").find((toml) => toml.includes("threshold"))!;
  const check = `import * as rk from "@rewardkit/cli"; rk.fileExists("a.txt");`;
  await using tests = await folder({
    "reward.toml": scoring,
    "checks.ts": check,
    "correctness/c.ts": check,
    "quality/q.ts": check,
  });
  await using workspace = await folder({ "a.txt": "" });
  await using run = await rewardkit([tests.path, "--workspace", workspace.path]);
  assert.deepEqual(run.reward, { checks: 1, correctness: 1, quality: 1, reward: 1 }, run.stderr);
});

Deno.test("the API example runs", async () => {
  const example = blocks("ts").find((code) => code.includes("discover("))!;
  await using tests = await folder({
    "checks.ts": `import * as rk from "@rewardkit/cli"; rk.fileExists("a.txt");`,
  });
  await using workspace = await folder({ "a.txt": "" });
  const { code, stdout, stderr } = await runScript(example, {
    '"/tests"': JSON.stringify(tests.path),
    '"/app"': JSON.stringify(workspace.path),
  });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^1\n\[\]\nchecks 1 \{ read: \[ ".*a\.txt" \] \}\n$/);
});

Deno.test("the example of events runs", async () => {
  const example = blocks("ts").find((code) => code.includes("judgeProgress"))!;
  await using tests = await folder({
    "checks.ts": `import * as rk from "@rewardkit/cli"; rk.fileExists("a.txt");`,
  });
  await using workspace = await folder({ "a.txt": "" });
  const { code, stdout, stderr } = await runScript(example, {
    '"/tests", {': `${JSON.stringify(tests.path)}, { workspace: "${workspace.path}",`,
  });
  assert.equal(code, 0, stderr);
  assert.equal(stdout, "file_exists:a.txt 1\n");
});

/** Runs a script of the README, with the copy of Reward Kit that is tested. */
async function runScript(
  script: string,
  replaced: Record<string, string>,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const root = new URL("../", import.meta.url).pathname;
  const all = { ...replaced, '"@rewardkit/cli"': JSON.stringify(`${root}mod.ts`) };
  const text = Object.entries(all).reduce((text, [from, to]) => text.replaceAll(from, to), script);
  await using scripts = await folder({ "grade.ts": text });
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", `--config=${root}deno.json`, `${scripts.path}/grade.ts`],
    env: { NO_COLOR: "1" },
  }).output();
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: decode(stdout), stderr: decode(stderr) };
}

Deno.test("the table of criteria has every built-in, and nothing else", () => {
  const rows = [...README.matchAll(/^\| `(\w+)\(([^`]*)\)` /gm)].map(([, name]) => name!);
  assert.deepEqual([...rows].sort(), BUILTIN_NAMES.map(functionNameOf).sort());
  for (const name of rows) assert.equal(typeof checks[name as keyof typeof checks], "function");
});

Deno.test("the schema line is the one that init writes", () => {
  assert.ok(blocks("toml").includes(schemaLine("judge")));
});

Deno.test("every sub-command is named under Command line", () => {
  const [, section] = /^## Command line\n([^]*?)^## /m.exec(README)!;
  for (const { name } of SUBCOMMANDS) {
    assert.match(section!, new RegExp(`^ {4}rewardkit ${name} `, "m"));
  }
});

Deno.test("every link of the README leads to a file of the project", async () => {
  for (const [, target] of README.matchAll(/\]\((?!https?:)([^)#]+)/g)) {
    await Deno.stat(new URL(`../${target}`, import.meta.url));
  }
});

Deno.test("the judge in five lines is asked, and its options are those of the table", async () => {
  const judge = blocks("toml").find((toml) => toml.includes("[judge]"))!;
  assert.equal(judge.trim().split("\n").length, 5);
  await using tests = await folder({ "judge.toml": judge });
  await using workspace = await folder({ "report.md": "In conclusion: yes." });
  await using server = startModelServer([{ text: '{"reasoning": "r", "score": "yes"}' }]);
  await using run = await rewardkit([tests.path, "--workspace", workspace.path], {
    env: server.environment,
  });
  assert.deepEqual(run.reward, { reward: 1 }, run.stderr);

  const row = (name: string) => README.split("\n").find((line) => line.startsWith(`| \`${name}\``));
  const options = {
    judge: '"openai/gpt-5"',
    files: "[]",
    reference: '"report.md"',
    "atif-trajectory": '"t.json"',
    mode: '"individual"',
    samples: "3",
    guard: '"flag"',
    timeout: "60",
    reasoning_effort: '"low"',
    weight: "2",
  };
  const lines = Object.entries(options).map(([name, value]) => `${name} = ${value}`);
  for (const name of [...Object.keys(options), "prompt_template"]) assert.ok(row(name), name);
  const text = `[judge]\n${lines.join("\n")}\n[[criterion]]\ndescription = "x"\n`;
  await using all = await folder({ "judge.toml": text });
  await using listed = await rewardkit(["discover", all.path, "--workspace", workspace.path]);
  assert.equal(listed.code, 0, listed.stderr);
});

/** Answers every question of the form that the example asks. */
const AGENT = `#!/bin/sh
cat > /dev/null
[ "$1" = --version ] && echo "2.1.197 (Claude Code)" && exit
echo '{"structured_output": {"score": 4, "reasoning": "r"}, "score": 4, "reasoning": "r"}'
`;

async function agentProgram(
  name: string,
): Promise<{ path: string; program: string } & AsyncDisposable> {
  const bin = await folder({ [name]: AGENT });
  const program = `${bin.path}/${name}`;
  await Deno.chmod(program, 0o755);
  return { ...bin, program };
}

Deno.test("the agent judge of the README judges, and its keys are those of the table", async () => {
  const [judge, servers] = ["# tests/review.toml", "tickets-server"].map((text) =>
    blocks("toml").find((toml) => toml.includes(text))!
  );
  await using bin = await agentProgram("claude");
  await using tests = await folder({ "review.toml": `${judge}\n${servers}` });
  await using workspace = await folder({ "src/a.ts": "" });
  await using run = await rewardkit([tests.path, "--workspace", workspace.path], {
    env: {
      PATH: `${bin.path}:${Deno.env.get("PATH")}`,
      ANTHROPIC_API_KEY: "sk-ant-x",
      TICKETS_TOKEN: "t",
    },
  });
  assert.deepEqual(run.reward, { reward: 0.75 }, run.stderr);
  const table = README.slice(README.indexOf("## Agent judges"), README.indexOf("**Programs.**"));
  for (const [, key] of judge!.matchAll(/^(\w+) = .*$/gm)) {
    const isShared = ["timeout", "name", "description", "type", "points"].includes(key!);
    assert.ok(isShared || table.includes(`| \`${key}\``), key);
  }
});

Deno.test("the agent of one's own judges", async () => {
  const example = blocks("ts").find((code) => code.includes("registerAgent("))!;
  await using bin = await agentProgram("house-agent");
  await using tests = await folder({
    "review.toml": '[judge]\njudge = "house-agent"\n' +
      '[[criterion]]\ndescription = "Is it good?"\ntype = "likert"\n',
  });
  await using workspace = await folder({ "a.txt": "" });
  const options = JSON.stringify({
    workspace: workspace.path,
    output: `${workspace.path}/reward.json`,
  });
  const { code, stderr } = await runScript(example, {
    'run("/tests")': `run(${JSON.stringify(tests.path)}, ${options})`,
    'program: "house-agent"': `program: ${JSON.stringify(bin.program)}`,
  });
  assert.equal(code, 0, stderr);
  const written = JSON.parse(await Deno.readTextFile(`${workspace.path}/reward.json`));
  assert.deepEqual(written, { reward: 0.75 });
});

Deno.test("the README names every service and its variables", () => {
  for (const { prefix, keyVariables, baseVariables } of PROVIDERS) {
    const row = README.split("\n").find((line) => line.startsWith(`| \`${prefix}/…\``));
    assert.ok(row, prefix);
    if (keyVariables.length > 0 && prefix !== "ollama") {
      assert.ok(row.includes(keyVariables[0]!), row);
    }
    assert.ok(baseVariables.some((name) => row.includes(name)), row);
  }
});
