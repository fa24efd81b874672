// The bundle grades with nothing but Deno: without a network and with an empty cache.

import assert from "node:assert/strict";
import config from "../../deno.json" with { type: "json" };
import { bundle, NoBundleError } from "../../bundle/bundle.ts";
import { isWithin } from "../../src/path.ts";
import {
  canBeWithoutNetwork,
  canReachNpm,
  passWithoutNetwork,
  runProgram,
  temporaryFolder,
} from "./programs.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

const canBundle = await canReachNpm();
const isAlone = await canBeWithoutNetwork();

const place = await temporaryFolder();
const dist = `${place.path}/opt/rewardkit`;
if (canBundle) await bundle(dist);
globalThis.addEventListener("unload", () => Deno.removeSync(place.path, { recursive: true }));

const names = () => [...Deno.readDirSync(dist)].map(({ name }) => name);

Deno.test({
  name: "a bundle imports nothing but itself and what Deno has",
  ignore: !canBundle,
  async fn() {
    const scripts = names().filter((name) => name.endsWith(".js"));
    for (const name of scripts) {
      const source = await Deno.readTextFile(`${dist}/${name}`);
      // An import map's entry for a checkout's cells, which nothing asks for here.
      const others = source.replaceAll('"npm:/@jsquash/jpeg@1.6.0/"', "")
        // What `rewardkit init` writes.
        .replaceAll(/from "jsr:@rewardkit\/cli@[^"]*"/g, "");
      assert.doesNotMatch(others, /(?:from|import)\s*\(?["'](?:npm|jsr|https?):/, name);
    }
    const root = `${place.path}/all.ts`;
    await Deno.writeTextFile(
      root,
      scripts.map((name) => `import "./opt/rewardkit/${name}";`).join("\n"),
    );
    const args = ["info", "--json", "--no-config", "--no-remote", root];
    const { stdout } = await runProgram([Deno.execPath(), ...args]);
    const { modules } = JSON.parse(stdout) as { modules: { specifier: string; error?: string }[] };
    assert.ok(modules.length > scripts.length);
    for (const { specifier, error } of modules) {
      assert.equal(error, undefined);
      const path = specifier.replace("file://", "");
      assert.ok(specifier.startsWith("node:") || isWithin(path, place.path), specifier);
    }
  },
});

/**
 * Tests of the command line that say the most about what a bundle could lack: the documentation's
 * examples and every built-in; judges with documents and images; strangers' files; what judges would
 * be sent.
 */
const SUITES = ["seeds_test.ts", "judge_evidence_test.ts", "untrusted_test.ts", "check_test.ts"];

/** A test that asks a model over each service's API. */
const SERVICES = { suite: "judge_faults_test.ts", test: "a verdict that a refusal quotes is none" };

Deno.test({
  name: "without a network and with an empty cache, the bundle does all that a checkout does",
  ignore: !canBundle || !isAlone,
  async fn() {
    await using cache = await temporaryFolder();
    const tested = {
      cli: `${dist}/rewardkit.js`,
      cache: `${cache.path}/deno`,
      cwd: place.path,
    };
    await passWithoutNetwork(SUITES, tested);
    await passWithoutNetwork([SERVICES.suite], { ...tested, only: SERVICES.test });
    // The cache was really theirs.
    assert.ok((await Deno.stat(`${cache.path}/deno/gen`)).isDirectory);
  },
});

Deno.test({
  name: "what a stranger must not have is taken away before anything else is evaluated",
  ignore: !canBundle,
  async fn() {
    const worker = await Deno.readTextFile(`${dist}/stranger_worker.js`);
    const imported = [...worker.matchAll(/import\s*["']([^"']+)["']/g)].map(([, name]) => name);
    assert.deepEqual(imported, ["./prelude.js", "./author_worker.js"]);
    const prelude = await Deno.readTextFile(`${dist}/prelude.js`);
    assert.doesNotMatch(prelude, /\bimport\b|\bawait\b/);
  },
});

Deno.test({
  name: "the launcher starts the bundle over a link, whatever Deno's configuration around it",
  ignore: !canBundle,
  async fn() {
    await using bin = await temporaryFolder();
    await Deno.symlink(Deno.execPath(), `${bin.path}/deno`);
    await Deno.symlink(`${dist}/rewardkit`, `${bin.path}/rewardkit`);
    await Deno.writeTextFile(`${place.path}/deno.json`, "not JSON");
    await Deno.writeTextFile(`${bin.path}/deno.json`, "not JSON");
    const env = { PATH: `${bin.path}:/usr/bin:/bin`, HOME: bin.path };
    for (
      const [flag, expected] of [["--version", config.version], ["--help", "Usage: rewardkit"]]
    ) {
      const setting = { env, clearEnv: true, cwd: bin.path };
      const { code, stdout, stderr } = await runProgram([`${bin.path}/rewardkit`, flag!], setting);
      assert.equal(code, 0, stderr);
      assert.ok(stdout.startsWith(expected!), stdout);
    }
    await Deno.remove(`${place.path}/deno.json`);
  },
});

Deno.test("a folder that holds something else is not overwritten", async () => {
  await using other = await temporaryFolder();
  await Deno.writeTextFile(`${other.path}/mine.txt`, "mine");
  await assert.rejects(bundle(other.path), NoBundleError);
  assert.equal(await Deno.readTextFile(`${other.path}/mine.txt`), "mine");
});

Deno.test({
  name: "a script imports the bundled API",
  ignore: !canBundle,
  async fn() {
    const seed = `${ROOT}fixtures/seeds/hello-world`;
    const script = `${place.path}/grade.ts`;
    const options = JSON.stringify({ workspace: `${seed}/workspace`, output: null });
    await Deno.writeTextFile(
      script,
      `import { run } from "${dist}/mod.js";\n` +
        `console.log(await run("${seed}/tests", ${options}));\n`,
    );
    const argv = [Deno.execPath(), "run", "-A", "--quiet", "--no-config", script];
    const { stdout, stderr } = await runProgram(argv);
    assert.equal(stdout, "{ reward: 1 }\n", stderr);
  },
});

Deno.test({
  name: "the notices name every package that is bundled, with its licence",
  ignore: !canBundle,
  async fn() {
    const notices = await Deno.readTextFile(`${dist}/THIRD_PARTY_NOTICES.txt`);
    const onlyForDevelopment = [
      ...[
        "fast-check",
        "esbuild",
        "rollup",
        "dockerfile-ast",
        "dockerfile-utils",
        "ajv",
        "@taplo/cli",
        "playwright-core",
      ],
      ...["libxml2-wasm"],
    ];
    const packages = Object.entries(config.imports)
      .filter(([name, target]) => target.startsWith("npm:") && !onlyForDevelopment.includes(name))
      .map(([, target]) => target.replace(/^npm:(.+)@/, "$1 "));
    for (const name of packages) {
      const [, license] = new RegExp(`^${name} \\(([\\w.-]+)\\)$`, "m").exec(notices) ?? [];
      assert.ok(license !== undefined, name);
    }
    for (const name of onlyForDevelopment) assert.ok(!notices.includes(`\n${name} `), name);
    // A dependency of a dependency, and what one has in it.
    assert.match(notices, /^string-width \d/m);
    assert.match(notices, /libjpeg-turbo/);
    assert.ok(names().includes("LICENSE"));
  },
});
