// Wrong input: one clear message each, no stack trace, the right exit code, and no reward.

import assert from "node:assert/strict";
import { folder, rewardkit } from "./cli.ts";

const GOOD = `import * as rk from "@rewardkit/cli"; rk.fileExists("a.txt");`;

/** Grades and holds the promises that every bad input gets. */
async function refused(
  args: string[],
  expected: { code: 1 | 2; message: RegExp },
  options: Parameters<typeof rewardkit>[1] = {},
) {
  const run = await rewardkit(args, options);
  assert.equal(run.code, expected.code, run.stderr);
  assert.match(run.stderr, expected.message);
  assert.doesNotMatch(run.stderr, /^\s+at .*:\d+/m, "no stack trace");
  assert.equal(run.reward, null);
  assert.equal(run.stdout, "");
  if (options.output === undefined) await run[Symbol.asyncDispose]();
  return run.stderr;
}

Deno.test("a tests folder that is missing, a file or empty is refused by name", async () => {
  await using workspace = await folder({ "a.txt": "", "empty/.keep": "" });
  const at = ["--workspace", workspace.path];
  await refused(["/no/such/tests", ...at], {
    code: 2,
    message: /^error: Tests folder not found: \/no\/such\/tests$/m,
  });
  await refused([`${workspace.path}/a.txt`, ...at], {
    code: 2,
    message: /a\.txt is a file, not a/,
  });
  await refused([`${workspace.path}/empty`, ...at], { code: 2, message: /empty.*no criteri/i });
});

Deno.test("a workspace that is missing or a file is refused by name", async () => {
  await using tests = await folder({ "checks.ts": `${GOOD} rk.fileNotExists("b.txt");` });
  await refused([tests.path, "--workspace", "/no/such/workspace"], {
    code: 2,
    message: /^error: Workspace not found: \/no\/such\/workspace$/m,
  });
  await refused([tests.path, "--workspace", `${tests.path}/checks.ts`], {
    code: 2,
    message: /The workspace .*checks\.ts is not a folder/,
  });
});

Deno.test("an output folder that cannot be written to is refused before anything runs", async () => {
  await using tests = await folder({
    "checks.ts": `import * as rk from "@rewardkit/cli"; rk.commandSucceeds("touch ran.txt");`,
  });
  await using workspace = await folder({ "a.txt": "" });
  await refused([tests.path, "--workspace", workspace.path], {
    code: 2,
    message: /Cannot write .*a\.txt\/out\/reward\.json: /,
  }, { output: `${workspace.path}/a.txt/out` });
  assert.deepEqual([...Deno.readDirSync(workspace.path)].map(({ name }) => name), ["a.txt"]);
});

Deno.test("what is at the output path and cannot be a reward is kept", async () => {
  await using tests = await folder({ "checks.ts": GOOD });
  await using workspace = await folder({ "a.txt": "" });
  await using output = await folder({ "notes.txt": "precious" });
  const cli = new URL("../cli.ts", import.meta.url).pathname;
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", cli, tests.path, "-w", workspace.path, "-o", `${output.path}/notes.txt`],
  }).output();
  assert.equal(code, 2);
  assert.match(new TextDecoder().decode(stderr), /notes\.txt: it exists and is no reward/);
  assert.equal(await Deno.readTextFile(`${output.path}/notes.txt`), "precious");
});

