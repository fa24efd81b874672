// Services that fail, through the command line: the run ends in time, with the right scores or
// errors, and everything that was spent is counted.

import assert from "node:assert/strict";
import { type CliRun, folder, rewardkit } from "./cli.ts";
import { type Reply, type SeenRequest, startModelServer } from "./model_server.ts";

const YES = '{"reasoning": "r", "score": "yes"}';

/** What a judge on `a.txt` gave. */
interface Judged {
  run: CliRun;
  requests: readonly SeenRequest[];
  mostAtOnce: number;
  seconds: number;
}

const JUDGE = 'files = ["a.txt"]\n';

const CRITERION = '[[criterion]]\nname = "ok"\ndescription = "Is it right?"\n';

/** Grades with one judge beside a check file that passes. */
async function judged(
  script: readonly Reply[] | ((request: SeenRequest) => Reply),
  {
    settings = JUDGE,
    criteria = CRITERION,
    model = "anthropic/claude-opus-5-5",
    args = [],
    env = {},
  }: {
    settings?: string;
    criteria?: string;
    model?: string;
    args?: string[];
    env?: Record<string, string>;
  } = {},
): Promise<Judged> {
  const folder = await Deno.makeTempDir({ prefix: "rewardkit-test-" });
  try {
    await Deno.mkdir(`${folder}/tests`);
    await Deno.mkdir(`${folder}/workspace`);
    await Deno.writeTextFile(`${folder}/workspace/a.txt`, "hello");
    await Deno.writeTextFile(
      `${folder}/tests/judge.toml`,
      `[judge]\njudge = "${model}"\n${settings}\n${criteria}`,
    );
    await Deno.writeTextFile(
      `${folder}/tests/checks.ts`,
      'import * as rk from "@rewardkit/cli";\nrk.fileExists("a.txt");\n',
    );
    await using server = startModelServer(script);
    const started = performance.now();
    const run = await rewardkit([`${folder}/tests`, "-w", `${folder}/workspace`, ...args], {
      env: { ...server.environment, ...env },
    });
    const seconds = (performance.now() - started) / 1000;
    return { run, requests: server.requests, mostAtOnce: server.mostAtOnce, seconds };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

// deno-lint-ignore no-explicit-any -- any part of reward-details.json
function judgeNode({ details }: CliRun): any {
  return details?.reward.components.find(({ name }: { name: string }) => name === "judge").detail;
}

Deno.test("a service that hangs is an error in time; the other checks keep their scores", async () => {
  const { run, seconds } = await judged([{ fault: "hang", repeat: true }], {
    settings: `${JUDGE}timeout = 2\n`,
  });
  await using _ = run;
  assert.equal(run.code, 1);
  assert.equal(run.reward, null);
  assert.ok(seconds < 10, `${seconds} s`);
  assert.match(judgeNode(run).criteria[0].error, /gave no verdict within 2 s/);
  assert.equal(run.details!.reward.components[0].detail.score, 1);
  assert.match(
    run.stderr,
    /judge\.toml: ok: anthropic\/claude-opus-5-5 gave no verdict within 2 s/,
  );
});

const PASSING: [string, Reply][] = [
  ["breaks off within its answer", { fault: "close" }],
  ["sends a gigabyte", { fault: "flood" }],
  ["sends half of its JSON", { raw: '{"content": [' }],
  ["sends a page of some proxy", {
    raw: "<html>busy</html>",
    headers: { "content-type": "text/html" },
  }],
  ["sends JSON of some other API", { raw: '{"result": "yes"}' }],
  ["sends a bare null", { raw: "null" }],
  ["is overloaded", { status: 529, headers: { "retry-after": 0 } }],
  ["has a conflict", { status: 409 }],
];

for (const model of ["anthropic/claude-opus-5-5", "openai/gpt-5.6-sol", "openai/gpt-5-pro"]) {
  for (const [what, reply] of PASSING) {
    Deno.test(`${model}: a service that ${what} once is asked again`, async () => {
      const { run, requests } = await judged([reply, { text: YES }], { model });
      await using _ = run;
      assert.equal(run.code, 0, run.stderr);
      assert.deepEqual(run.reward, { reward: 1 });
      assert.equal(requests.length, 2);
      assert.equal(judgeNode(run).usage.input_tokens, 100);
    });
  }
}

Deno.test("a service that throttles for a while costs no run its reward", async () => {
  const started = performance.now();
  const throttled: Reply = { status: 429, headers: { "retry-after-ms": 300 } };
  const { run, requests } = await judged(() =>
    performance.now() - started < 5000 ? throttled : { text: YES }
  );
  await using _ = run;
  assert.equal(run.code, 0, run.stderr);
  assert.deepEqual(run.reward, { reward: 1 });
  assert.ok(requests.length > 1, `${requests.length} calls`);
});

Deno.test("a wait that would end after the judge's time is not begun", async () => {
  const throttled: Reply = { status: 429, headers: { "retry-after": 90 }, repeat: true };
  const { run, requests, seconds } = await judged([throttled], {
    settings: `${JUDGE}timeout = 20\n`,
  });
  await using _ = run;
  assert.equal(run.code, 1);
  assert.equal(requests.length, 1);
  assert.ok(seconds < 10, `${seconds} s`);
  assert.match(judgeNode(run).criteria[0].error, /429.*no time is left to wait the 90\.\d s/);
});

Deno.test("a wrong key is found out with one call, and told once", async () => {
  const criteria = Array.from(
    { length: 20 },
    (_, i) => `[[criterion]]\nname = "c${i}"\ndescription = "Point ${i}?"\n`,
  ).join("\n");
  const { run, requests } = await judged([{ status: 401, message: "invalid key", repeat: true }], {
    settings: `${JUDGE}mode = "individual"\n`,
    criteria,
    args: ["--max-concurrent-llm", "1"],
  });
  await using _ = run;
  assert.equal(run.code, 1);
  assert.equal(requests.length, 1);
  const told = run.stderr.split("\n").filter((line) => line.includes("answered 401"));
  assert.equal(told.length, 1);
  assert.match(told[0]!, /c0, c1, c2 and 17 more/);
  assert.match(run.stderr, /hint: Check the key: ANTHROPIC_API_KEY/);
  assert.ok(judgeNode(run).criteria.every(({ error }: { error?: string }) => error !== undefined));
});

Deno.test("a verdict that a refusal quotes is none", async () => {
  const quoting = `I refuse to answer ${YES}, as the submission demands`;
  for (
    const [model, reply] of [
      ["openai/gpt-5.6-sol", {
        raw: JSON.stringify({
          choices: [{ message: { content: null, refusal: quoting }, finish_reason: "stop" }],
          usage: { prompt_tokens: 100, completion_tokens: 20 },
        }),
      }],
      ["openai/gpt-5-pro", {
        raw: JSON.stringify({
          output: [{ type: "message", content: [{ type: "refusal", refusal: quoting }] }],
        }),
      }],
      ["anthropic/claude-opus-5-5", { text: quoting, stop_reason: "refusal" }],
    ] as const
  ) {
    const { run } = await judged([{ ...reply, repeat: true }], { model });
    await using _ = run;
    assert.equal(run.reward, null, model);
    assert.match(judgeNode(run).criteria[0].error, /the model refused to answer/);
    assert.ok(judgeNode(run).judge_output.includes(quoting));
  }
});

Deno.test("answers that cannot be read are counted as spent", async () => {
  const raw = JSON.stringify({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 2 } });
  const { run } = await judged([{ raw }, { text: YES }], { model: "openai/gpt-5.6-sol" });
  await using _ = run;
  assert.equal(run.code, 0, run.stderr);
  assert.equal(judgeNode(run).usage.input_tokens, 107);
  assert.equal(judgeNode(run).usage.output_tokens, 22);
  assert.ok(judgeNode(run).usage.cost_usd > 0);
});

Deno.test("a criterion without a verdict is an error of its own; those of others are kept", async () => {
  const criteria = '[[criterion]]\nname = "good"\ndescription = "ALPHA"\n' +
    '[[criterion]]\nname = "bad"\ndescription = "BRAVO"\ntype = "likert"\n';
  const { run, requests } = await judged([
    { text: '{"good": {"reasoning": "g", "score": "yes"}, "bad": {"reasoning": "b", "score": 7}}' },
    { text: '{"reasoning": "b", "score": "7/5"}', repeat: true },
  ], { criteria });
  await using _ = run;
  assert.equal(run.code, 1);
  const [good, bad] = judgeNode(run).criteria;
  assert.deepEqual([good.value, good.error], [1, undefined]);
  assert.match(bad.error, /the score is "7\/5", expected a whole number from 1 to 5/);
  assert.equal(requests.length, 3);
  assert.ok(
    !JSON.stringify(requests[1]!.body).includes("ALPHA"),
    "only the open one is asked again",
  );
  assert.match(JSON.stringify(requests[1]!.body), /the score is 7, expected/);
  assert.equal(judgeNode(run).usage.input_tokens, 300);
  assert.match(judgeNode(run).judge_output, /--- answer 3 ---/);
});

Deno.test("--on-error zero scores a judge out of reach 0", async () => {
  const { run } = await judged([{ status: 400, repeat: true }], { args: ["--on-error", "zero"] });
  await using _ = run;
  assert.equal(run.code, 0);
  assert.deepEqual(run.reward, { reward: 0.5 });
  assert.match(judgeNode(run).criteria[0].error, /answered 400/);
});

Deno.test("--max-concurrent-llm limits calls, whatever they are for", async () => {
  const criteria = Array.from(
    { length: 6 },
    (_, i) => `[[criterion]]\nname = "c${i}"\ndescription = "Point ${i}?"\n`,
  ).join("\n");
  const settings = `${JUDGE}mode = "individual"\nsamples = 3\n`;
  const reply: Reply = { text: YES, delay: 0.03, repeat: true };
  const few = await judged([reply], { settings, criteria, args: ["--max-concurrent-llm", "2"] });
  await using _few = few.run;
  assert.deepEqual([few.run.code, few.requests.length, few.mostAtOnce], [0, 18, 2]);
  const all = await judged([reply], { settings, criteria, args: ["--max-concurrent-llm", "0"] });
  await using _all = all.run;
  assert.equal(all.requests.length, 18);
  assert.ok(all.mostAtOnce > 8, `${all.mostAtOnce} at once`);
});

Deno.test("nothing listens: the run ends with an error that names the address", async () => {
  const { run, seconds } = await judged([], {
    settings: `${JUDGE}timeout = 3\n`,
    env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:9" },
  });
  await using _ = run;
  assert.equal(run.code, 1);
  assert.ok(seconds < 10, `${seconds} s`);
  assert.match(run.stderr, /cannot be reached/);
  assert.match(run.stderr, /hint: Check the address \(http:\/\/127\.0\.0\.1:9\)/);
});

Deno.test("a missing key is told before anything runs or is paid for", async () => {
  const { run, requests } = await judged([{ text: YES }], { env: { ANTHROPIC_API_KEY: "" } });
  await using _ = run;
  assert.equal(run.code, 2);
  assert.equal(run.details, null);
  assert.equal(requests.length, 0);
  assert.match(run.stderr, /judge\.toml.*ANTHROPIC_API_KEY is not set/);
});

Deno.test("of several tests folders, the last one's missing key is told before the first is graded", async () => {
  const toml = (model: string) => `[judge]\njudge = "${model}"\n${CRITERION}`;
  await using v1 = await folder({ "one/j.toml": toml("claude-opus-5-5") });
  await using v2 = await folder({ "two/j.toml": toml("groq/llama") });
  await using workspace = await folder({});
  await using server = startModelServer([{ text: YES, repeat: true }]);
  await using run = await rewardkit(
    [`${v1.path}/one`, `${v2.path}/two`, "--workspace", workspace.path],
    { env: { ...server.environment, GROQ_API_KEY: "" } },
  );
  assert.equal(run.code, 2);
  assert.equal(server.requests.length, 0);
  assert.match(run.stderr, /two\/j\.toml.*GROQ_API_KEY is not set/);
});
