// Reward Kit as JSR would serve it: every command of the README's "Installing", from an empty cache.

import assert from "node:assert/strict";
import config from "../../deno.json" with { type: "json" };
import { folder } from "../cli.ts";
import { publishedHere } from "../jsr_server.ts";
import {
  canBeWithoutNetwork,
  canReachNpm,
  documented,
  passWithoutNetwork,
  runProgram,
  temporaryFolder,
} from "./programs.ts";

const SEEDS = new URL("../../fixtures/seeds/", import.meta.url).pathname;
const PACKAGE = "jsr:@rewardkit/cli";
const { version: VERSION } = config;

const ignore = !await canReachNpm();
const isAlone = await canBeWithoutNetwork();

/** Deno with a cache of its own and a registry that has this project. */
interface Machine extends AsyncDisposable {
  env: { JSR_URL: string; DENO_DIR: string };
  requests: readonly string[];
  path: string;
}

async function machine(...versions: string[]): Promise<Machine> {
  const place = await temporaryFolder();
  const registry = await publishedHere(...versions);
  return {
    path: place.path,
    env: { JSR_URL: registry.url, DENO_DIR: `${place.path}/cache` },
    requests: registry.requests,
    async [Symbol.asyncDispose]() {
      await registry[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
    },
  };
}

const CHECKS = `import * as rk from "${PACKAGE}@^0.1.0";
  rk.fileContains("a.txt", "hello");
  rk.criterion(async function reads(workspace) {
    return await workspace.readText("a.txt") === "hello\\n";
  });
`;
const PINNED = `import { fileExists } from "${PACKAGE}@${VERSION}"; fileExists("a.txt");`;

/** What a graded agent can leave for whoever starts Deno beside it. */
const PLANTED = {
  "a.txt": "hello\n",
  "deno.json": JSON.stringify({
    imports: { "npm:smol-toml@1.9.1": "./planted.ts", "npm:commander@15.1.0": "./planted.ts" },
  }),
  "planted.ts": "Deno.writeTextFileSync('planted', ''); export const parse = () => ({});",
  "package.json": JSON.stringify({ name: "x", dependencies: { "smol-toml": "1.9.1" } }),
};

Deno.test("what is published is what runs, and nothing that is for development", async () => {
  await using registry = await publishedHere();
  const files = registry.files("@rewardkit/cli", VERSION);
  for (const file of ["/mod.ts", "/checks.ts", "/LICENSE", "/README.md", "/docs/installing.md"]) {
    assert.ok(files.includes(file), file);
  }
  const others = files.filter((file) =>
    /_test\.ts$|^\/(?:\.|tests|fixtures|bench|bundle|dist|docker|examples)/.test(file)
  );
  assert.deepEqual(others, []);
});

Deno.test("the commands of the README are those of docs/installing.md", async () => {
  const readme = await Deno.readTextFile(new URL("../../README.md", import.meta.url));
  const section = readme.slice(readme.indexOf("## Installing"), readme.indexOf("## A first check"));
  const commands = [...section.matchAll(/`(deno (?:run|install|task) [^`]+)`/g)];
  assert.equal(commands.length, 3);
  for (const [, command] of commands) documented(command!);
});

for (const spelled of [PACKAGE, `${PACKAGE}@${VERSION}`, `${PACKAGE}@^0.1.0`]) {
  Deno.test({
    name: `deno run -A --no-config ${spelled} grades, in a workspace that has Deno's files in it`,
    ignore,
    async fn() {
      await using registered = await machine();
      await using tests = await folder({
        "checks.ts": CHECKS,
        "pinned.ts": PINNED,
        "reward.toml": '[scoring.checks]\naggregation = "all-pass"\n',
      });
      await using workspace = await folder(PLANTED);
      const { env, path } = registered;
      const args = [tests.path, "-w", workspace.path, "-o", `${path}/reward.json`];
      const command = documented(`deno run -A --no-config ${spelled} /tests`, ["/tests"]);
      const argv = [...command, ...args];
      for (const _ of ["empty cache", "warm cache"]) {
        await Deno.remove(`${path}/reward.json`).catch(() => {});
        await Deno.remove(`${path}/reward-details.json`).catch(() => {});
        const { code, stdout, stderr } = await runProgram(argv, { env, cwd: workspace.path });
        assert.equal(code, 0, stderr);
        assert.equal(stdout, "reward: 1\n");
        const said = stderr.split("\n").filter((line) => !/^(Download .*)?$/.test(line));
        assert.deepEqual(said, []);
      }
      const names = [...Deno.readDirSync(workspace.path)].map(({ name }) => name);
      assert.deepEqual(names.sort(), Object.keys(PLANTED).sort());
    },
  });
}