Deno.test("check files that cannot be loaded: each is named, the others are graded", async () => {
  await using outside = await folder({
    "secret.json": '{"answer": 42}',
    "secret.ts": "export {};",
  });
  await using tests = await folder({
    "good.ts": GOOD,
    "syntax.ts": "import * as rk from 'rewardkit'\nrk.fileExists('a.txt'",
    "type.ts": `import * as rk from "rewardkit"; (rk.fileContains as any)("a.txt", 5);`,
    "missing.ts": `import { x } from "./nowhere.ts"; x();`,
    "absent_name.ts": `import { noSuchCriterion } from "rewardkit"; noSuchCriterion();`,
    "passwd.ts": `import text from "/etc/passwd" with { type: "text" }; console.log(text);`,
    "json.ts":
      `import data from "${outside.path}/secret.json" with { type: "json" }; console.log(data);`,
    "module.ts": `import "${outside.path}/secret.ts";`,
    "dynamic.ts": `await import("${outside.path}/secret.ts");`,
    "sends.ts": `import * as rk from "rewardkit";
      rk.criterion(function uses(_workspace, callback: () => boolean) { return callback(); })(() => true);`,
    "bad_pattern.ts":
      `import * as rk from "rewardkit"; rk.fileContainsRegex("a.txt", "(unclosed");`,
    "bad_option.ts":
      `import * as rk from "rewardkit"; rk.fileExists("a.txt", { wieght: 2 } as any);`,
    "reads_workspace.ts": `import * as rk from "rewardkit";
      if (Deno.readTextFileSync(Deno.env.get("X") ?? "/app/a.txt") === "x") rk.fileExists("a.txt");`,
  });
  await using workspace = await folder({ "a.txt": "" });
  const run = await rewardkit([tests.path, "--workspace", workspace.path]);
  assert.equal(run.code, 1);
  assert.equal(run.reward, null);
  assert.doesNotMatch(run.stderr, /^\s+at .*:\d+/m);
  const lines = run.stderr.split("\n").filter((line) => line.startsWith("error: "));
  const expected: Record<string, RegExp> = {
    syntax: /SyntaxError/,
    type: /fileContains\(\) got 5 for "text", expected a string/,
    missing: /nowhere\.ts/,
    absent_name: /noSuchCriterion/,
    passwd: /imports from "\/etc\/passwd", which is out of its reach/,
    json: /imports from ".*secret\.json", which is out of its reach/,
    module: /imports from ".*secret\.ts", which is out of its reach/,
    dynamic: /imports from ".*secret\.ts", which is out of its reach/,
    sends: /uses: argument 1 .*a function cannot be sent between Workers/,
    bad_pattern: /unclosed|unterminated|\(/i,
    bad_option: /fileExists: unknown option "wieght"/,
    reads_workspace: /env access|read access/,
  };
  for (const [name, message] of Object.entries(expected)) {
    const line = lines.find((line) => line.includes(`/${name}.ts: `));
    assert.ok(line, `no error names ${name}.ts in\n${run.stderr}`);
    assert.match(line, message);
  }
  assert.equal(lines.length, Object.keys(expected).length);
  const good = run.details!.reward.components.find(({ name }: { name: string }) => name === "good");
  assert.equal(good.detail.score, 1);
  await run[Symbol.asyncDispose]();
});

Deno.test("an import through a link out of the tests folder is refused", async () => {
  await using outside = await folder({
    "answers.json": '{"answer": 42}',
    "code.ts": "export const x = 1;",
  });
  await using tests = await folder({
    "linked_json.ts":
      `import data from "./answers.json" with { type: "json" }; ${GOOD}; console.log("LEAK", data);`,
    "linked_code.ts": `import { x } from "./lib/code.ts"; ${GOOD}; console.log("LEAK", x);`,
  });
  await Deno.symlink(`${outside.path}/answers.json`, `${tests.path}/answers.json`);
  await Deno.symlink(outside.path, `${tests.path}/lib`);
  await using workspace = await folder({ "a.txt": "" });
  const stderr = await refused([tests.path, "--workspace", workspace.path], {
    code: 1,
    message: /linked_json\.ts: .*answers\.json.*out of the tests folder/,
  });
  assert.match(stderr, /linked_code\.ts: .*code\.ts.*out of the tests folder/);
  assert.doesNotMatch(stderr, /LEAK/);
});

Deno.test("TOML that does not parse is named with line and column, all problems at once", async () => {
  await using tests = await folder({
    "checks.ts": GOOD,
    "reward.toml": '[[reward]]\nname = "reward\nweights = {}\n',
    "sub/reward.toml": '[[reward]]\nagregation = "all-pass"\n',
    "sub/more.ts": GOOD,
    "quality.toml": '[judge]\ntimeout = "5m"\n[[criterion]]\ndescription = "d"\n',
  });
  await using workspace = await folder({ "a.txt": "" });
  const stderr = await refused([tests.path, "--workspace", workspace.path], {
    code: 2,
    message: /reward\.toml:2:\d+/,
  });
  assert.match(stderr, /sub\/reward\.toml.*"agregation"/);
  assert.match(stderr, /aggregation/);
  assert.match(stderr, /quality\.toml.*timeout.*"5m"/);
});

Deno.test("names that do not fit are refused before anything runs", async () => {
  await using workspace = await folder({ "a.txt": "" });
  const cases: [Record<string, string>, RegExp][] = [
    [{ "a.ts": GOOD, "a.js": GOOD }, /a\.(js|ts).*a\.(js|ts)/s],
    [{ "a.ts": GOOD, "a/b.ts": GOOD }, /"a"/],
    [{ "a.ts": GOOD, "reward.toml": "[scoring.b]\naggregation = 'all-pass'" }, /reward\.toml.*"b"/],
    [
      { "a.ts": GOOD, "reward.toml": "[[reward]]\nname='reward'\nweights={b=1}" },
      /reward\.toml.*"b"/,
    ],
    [{ "a/a.ts": GOOD, "a/reward.toml": "[[reward]]\nname='x'" }, /a\/reward\.toml.*name/],
    [{ "a.py": "import rewardkit as rk\nrk.file_exists('a')", "b.ts": GOOD }, /a\.py/],
  ];
  for (const [files, message] of cases) {
    await using tests = await folder(files);
    await refused([tests.path, "--workspace", workspace.path], { code: 2, message });
  }
});

Deno.test("mistakes on the command line are explained with what was probably meant", async () => {
  await refused([], { code: 2, message: /missing required argument 'tests_dirs'/ });
  await refused(["tests", "--workspce", "x"], { code: 2, message: /Did you mean --workspace\?/ });
  await refused(["tests", "--worksapce=x=y"], {
    code: 2,
    message: /unknown option '--worksapce'\n\(Did you mean --workspace\?\)/,
  });
  await refused(["tests", "--max-concurrent-programmatic", "many"], {
    code: 2,
    message: /--max-concurrent-programmatic is "many", expected a whole number/,
  });
  await refused(["tests", "--pass-mark", "2"], { code: 2, message: /pass mark is 2/ });
  await refused(["tests", "--on-error", "ignore"], { code: 2, message: /expected fail or zero/ });
  await refused(["a/v1", "b/v1"], { code: 2, message: /Two tests folders .*"v1".*a\/v1.*b\/v1/ });
});

Deno.test("--verbose shows stacks, help and version exit with 0", async () => {
  await using tests = await folder({ "throws.ts": `throw new Error("boom");` });
  await using workspace = await folder({});
  await using run = await rewardkit([tests.path, "--workspace", workspace.path, "--verbose"]);
  assert.match(run.stderr, /at file:\/\/.*throws\.ts:1:7/);
  await using help = await rewardkit(["--help"]);
  assert.equal(help.code, 0);
  assert.match(help.stdout, /--workspace <folder>/);
  assert.match(help.stdout, /Exit codes:/);
  await using asked = await rewardkit(["help"]);
  assert.equal(asked.code, 0);
  assert.equal(asked.stdout, help.stdout);
  await using ofCheck = await rewardkit(["help", "check"]);
  assert.match(ofCheck.stdout, /^Usage: rewardkit check /);
  await using version = await rewardkit(["--version"]);
  assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
});

Deno.test("a sub-command with a slip in it is told from a tests folder that is not there", async () => {
  await refused(["chek", "tests"], {
    code: 2,
    message: /^error: Tests folder not found: chek\nhint: Did you mean the sub-command check\?$/m,
  });
  await refused(["tests/nowhere"], { code: 2, message: /^error: (?!.*sub-command)/ });
  await refused(["run", "tests"], {
    code: 2,
    message: /not found: run\nhint: Grading has no sub-command: rewardkit TESTS$/m,
  });
});

Deno.test("names of the Python package, and slips in a name, are told the right one", async () => {
  await using tests = await folder({
    "called.ts": `import * as rk from "@rewardkit/cli"; (rk as any).file_exists("a.txt");`,
    "imported.ts": `import { file_contains } from "rewardkit"; file_contains("a.txt", "x");`,
    "slip.ts": `import * as rk from "@rewardkit/cli"; (rk as any).fileExsits("a.txt");`,
  });
  await using workspace = await folder({});
  const stderr = await refused([tests.path, "-w", workspace.path], {
    code: 1,
    message:
      /called\.ts: .*\nhint: file_exists is its name in Python; in TypeScript .* fileExists$/m,
  });
  assert.match(stderr, /imported\.ts: .*\nhint: file_contains is its name .* fileContains$/m);
  assert.match(stderr, /slip\.ts: .*\nhint: Did you mean fileExists\?$/m);
});

Deno.test("a Python check file is told how to move", async () => {
  await using tests = await folder({
    "checks.py": "import rewardkit as rk\nrk.command_succeeds('make')\n",
  });
  await using workspace = await folder({});
  await refused([tests.path, "-w", workspace.path], {
    code: 2,
    message:
      /checks\.py: is a Python check file.*\nhint: .*rk\.commandSucceeds\(…\).*docs\/python\.md$/m,
  });
});

Deno.test("a tests folder and a workspace that are the wrong way round, or one, are noticed", async () => {
  await using tests = await folder({ "checks.ts": GOOD });
  await using judges = await folder({ "q.toml": "[judge]\njudge = 'openai/x'\n" });
  await using workspace = await folder({ "a.txt": "", "main.ts": "export {};", "b.toml": "x = 1" });
  for (const swapped of [tests, judges]) {
    await refused([workspace.path, "-w", swapped.path], {
      code: 2,
      message:
        /has no checks, but the workspace has: (checks\.ts|q\.toml)\nhint: .*wrong way round/,
    });
  }
  await refused([workspace.path, "-w", workspace.path], { code: 2, message: /no criteri/ });
  await using run = await rewardkit([tests.path, "-w", tests.path]);
  assert.equal(run.code, 0);
  assert.match(run.stderr, /^warning: .*: is the workspace as well/m);
});

Deno.test("what is looked into to notice that may be anything", async () => {
  await using tests = await folder({ "notes.md": "" });
  await using workspace = await folder({ "big.ts": "" });
  await new Deno.Command("mkfifo", { args: [`${workspace.path}/pipe.ts`] }).output();
  await Deno.truncate(`${workspace.path}/big.ts`, 2 ** 33);
  await Deno.symlink("/dev/zero", `${workspace.path}/zero.ts`);
  await refused([tests.path, "-w", workspace.path], { code: 2, message: /no criteri/ });
});
