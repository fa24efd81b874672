import assert from "node:assert/strict";
import { UsageError } from "./errors.ts";
import { type RunOptions, type Settings, settingsFrom } from "./settings.ts";

Deno.test("settingsFrom() refuses what is out of range and names it", () => {
  const refused: [RunOptions, RegExp][] = [
    [{ passMark: 0 }, /^The pass mark is 0, expected a number above 0 and up to 1$/],
    [{ passMark: -0.5 }, /pass mark is -0\.5/],
    [{ passMark: 1.01 }, /pass mark is 1\.01/],
    [{ passMark: NaN }, /pass mark is NaN/],
    [{ maxConcurrentProgrammatic: -1 }, /^maxConcurrentProgrammatic is -1, expected a whole/],
    [{ maxConcurrentProgrammatic: 1.5 }, /^maxConcurrentProgrammatic is 1\.5/],
    [{ maxConcurrentLlm: NaN }, /^maxConcurrentLlm is NaN/],
    [{ maxConcurrentAgent: Infinity }, /^maxConcurrentAgent is Infinity/],
    [{ criterionTimeout: 0 }, /^criterionTimeout is 0, expected a number above 0$/],
    [{ loadTimeout: -3 }, /^loadTimeout is -3/],
    [{ maxFileBytes: Infinity }, /^maxFileBytes is Infinity/],
    [{ maxFileBytes: NaN }, /^maxFileBytes is NaN/],
    [{ onError: "ignore" as "zero" }, /^onError is "ignore", expected fail or zero$/],
    [{ sandbox: "none" as "os", untrusted: true }, /^sandbox is "none", expected os or deno$/],
  ];
  for (const [options, message] of refused) {
    assert.throws(() => settingsFrom(options), (error: Error) => {
      assert.match(error.message, message);
      return error instanceof UsageError;
    });
  }
});

Deno.test("settingsFrom() takes the ends of each range", () => {
  assert.equal(settingsFrom({ passMark: 1 }).passMark, 1);
  assert.equal(settingsFrom({ passMark: Number.MIN_VALUE }).passMark, Number.MIN_VALUE);
  assert.equal(settingsFrom({ maxConcurrentProgrammatic: 0 }).maxConcurrentProgrammatic, 0);
  assert.equal(settingsFrom({ maxFileBytes: 1 }).maxFileBytes, 1);
  assert.equal(settingsFrom({ output: null }).output, null);
});

Deno.test("one criterion timeout holds for built-in and custom criteria", () => {
  const { builtinTimeoutSec, customTimeoutSec } = settingsFrom({ criterionTimeout: 7 });
  assert.deepEqual([builtinTimeoutSec, customTimeoutSec], [7, 7]);
});

/** In a process of its own: the environment of this one belongs to other tests as well. */
async function settingsWithin(
  env: Record<string, string>,
  options: RunOptions = {},
): Promise<Partial<Settings> & { error?: string }> {
  const module = new URL("./settings.ts", import.meta.url).href;
  const code = `
    import { settingsFrom } from "${module}";
    try { console.log(JSON.stringify(settingsFrom(${JSON.stringify(options)}))); }
    catch (error) { console.log(JSON.stringify({ error: error.message })); }
  `;
  const { stdout, stderr, success } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-config", "--no-lock", "--no-check", "--ext=ts", code],
    clearEnv: true,
    env: { ...pick(["HOME", "DENO_DIR", "PATH"]), ...env },
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

function pick(names: string[]): Record<string, string> {
  const all = Deno.env.toObject();
  return Object.fromEntries(names.filter((name) => name in all).map((name) => [name, all[name]!]));
}

Deno.test("settingsFrom() has the documented defaults", async () => {
  const { judgeEnvironment: _, ...settings } = await settingsWithin({});
  assert.deepEqual(settings, {
    workspace: "/app",
    output: "/logs/verifier/reward.json",
    report: null,
    maxConcurrentProgrammatic: 8,
    maxConcurrentLlm: 8,
    maxConcurrentAgent: 2,
    suite: { yolo: false },
    onError: "fail",
    builtinTimeoutSec: 60,
    checksTypes: true,
    customTimeoutSec: 300,
    loadTimeoutSec: 30,
    maxFileBytes: 268435456,
    junit: null,
    ownsProcess: false,
    timeoutSec: 0,
    memoryLimitMiB: 1024,
    untrusted: null,
    isolation: "auto",
  });
});

Deno.test("judges see the environment, and variables of their own over it", async () => {
  const { judgeEnvironment, suite } = await settingsWithin(
    { A_API_KEY: "outer", REWARDKIT_JUDGE: "openai/x" },
    { judgeEnv: { A_API_KEY: "inner", REWARDKIT_JUDGE: "openai/y" } },
  );
  assert.equal(judgeEnvironment?.A_API_KEY, "inner");
  assert.equal(suite?.judge, "openai/y");
});

Deno.test("settingsFrom() reads the environment, options first", async () => {
  const env = {
    REWARDKIT_PASS_MARK: "0.75",
    REWARDKIT_JUDGE: "anthropic/x",
    REWARDKIT_MODEL: "m",
    REWARDKIT_REASONING_EFFORT: "high",
  };
  const [plain, given, empty, wrong] = await Promise.all([
    settingsWithin(env),
    settingsWithin(env, { passMark: 1, judge: "openai/y", model: "n", reasoningEffort: "low" }),
    settingsWithin({ REWARDKIT_PASS_MARK: "", REWARDKIT_JUDGE: "" }),
    settingsWithin({ REWARDKIT_PASS_MARK: "half" }),
  ]);
  assert.equal(plain.passMark, 0.75);
  assert.deepEqual(plain.suite, {
    judge: "anthropic/x",
    model: "m",
    reasoningEffort: "high",
    yolo: false,
  });
  assert.equal(given.passMark, 1);
  assert.deepEqual(given.suite, {
    judge: "openai/y",
    model: "n",
    reasoningEffort: "low",
    yolo: false,
  });
  assert.equal("passMark" in empty, false);
  assert.deepEqual(empty.suite, { yolo: false });
  assert.match(wrong.error!, /pass mark is NaN/);
});
