// `rewardkit init` through the command line: what it writes is right as it stands.

import assert from "node:assert/strict";
import { VERSION } from "../src/version.ts";
import { type CliRun, folder, readJson, rewardkit } from "./cli.ts";
import { startModelServer } from "./model_server.ts";

const ROOT = new URL("..", import.meta.url).pathname;

/** Runs the command line in a folder, without an output and with no key at hand. */
async function cli(
  cwd: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", `${ROOT}cli.ts`, ...args],
    cwd,
    env: { NO_COLOR: "1", ...NO_KEYS, ...env },
    stdin: "null",
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, stdout: out!, stderr: err! };
}

const NO_KEYS = { ANTHROPIC_API_KEY: "", CLAUDE_CODE_OAUTH_TOKEN: "", OPENAI_API_KEY: "" };

const FILES = ["checks.ts", "quality.toml", "reward.toml", "test.sh"];

async function grade(cwd: string, env: Record<string, string> = {}): Promise<CliRun> {
  const args = ["tests", "--workspace", "."];
  await using run = await rewardkit(args, { cwd, env: { ...NO_KEYS, ...env } });
  return run;
}

Deno.test("init in an empty folder writes files that pass check and grade at once", async () => {
  await using empty = await folder({});
  const { code, stdout, stderr } = await cli(empty.path, ["init"]);
  assert.deepEqual([code, stderr], [0, ""]);
  assert.deepEqual([...stdout.matchAll(/^wrote (.*)$/gm)].map(([, path]) => path), [
    ...FILES.map((name) => `tests/${name}`),
  ]);
  const checked = await cli(empty.path, ["check", "tests", "--workspace", "."]);
  assert.deepEqual([checked.code, checked.stderr], [0, ""]);

  assert.deepEqual((await grade(empty.path)).reward, { reward: 0 });
  await Deno.writeTextFile(`${empty.path}/answer.txt`, "Hello, world!\n");
  const graded = await grade(empty.path);
  assert.deepEqual([graded.reward, graded.stderr], [{ reward: 1 }, ""]);
});

Deno.test("the judge that init writes is asked where a key is at hand, else once it is no comment", async () => {
  await using place = await folder({ "answer.txt": "Hello, world!" });
  await using server = startModelServer(
    [1, 2].map(() => ({ text: '{"reasoning": "r", "score": 3}' })),
  );
  await cli(place.path, ["init"], server.environment);
  const graded = await grade(place.path, server.environment);
  assert.deepEqual(graded.reward, { reward: 0.75 }, graded.stderr);

  await using other = await folder({ "answer.txt": "Hello, world!" });
  await cli(other.path, ["init"]);
  const path = `${other.path}/tests/quality.toml`;
  const commented = await Deno.readTextFile(path);
  const [, judge] = commented.split(/^#\n(?=# #:schema)/m);
  await Deno.writeTextFile(path, judge!.replace(/^# ?/gm, ""));
  assert.deepEqual(
    await Deno.readTextFile(path),
    await Deno.readTextFile(`${place.path}/tests/quality.toml`),
  );
});

Deno.test("init keeps what is there, and what scores under the same name", async () => {
  await using place = await folder({
    "t/checks.ts": "// mine\n",
    "t/quality/deep.ts": "",
    "elsewhere/reward.toml": "# theirs\n",
  });
  await Deno.symlink("../elsewhere/reward.toml", `${place.path}/t/reward.toml`);
  await Deno.symlink("../elsewhere/new.sh", `${place.path}/t/test.sh`);
  const { code, stdout } = await cli(place.path, ["init", "t/"]);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^kept t\/checks.ts\nkept t\/quality.toml\nkept t\/reward.toml\nkept t\/test.sh\n/,
  );
  assert.equal(await Deno.readTextFile(`${place.path}/t/checks.ts`), "// mine\n");
  assert.equal(await Deno.readTextFile(`${place.path}/elsewhere/reward.toml`), "# theirs\n");
  const names = (path: string) => [...Deno.readDirSync(path)].map(({ name }) => name).sort();
  assert.deepEqual(names(`${place.path}/elsewhere`), ["reward.toml"]);
  assert.deepEqual(names(`${place.path}/t`), ["checks.ts", "quality", "reward.toml", "test.sh"]);
});

Deno.test("init beside a check file of one's own grades as well", async () => {
  const check = 'import * as rk from "rewardkit";\nrk.fileExists("a.txt");\n';
  await using place = await folder({ "tests/checks.js": check, "a.txt": "" });
  assert.match((await cli(place.path, ["init"])).stdout, /^kept tests\/checks.ts$/m);
  assert.deepEqual((await grade(place.path)).reward, { reward: 1 });
});

Deno.test("init says where it cannot write", async () => {
  await using place = await folder({ "tests": "a file" });
  const { code, stdout, stderr } = await cli(place.path, ["init"]);
  assert.deepEqual([code, stdout], [2, ""]);
  assert.match(stderr, /error: Cannot write a tests folder at tests: /);
  assert.match(stderr, /hint: Name another folder/);
});

Deno.test("the check file that init writes has the right types for an editor", async () => {
  await using place = await folder({});
  await cli(place.path, ["init"]);
  const map = { imports: { [`jsr:@rewardkit/cli@^${VERSION}`]: `file://${ROOT}checks.ts` } };
  await Deno.writeTextFile(`${place.path}/map.json`, JSON.stringify(map));
  const check = () =>
    new Deno.Command(Deno.execPath(), {
      args: [
        "check",
        "--quiet",
        "--no-config",
        "--no-lock",
        "--import-map=map.json",
        "tests/checks.ts",
      ],
      cwd: place.path,
      env: { NO_COLOR: "1" },
    }).output();
  const right = await check();
  assert.ok(right.success, new TextDecoder().decode(right.stderr));
  await Deno.writeTextFile(`${place.path}/tests/checks.ts`, "\nrk.fileExists(5);\n", {
    append: true,
  });
  assert.match(new TextDecoder().decode((await check()).stderr), /TS2345/);
});

Deno.test("test.sh grades with the pinned version, wherever it lies", async () => {
  await using place = await folder({ "answer.txt": "Hello, world!" });
  await cli(place.path, ["init", "my tests"]);
  // Stands in for the registry: the version that is named is the one that is tested.
  await using bin = await folder({
    deno:
      `#!/bin/bash\n[ "$1 $2 $3 $4" = "run -A --no-config jsr:@rewardkit/cli@${VERSION}" ] || exit 9\n` +
      `shift 4\nexec ${Deno.execPath()} run -A --quiet ${ROOT}cli.ts "$@"\n`,
  });
  await Deno.chmod(`${bin.path}/deno`, 0o755);
  const { code, stdout, stderr } = await new Deno.Command(`${place.path}/my tests/test.sh`, {
    args: ["--workspace", place.path, "--output", `${bin.path}/reward.json`],
    cwd: "/",
    env: { PATH: `${bin.path}:${Deno.env.get("PATH")}`, ...NO_KEYS },
  }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  assert.equal(new TextDecoder().decode(stdout), "reward: 1\n");
  assert.deepEqual(await readJson(`${bin.path}/reward.json`), { reward: 1 });
});