Deno.test({
  name: "strangers' files are graded at once, from an empty cache",
  ignore,
  async fn() {
    await using registered = await machine();
    await using tests = await folder({ "checks.ts": CHECKS });
    await using workspace = await folder({ "a.txt": "hello\n" });
    const { env, path } = registered;
    const flags = ["--untrusted", "--sandbox=deno", "-w", workspace.path];
    const { stdout, stderr } = await runProgram([
      ...[Deno.execPath(), "run", "-A", "--quiet", "--no-config", PACKAGE],
      ...[tests.path, ...flags, "-o", `${path}/reward.json`],
    ], { env });
    assert.equal(stdout, "reward: 1\n", stderr);
  },
});

Deno.test({
  name: "the version that is asked for is the one that runs",
  ignore,
  async fn() {
    await using registered = await machine(VERSION, "0.1.99");
    const { env, requests } = registered;
    const argv = ["run", "-A", "--quiet", "--no-config", `${PACKAGE}@${VERSION}`, "--version"];
    const { stdout, stderr } = await runProgram([Deno.execPath(), ...argv], { env });
    assert.equal(stdout, `${VERSION}\n`, stderr);
    assert.ok(requests.includes(`/@rewardkit/cli/${VERSION}/mod.ts`));
    assert.ok(!requests.some((path) => path.startsWith("/@rewardkit/cli/0.1.99/")));
  },
});

Deno.test({
  name: "deno install -g gives a command, which no configuration of the workspace changes",
  ignore,
  async fn() {
    await using registered = await machine();
    const { env, path } = registered;
    const installing = await runProgram(
      documented(`deno install -g -A --no-config --name rewardkit ${PACKAGE}@${VERSION}`),
      { env: { ...env, DENO_INSTALL_ROOT: path } },
    );
    assert.equal(installing.code, 0, installing.stderr);
    const bin = `${path}/bin`;
    await Deno.symlink(Deno.execPath(), `${bin}/deno`);
    const environment = { ...env, PATH: `${bin}:${Deno.env.get("PATH")}` };
    await using workspace = await folder(PLANTED);
    const setting = { env: environment, cwd: workspace.path };
    const version = await runProgram(["rewardkit", "--version"], setting);
    assert.equal(version.stdout, `${VERSION}\n`, version.stderr);
    const seed = `${SEEDS}hello-world`;
    const graded = await runProgram(
      ["rewardkit", `${seed}/tests`, "-w", `${seed}/workspace`, "-o", `${path}/out/reward.json`],
      setting,
    );
    assert.equal(graded.stdout, "reward: 1\n", graded.stderr);
    await runProgram([Deno.execPath(), "uninstall", "-g", "rewardkit"], {
      env: { ...env, DENO_INSTALL_ROOT: path },
    });
    await assert.rejects(Deno.lstat(`${bin}/rewardkit`), Deno.errors.NotFound);
    const names = [...Deno.readDirSync(workspace.path)].map(({ name }) => name);
    assert.deepEqual(names.sort(), Object.keys(PLANTED).sort());
  },
});

Deno.test({
  name: "after deno cache it does without a network all that a checkout does",
  ignore: ignore || !isAlone,
  async fn() {
    await using registered = await machine();
    const { env, path } = registered;
    const cached = await runProgram(
      documented(`deno cache --no-config ${PACKAGE}@${VERSION}`),
      { env },
    );
    assert.equal(cached.code, 0, cached.stderr);
    await passWithoutNetwork(["seeds_test.ts", "judge_evidence_test.ts"], {
      cli: `${PACKAGE}@${VERSION}`,
      cache: env.DENO_DIR,
      // Whose configuration gives the package's name another meaning.
      cwd: path,
      env: { JSR_URL: env.JSR_URL },
    });
  },
});
