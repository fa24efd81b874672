// Keys of judges appear nowhere: a service that repeats them and checks that look for them in vain.

import assert from "node:assert/strict";
import { folder, rewardkit } from "./cli.ts";
import { startModelServer } from "./model_server.ts";

const KEY = "sk-ant-api03-KEY-from-the-environment-0123456789";
const OTHER = "sk-proj-KEY-from-the-command-line-9876543210";
const PASSWORD = "pass-word-in-an-address";

const CHECKS = `
import * as rk from "@rewardkit/cli";

rk.commandSucceeds("env; cat /proc/self/environ; env > env.txt; false");
rk.criterion({ run: ["sh"] }, async function looksInCommand(workspace) {
  const { stdout } = await workspace.run(["sh", "-c", "env; cat /proc/self/environ"]);
  console.log(stdout);
  return { score: 1, reasoning: stdout };
});
rk.criterion({ env: ["PATH"] }, function looksInCell() {
  let all = "";
  try {
    all = JSON.stringify(Deno.env.toObject());
  } catch (error) {
    all = String(error);
  }
  console.log(all);
  throw new Error("found: " + all);
});
`;

const JUDGE = (model: string) =>
  `[judge]
judge = "${model}"
files = ["a.txt"]
timeout = 5

[[criterion]]
name = "ok"
description = "Is it right?"
`;

Deno.test("keys of judges are in nothing that a run writes or prints", async () => {
  await using tests = await folder({
    "checks.ts": CHECKS,
    "answers.toml": JUDGE("anthropic/claude-opus-5-5"),
    "refuses.toml": JUDGE("openai/gpt-5.6-sol"),
    "gone.toml": JUDGE("groq/llama"),
  });
  await using workspace = await folder({ "a.txt": "hello" });
  await using server = startModelServer(({ path, headers }) => {
    const seen = JSON.stringify(headers).replaceAll('"', "'");
    if (path.endsWith("/messages")) {
      return { text: JSON.stringify({ reasoning: `I was sent ${seen}`, score: "yes" }) };
    }
    return { status: 403, message: `no access with ${seen}` };
  });
  await using run = await rewardkit([
    ...[tests.path, "--workspace", workspace.path, "--verbose"],
    ...["--judge-env", `OPENAI_API_KEY=${OTHER}`],
    ...["--judge-env", `OPENAI_BASE_URL=${server.url}/v1`],
    ...["--judge-env", "GROQ_API_KEY=gsk-KEY-of-a-third-service"],
    ...["--judge-env", `GROQ_API_BASE=http://user:${PASSWORD}@127.0.0.1:9/v1`],
  ], { env: { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: server.url } });

  // They were used.
  const sent = server.requests.map(({ headers }) => JSON.stringify(headers));
  assert.ok(sent.some((headers) => headers.includes(KEY)));
  assert.ok(sent.some((headers) => headers.includes(OTHER)));
  assert.equal(run.code, 1);
  assert.match(run.stdout + run.stderr, /found: /);

  const texts: Record<string, string> = { stdout: run.stdout, stderr: run.stderr };
  for (const place of [run.output, workspace.path, tests.path]) {
    for (const { name, isFile } of Deno.readDirSync(place)) {
      if (isFile) texts[name] = Deno.readTextFileSync(`${place}/${name}`);
    }
  }
  assert.ok("reward-details.json" in texts && "env.txt" in texts, Object.keys(texts).join());
  assert.match(texts["reward-details.json"]!, /I was sent .*\[redacted\]/);
  assert.match(texts["reward-details.json"]!, /answered 403: no access with .*\[redacted\]/);
  for (const [name, text] of Object.entries(texts)) {
    for (const secret of [KEY, OTHER, PASSWORD, "gsk-KEY-of-a-third-service"]) {
      assert.ok(!text.includes(secret), `${name} holds ${secret}`);
    }
  }
});
