// `rewardkit check` and the types of check files, which a bundle comes without.

import assert from "node:assert/strict";
import { findOsSandbox } from "../src/confinement/find.ts";
import { type CliRun, folder, rewardkit } from "./cli.ts";

async function check(args: string[], env: Record<string, string>): Promise<CliRun> {
  await using run = await rewardkit(["check", ...args], {
    env: { ANTHROPIC_API_KEY: "", OPENAI_API_KEY: "", ...env },
  });
  return run;
}
const IMPORT = 'import * as rk from "@rewardkit/cli";\n';

Deno.test("check finds mistakes in types, each with its place, and --no-types leaves them alone", async () => {
  await using tests = await folder({
    "a.ts": `${IMPORT}rk.fileContains("a.txt", "b", { weight: 1 });\nconst n: number = "é";\n`,
    "deep/b.ts": `${IMPORT}import { limit } from "../lib/limit.ts";\nrk.fileExists("b.txt");\n\n` +
      `rk.criterion(async function c(workspace) {\n  return await workspace.readTxt("b") > limit;\n});\n`,
    "lib/limit.ts": "export const limit: string = 5;\n",
  });
  await using workspace = await folder({});
  const args = [tests.path, "--workspace", workspace.path];
  const { code, stdout, stderr } = await check(args, {});
  assert.deepEqual([code, stdout], [2, ""]);
  const errors = stderr.match(/^error: .*$/gm)!.map((line) =>
    line.replaceAll(`${tests.path}/`, "")
  );
  assert.deepEqual(
    errors,
    [
      "error: lib/limit.ts:1:14: Type 'number' is not assignable to type 'string' (TS2322)",
      "error: a.ts:3:7: Type 'string' is not assignable to type 'number' (TS2322)",
      "error: deep/b.ts:6:26: Property 'readTxt' does not exist on type 'Workspace'. Did you mean " +
      "'readText'? (TS2551)",
    ].sort((a, b) => errors.indexOf(a) - errors.indexOf(b)),
  );

  const without = await check([...args, "--no-types"], {});
  assert.equal(without.code, 0, without.stderr);
});

/** Whether strangers can be confined here; where not, `--untrusted` refuses to run. */
async function hasSandbox(): Promise<boolean> {
  try {
    await findOsSandbox();
    return true;
  } catch {
    return false;
  }
}

Deno.test({
  name: "check shows a stranger's types nothing of this machine",
  ignore: !await hasSandbox(),
  fn: async () => {
    await using secrets = await folder({
      "secret.json": '{ "swordfish": 1 }',
      "secret.ts": "export const swordfish: string = 5;\n",
    });
    // Types alone: nothing of it is left when the file is loaded.
    await using tests = await folder({
      "a.ts": `${IMPORT}rk.fileExists("a");\n` +
        `type Json = typeof import("${secrets.path}/secret.json", { with: { type: "json" } });\n` +
        `import type { swordfish } from "${secrets.path}/secret.ts";\n` +
        "export const a: Json = 5;\nexport const b: typeof swordfish = 5;\n",
    });
    await using workspace = await folder({});
    const args = [tests.path, "--workspace", workspace.path];
    assert.match((await check(args, {})).stderr, /a\.ts:5:14: .*swordfish/);

    const stranger = await check([...args, "--untrusted"], {});
    assert.equal(stranger.code, 2);
    assert.match(stranger.stderr, /Cannot find module 'file:.*secret\.ts' \(TS2307\)/);
    assert.ok(!stranger.stderr.includes("swordfish"), stranger.stderr);
  },
});

Deno.test({
  name: "check downloads nothing for a stranger's types",
  ignore: !await hasSandbox(),
  fn: async () => {
    const asked: string[] = [];
    await using registry = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      ({ url }) => {
        asked.push(new URL(url).pathname);
        return new Response("there is none", { status: 404 });
      },
    );
    const env = { JSR_URL: `http://127.0.0.1:${registry.addr.port}/` };
    await using tests = await folder({
      "a.ts": `${IMPORT}import type { x } from "jsr:@tests/of-reward-kit@1";\n` +
        'rk.fileExists("a");\nexport const y: typeof x = 5;\n',
    });
    await using workspace = await folder({});
    const args = [tests.path, "--workspace", workspace.path];
    const trusted = await check(args, env);
    assert.match(trusted.stderr, /the types are not checked: JSR package not found/);
    assert.deepEqual(asked, ["/@tests/of-reward-kit/meta.json"]);

    const stranger = await check([...args, "--untrusted"], env);
    assert.match(stranger.stderr, /the types are not checked: /);
    assert.equal(asked.length, 1);
  },
});

Deno.test("check leaves types alone where strangers are confined by Deno alone, and says so", async () => {
  await using tests = await folder({
    "a.ts": `${IMPORT}rk.fileExists("a");\nconst n: number = "x";\n`,
  });
  await using workspace = await folder({});
  const args = [tests.path, "--workspace", workspace.path, "--untrusted", "--sandbox=deno"];
  const { code, stderr } = await check(args, {});
  assert.equal(code, 0, stderr);
  assert.match(stderr, /warning: .*: the types are not checked: without a sandbox of the system/);
});
