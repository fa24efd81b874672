// What a script is told of a run, and how it ends one.

import assert from "node:assert/strict";
import { GradingError, run, type RunEvent, runMany } from "../mod.ts";
import { folder } from "./cli.ts";
import { startModelServer } from "./model_server.ts";

const CHECK = `
  import * as rk from "@rewardkit/cli";
  rk.fileExists("a.txt");
  rk.commandSucceeds("echo told");
  rk.criterion(function half() { console.log("printed"); return 0.5; });
  rk.criterion(function breaks() { throw new Error("boom"); });`;

/** Grades with `onError: "zero"`, and gives every event. */
async function eventsOf(files: Record<string, string>, env: Record<string, string> = {}) {
  await using tests = await folder(files);
  await using workspace = await folder({ "a.txt": "a" });
  const events: RunEvent[] = [];
  const scores = await run(tests.path, {
    workspace: workspace.path,
    output: null,
    onError: "zero",
    judgeEnv: env,
    onEvent: (event) => events.push(event),
  });
  return { tests: tests.path, events, scores };
}

function ofType<Type extends RunEvent["type"]>(events: readonly RunEvent[], type: Type) {
  return events.filter((event): event is Extract<RunEvent, { type: Type }> => event.type === type);
}

Deno.test("a run tells of every file and criterion, in an order that can be followed", async () => {
  const { tests, events, scores } = await eventsOf({ "checks.ts": CHECK, "odd.ts": "throw 1;" });
  const [checks, odd] = [`${tests}/checks.ts`, `${tests}/odd.ts`];
  const files = [{ file: checks, kind: "programmatic" }, { file: odd, kind: "programmatic" }];
  assert.deepEqual(events[0], { type: "discovered", testsDir: tests, files });
  const [planned] = ofType(events, "planned");
  assert.deepEqual(planned!.files.map(({ file, criteria }) => [file, criteria]), [
    [checks, ["file_exists:a.txt", "command_succeeds:echo told", "half", "breaks"]],
    [odd, ["odd"]],
  ]);
  const finished = ofType(events, "criterionFinished");
  assert.deepEqual(
    finished.filter(({ file }) => file === checks)
      .map(({ index, criterion, score, error }) => [index, criterion, score, error])
      .sort(([one], [other]) => Number(one) - Number(other)),
    [
      [0, "file_exists:a.txt", 1, undefined],
      [1, "command_succeeds:echo told", 1, undefined],
      [2, "half", 0.5, undefined],
      [3, "breaks", 0, "boom"],
    ],
  );
  assert.match(finished.find(({ file }) => file === odd)!.error!, /1/);
  const at = (type: RunEvent["type"], file: string, index?: number) =>
    events.findIndex((event) =>
      event.type === type && "file" in event && event.file === file &&
      (index === undefined || ("index" in event && event.index === index))
    );
  for (const index of [0, 1, 2, 3]) {
    const order = [
      events.indexOf(planned!),
      at("fileStarted", checks),
      at("criterionStarted", checks, index),
      at("criterionFinished", checks, index),
      at("fileFinished", checks),
    ];
    assert.deepEqual(order, order.toSorted((one, other) => one - other));
    assert.ok(!order.includes(-1));
  }
  assert.ok(at("fileFinished", odd) !== -1);
  assert.match(ofType(events, "output").map(({ text }) => text).join(""), /printed/);
  const done = events.at(-1)!;
  assert.ok(done.type === "done");
  assert.deepEqual(done.rewards, scores);
  assert.deepEqual(
    done.errors.map(({ message }) => message).sort(),
    [...[
      "boom",
      finished.find(({ file }) => file === odd)!.error!,
    ]].sort(),
  );
});

