import assert from "node:assert/strict";
import { namesVersion, versionProblem } from "./program_version.ts";

Deno.test("namesVersion() takes a version as a whole word alone", () => {
  const version = "2.1.197";
  for (
    const text of [
      ...["2.1.197", "2.1.197 (Claude Code)\n", "codex-cli 2.1.197", "v2.1.197", "agent/2.1.197"],
      ...["Agent\nversion: 2.1.197.\n", "(2.1.197)", "agent@2.1.197, node 22.1.0", "1.0.0 2.1.197"],
    ]
  ) assert.equal(namesVersion(text, version), true, text);
  for (
    const text of [
      ...["", "12.1.197", "2.1.1970", "2.1.197-beta.1", "2.1.197+build", "2.1.197.1", "1.2.1.197"],
      ...["2.1.197rc1", "2.1.197_1", "1.0.0-2.1.197", "1.0.0+2.1.197", "x2.1.197", "2.1.19", "2.1"],
      ...["2x1x197", "rev2.1.197"],
    ]
  ) assert.equal(namesVersion(text, version), false, text);
  assert.equal(namesVersion("agent 0.5.0-beta.1", "0.5.0-beta.1"), true);
  assert.equal(namesVersion("agent 0.5.0-beta.12", "0.5.0-beta.1"), false);
  assert.equal(namesVersion("agent 0.5.0", "0.5.0-beta.1"), false);
});

/** Asks a shell script for its version. */
async function asking(script: string, options: Record<string, unknown> = {}) {
  const folder = Deno.makeTempDirSync();
  const path = `${folder}/agent`;
  Deno.writeTextFileSync(path, script);
  Deno.chmodSync(path, 0o755);
  try {
    return await versionProblem(path, "1.2.3", {
      environment: { PATH: "/usr/bin:/bin" },
      workspace: "/no/such",
      ...options,
    });
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("versionProblem() believes what a program prints when it ends well", async () => {
  assert.equal(await asking('#!/bin/sh\n[ "$*" = --version ] && echo agent 1.2.3'), null);
  assert.equal(await asking("#!/bin/sh\necho 1.2.4"), '--version prints "1.2.4"');
  assert.equal(await asking("#!/bin/sh\necho 1.2.3 >&2"), '--version prints ""');
  assert.equal(
    await asking("#!/bin/sh\necho 1.2.3; echo no key >&2; exit 7"),
    '--version ends with exit code 7: "no key"',
  );
  assert.equal(
    await asking("#!/no/such/interpreter\n"),
    "the interpreter that it needs is not there",
  );
  assert.match((await asking("#!/bin/sh\nyes 1.2.3"))!, /exit code 137/);
});

Deno.test("versionProblem() waits for nothing", async () => {
  // Told from those of other runs of this test.
  const sleep = `sleep 71.${crypto.getRandomValues(new Uint32Array(1))[0]}`;
  const start = performance.now();
  assert.equal(
    await asking(`#!/bin/sh\necho 1.2.3; ${sleep}`, { timeoutSec: 0.2 }),
    "--version takes more than 0.2 s",
  );
  // It gets no input, and what it leaves running is ended.
  assert.equal(await asking(`#!/bin/sh\ncat; ${sleep} & echo 1.2.3`), null);
  const abort = new AbortController();
  setTimeout(() => abort.abort(new Error("interrupted")), 50);
  await assert.rejects(asking(`#!/bin/sh\n${sleep}`, { signal: abort.signal }), /interrupted/);
  assert.ok(performance.now() - start < 10_000);
  const left = new Deno.Command("pgrep", { args: ["-f", `^${sleep}`] }).outputSync();
  assert.equal(new TextDecoder().decode(left.stdout), "");
});

Deno.test("versionProblem() shows a program no secret, and nothing of the workspace", async () => {
  const workspace = Deno.realPathSync(Deno.makeTempDirSync());
  Deno.writeTextFileSync(`${workspace}/env-dump`, "#!/bin/sh\necho planted");
  Deno.chmodSync(`${workspace}/env-dump`, 0o755);
  const out = `${workspace}/seen`;
  const environment = {
    PATH: `${workspace}:/usr/bin:/bin`,
    HOME: "/root",
    ANTHROPIC_API_KEY: "sk-secret-1",
    NPM_TOKEN: "npm-secret-2",
    SEEN: out,
  };
  try {
    const script = '#!/bin/sh\n{ env; pwd; env-dump; } > "$SEEN" 2>&1; echo 1.2.3';
    assert.equal(await asking(script, { environment, workspace }), null);
    const seen = Deno.readTextFileSync(out);
    assert.match(seen, /^PATH=\/usr\/bin:\/bin$/m);
    assert.match(seen, /^HOME=\/root$/m);
    assert.match(seen, /^\/$/m);
    assert.doesNotMatch(seen, /secret|planted/);
  } finally {
    Deno.removeSync(workspace, { recursive: true });
  }
});
