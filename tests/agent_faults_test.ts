// Agents that hang, flood and print junk, through the command line: the run ends in time, and nothing
// is left of it.

import assert from "node:assert/strict";
import { AgentBench, claudeSays, namesIn, YES } from "./agent_run.ts";

/**
 * Starts children that outlive a kill of the agent alone: in its group, in a session of their own,
 * and one that nobody is the parent of. The mark tells them from the processes of others.
 */
function family(mark: string): string {
  return `sleep ${mark} &
setsid sleep ${mark} &
(setsid sh -c 'trap "" TERM; sleep ${mark}; true' > /dev/null 2>&1 &)
until [ "$(pgrep -c -f "sleep ${mark}")" -ge 4 ]; do sleep 0.02; done
touch "$root/notes/started"
wait
`;
}

/** Seconds to sleep that nobody else sleeps. */
function newMark(): string {
  return `${600 + Math.random()}`;
}

async function processesOf(mark: string): Promise<string> {
  const { stdout } = await new Deno.Command("pgrep", { args: ["-a", "-f", mark] }).output();
  return new TextDecoder().decode(stdout);
}

/** Sends a signal as soon as a condition holds; gives the exit code. */
async function interrupt(
  child: Deno.ChildProcess,
  signal: Deno.Signal,
  condition: () => boolean,
): Promise<number> {
  let hasEnded = false;
  const ending = child.status.finally(() => hasEnded = true);
  while (!hasEnded && !condition()) await new Promise((resolve) => setTimeout(resolve, 5));
  if (!hasEnded) child.kill(signal);
  return (await ending).code;
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.test(`nothing is left of an agent when its run gets ${signal}`, async () => {
    const mark = newMark();
    await using bench = new AgentBench({
      judge: "codex",
      settings: "isolated = true\n",
      replies: [{ script: family(mark) }],
    });
    const hasStarted = () => bench.fakes.notes.includes("started");
    assert.equal(await interrupt(bench.start(), signal, hasStarted), 130);
    assert.ok(hasStarted());
    assert.equal(await processesOf(mark), "");
    assert.deepEqual(bench.temporary, []);
    const written = namesIn(bench.output).filter((name) => name.startsWith("reward"));
    assert.deepEqual(written, []);
    assert.deepEqual(namesIn(bench.workspace), ["a.txt"]);
  });
}

Deno.test("an agent whose view is being made when the run is interrupted never starts", async () => {
  const mark = newMark();
  await using bench = new AgentBench({
    settings: "isolated = true\n",
    // Takes a while to copy.
    workspace: Object.fromEntries(
      Array.from({ length: 4000 }, (_, at) => [`${at % 40}/${at}.txt`, "x"]),
    ),
    replies: [{ script: family(mark), repeat: true }],
  });
  const isCopying = () => bench.temporary.some((run) => views(run).some(isBegun));
  assert.equal(await interrupt(bench.start(["--isolation=copy"]), "SIGINT", isCopying), 130);
  assert.deepEqual(bench.fakes.calls, []);
  assert.equal(await processesOf(mark), "");
  assert.deepEqual(bench.temporary, []);

  function views(run: string): string[] {
    const folder = `${bench.root}/tmp/${run}`;
    return namesIn(folder).map((name) => `${folder}/${name}`);
  }

  function isBegun(view: string): boolean {
    return namesIn(`${view}/0`).length > 0;
  }
});

Deno.test("an agent that runs out of time is killed with its children; what it used counts", async () => {
  const mark = newMark();
  await using bench = new AgentBench({
    settings: "timeout = 2\n",
    replies: [{ stdout: claudeSays(YES), script: family(mark) }],
  });
  const run = await bench.run();
  assert.equal(run.code, 1);
  assert.equal(run.reward, null);
  const { criteria, usage, judge_logs } = run.details!.reward;
  assert.match(criteria[0].error, /claude-code gave no verdict within 2 s/);
  assert.deepEqual([usage.input_tokens, usage.cost_usd], [100, 0.25]);
  assert.match(judge_logs.join(), /process\.claude-code\.batched-1/);
  assert.equal(await processesOf(mark), "");
  assert.deepEqual(bench.temporary, []);
});

Deno.test("an agent that prints a gigabyte is killed, and its judge fails", async () => {
  await using bench = new AgentBench({
    replies: [{ script: "head -c 1000000000 /dev/zero", repeat: true }],
  });
  const run = await bench.run();
  assert.equal(run.code, 1);
  assert.equal(bench.fakes.runs.length, 3);
  assert.match(run.details!.reward.criteria[0].error, /printed more than 16 MiB and was killed/);
});

for (const judge of ["claude-code", "codex"]) {
  Deno.test(`junk that ${judge} prints is no verdict`, async () => {
    await using bench = new AgentBench({
      judge,
      replies: [
        { script: "head -c 3000000 /dev/urandom" },
        { script: "head -c 15000000 /dev/zero | tr '\\0' '{'" },
        { script: "head -c 15000000 /dev/zero | tr '\\0' '\\n'" },
      ],
    });
    const start = performance.now();
    const run = await bench.run();
    assert.ok(performance.now() - start < 20_000);
    assert.equal(run.code, 1);
    assert.equal(bench.fakes.runs.length, 3);
    assert.ok(run.details!.reward.judge_output.length < 1_000_000);
  });
}