Deno.test("a judge tells how far it is, and then each score", async () => {
  const answer = '{"reasoning": "r", "score": "yes"}';
  await using server = startModelServer(() => ({ text: answer }));
  const { tests, events } = await eventsOf({
    "quality.toml": '[judge]\njudge = "anthropic/claude-opus-5-5"\nfiles = ["a.txt"]\n' +
      '[[criterion]]\nname = "ok"\ndescription = "Is it right?"\n',
  }, server.environment);
  const file = `${tests}/quality.toml`;
  assert.deepEqual(ofType(events, "planned")[0]!.files, [{ file, kind: "llm", criteria: ["ok"] }]);
  const { progress } = ofType(events, "judgeProgress").at(-1)!;
  assert.equal(progress.done, 1);
  assert.equal(progress.calls, 1);
  const types = events.filter((event) => "file" in event).map(({ type }) => type);
  assert.equal(types[0], "fileStarted");
  assert.deepEqual(types.slice(-2), ["criterionFinished", "fileFinished"]);
  assert.deepEqual(ofType(events, "criterionFinished"), [
    { type: "criterionFinished", file, index: 0, criterion: "ok", score: 1, reasoning: "r" },
  ]);
});

Deno.test("several tests folders come one after the other, and are done once", async () => {
  const check = `import * as rk from "@rewardkit/cli"; rk.fileExists("a.txt");`;
  await using tests = await folder({ "v1/a.ts": check, "v2/b.ts": check });
  await using workspace = await folder({ "a.txt": "a" });
  const events: RunEvent[] = [];
  await runMany([`${tests.path}/v1`, `${tests.path}/v2`], {
    workspace: workspace.path,
    output: null,
    onEvent: (event) => events.push(event),
  });
  const order = events.filter(({ type }) => type === "discovered" || type === "fileFinished");
  assert.deepEqual(order.map(({ type }) => type), [
    ...["discovered", "fileFinished", "discovered", "fileFinished"],
  ]);
  assert.deepEqual(events.at(-1), {
    type: "done",
    rewards: { "v1/reward": 1, "v2/reward": 1 },
    errors: [],
  });
});

Deno.test("errors are in the last event and in what run() rejects with", async () => {
  await using tests = await folder({ "checks.ts": CHECK });
  await using workspace = await folder({ "a.txt": "a" });
  const events: RunEvent[] = [];
  const onEvent = (event: RunEvent) => events.push(event);
  const running = run(tests.path, { workspace: workspace.path, output: null, onEvent });
  await assert.rejects(running, (error) => {
    const done = events.at(-1)!;
    assert.ok(error instanceof GradingError && done.type === "done");
    assert.equal(done.rewards, null);
    assert.deepEqual(done.errors, error.errors);
    return true;
  });
});

Deno.test("an AbortSignal ends a run: it rejects with the reason and leaves no process", async () => {
  const mark = `sleep 7${Math.floor(Math.random() * 1e6)}`;
  await using tests = await folder({
    "checks.ts": `import * as rk from "@rewardkit/cli";
      rk.commandSucceeds("${mark}", { timeout: 60 });`,
  });
  await using workspace = await folder({ "a.txt": "a" });
  await using output = await folder({});
  const ending = new AbortController();
  const reason = new Error("enough");
  const events: RunEvent[] = [];
  const running = run(tests.path, {
    workspace: workspace.path,
    output: `${output.path}/reward.json`,
    signal: ending.signal,
    onEvent: (event) => {
      events.push(event);
      if (event.type === "criterionStarted") ending.abort(reason);
    },
  });
  await assert.rejects(running, reason);
  assert.equal(ofType(events, "done").length, 0);
  assert.deepEqual([...Deno.readDirSync(output.path)], []);
  const left = await new Deno.Command("pgrep", { args: ["-f", `^${mark}$`] }).output();
  assert.equal(new TextDecoder().decode(left.stdout), "");
  await assert.rejects(run(tests.path, { signal: AbortSignal.abort(reason) }), reason);
});

Deno.test("what a listener throws is the program's error, and the run goes on", async () => {
  await using tests = await folder({ "checks.ts": CHECK });
  await using workspace = await folder({ "a.txt": "a" });
  const seen: string[] = [];
  const listen = (event: ErrorEvent) => {
    event.preventDefault();
    seen.push(event.error.message);
  };
  globalThis.addEventListener("error", listen);
  try {
    const scores = await run(tests.path, {
      workspace: workspace.path,
      output: null,
      onError: "zero",
      onEvent: ({ type }) => {
        if (type === "planned") throw new Error("mine");
      },
    });
    assert.equal(scores.reward, 0.625);
  } finally {
    globalThis.removeEventListener("error", listen);
  }
  assert.deepEqual(seen, ["mine"]);
});
