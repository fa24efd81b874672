// Processes of runs are killed at random moments: what comes of it is the right reward or none, and
// nothing is left.
//
// REWARDKIT_FAULTS: how many are killed. Default: 60; `deno task test:kills` makes it 200.
// REWARDKIT_FAULTS_SEED: of the moments.

import assert from "node:assert/strict";
import { findOsSandbox } from "../../src/confinement/find.ts";
import { startModelServer } from "../model_server.ts";
import { type Done, type Outcome, outcomeOf, requireNothingLeft } from "./outcome.ts";
import type { Process, Role } from "./processes.ts";
import { random } from "./random.ts";
import { CHECKS_SUITE, JUDGES_SUITE, STRANGERS_SUITE, type Suite } from "./suite.ts";
import { Victim } from "./victim.ts";

/** One way to do harm. */
interface Kind {
  name: string;
  /** How many of 200. */
  share: number;
  suites: readonly Suite[];
  /** Does it; `null` if the run was over before. */
  strike(victim: Victim, moment: Moment): Promise<Done | null>;
}

/** When something is to be done. */
interface Moment {
  /** Milliseconds that a run of this suite takes. */
  duration: number;
  /** Numbers in [0, 1). */
  chance(): number;
}

const COUNT = Number(Deno.env.get("REWARDKIT_FAULTS") || 60);
const SEED = Number(Deno.env.get("REWARDKIT_FAULTS_SEED") || 1);

/** Runs at a time. */
const WIDTH = 3;

const isSandboxed = await findOsSandbox().then(() => true, () => false);
if (!isSandboxed) {
  const name = "NOT TESTED HERE: kills in runs of strangers, for which there is no sandbox";
  Deno.test({ name, ignore: true, fn: () => {} });
}
const CHECKS = [CHECKS_SUITE, ...isSandboxed ? [STRANGERS_SUITE] : []];
const ALL = [...CHECKS, JUDGES_SUITE];

const KINDS: readonly Kind[] = [
  { name: "coordinator", share: 50, suites: ALL, strike: (victim, moment) => end(victim, moment) },
  { name: "coordinator near its end", share: 15, suites: ALL, strike: endLate },
  { name: "coordinator while it writes", share: 25, suites: ALL, strike: endWriting },
  { name: "coordinator by SIGINT or SIGTERM", share: 20, suites: ALL, strike: interrupt },
  { name: "cell", share: 30, suites: CHECKS, strike: one("cell", [0, 1]) },
  { name: "command", share: 25, suites: CHECKS, strike: one("command", [0]) },
  { name: "agent", share: 10, suites: [JUDGES_SUITE], strike: one("agent", [0]) },
  { name: "every agent", share: 5, suites: [JUDGES_SUITE], strike: everyAgent },
  { name: "guardian", share: 20, suites: ALL, strike: one("guardian", [0]) },
];

/** No program of a criterion was killed. */
const NO_CRITERION: ReadonlySet<string> = new Set();

/** SIGKILL to the run's own process. */
async function end(victim: Victim, { duration, chance }: Moment): Promise<Done | null> {
  await sleep(chance() * 1.2 * duration);
  return killRun(victim);
}

/** When its last cell, or agent, has gone: all that is left to do takes some 50 ms. */
async function endLate(victim: Victim, { chance }: Moment): Promise<Done | null> {
  const role = victim.suite === JUDGES_SUITE ? "agent" : "cell";
  const isThere = () => victim.processes(role).length > 0;
  while (!victim.hasEnded && !isThere()) await sleep(10);
  while (!victim.hasEnded && isThere()) await sleep(1);
  await sleep(chance() * 50);
  return killRun(victim);
}

/** From the moment on in which the first of the two files comes into being. */
async function endWriting(victim: Victim, { chance }: Moment): Promise<Done | null> {
  const watcher = Deno.watchFs(victim.output);
  void victim.ended.then(() => watcher.close());
  for await (const { paths } of watcher) {
    if (paths.some((path) => path.includes("/.reward-details.json."))) break;
  }
  await sleep(chance() * 25);
  return killRun(victim);
}

function killRun(victim: Victim, signal: Deno.Signal = "SIGKILL"): Done | null {
  const hadBegun = victim.hasFolder;
  if (victim.hasEnded || !send(victim.pid, signal)) return null;
  return { endsRun: true, hadBegun, hit: NO_CRITERION, codes: [0, 130] };
}

/** What a terminal or a container sends. */
async function interrupt(victim: Victim, { duration, chance }: Moment): Promise<Done | null> {
  await sleep(chance() * 1.2 * duration);
  return killRun(victim, chance() < 0.5 ? "SIGINT" : "SIGTERM");
}

/** SIGKILL to a process of a role; to the next one if there is none at that moment. */
function one(role: Role, codes: readonly number[]): Kind["strike"] {
  return async (victim, { duration, chance }) => {
    await sleep(chance() * duration);
    for (let found: Process[] = []; !victim.hasEnded; await sleep(5)) {
      const before = found;
      found = victim.processes(role);
      if (found.length === 0) continue;
      // Not always at the very moment in which it appears.
      if (before.length === 0) {
        await sleep(chance() * 100);
        found = victim.processes(role);
      }
      const process = found[Math.floor(chance() * found.length)];
      if (process === undefined || !send(process.pid, "SIGKILL")) continue;
      const hit = new Set([...process.text.matchAll(/\bof=(\w+)/g)].map(([, name]) => name!));
      return { endsRun: false, hadBegun: true, hit, codes };
    }
    return null;
  };
}

/** SIGKILL to whatever answers for the judge, from a moment on, however often it is tried again. */
async function everyAgent(victim: Victim, { duration, chance }: Moment): Promise<Done | null> {
  await sleep(chance() * duration);
  let kills = 0;
  for (; !victim.hasEnded; await sleep(5)) {
    for (const { pid } of victim.processes("agent")) if (send(pid, "SIGKILL")) kills++;
  }
  return kills === 0 ? null : { ...NOTHING_DONE, codes: [0, 1] };
}

/** Nothing was done, or too late. */
const NOTHING_DONE: Done = { endsRun: false, hadBegun: true, hit: NO_CRITERION, codes: [0] };

/** Milliseconds that runs of each suite take here, as many at a time as later. */
const durations = new Map<Suite, number>();
const server = startModelServer([
  { delay: 0.05, text: '{"kind": {"reasoning": "fine", "score": "yes"}}', repeat: true },
]);

for (const suite of ALL) {
  Deno.test(`a run of ${suite.name} that nobody disturbs gives the right reward`, async () => {
    const measured = await inParallel(2 * WIDTH, async () => {
      await using victim = new Victim(suite, server.environment);
      const start = performance.now();
      const ending = await victim.ended;
      const duration = performance.now() - start;
      assert.equal(outcomeOf(victim, ending, NOTHING_DONE), "right reward");
      await requireNothingLeft(victim, ending);
      return duration;
    });
    durations.set(suite, measured.sort((one, other) => one - other)[WIDTH]!);
  });
}

for (const [place, { name, share, suites, strike }] of KINDS.entries()) {
  const wanted = Math.max(1, Math.round(share * COUNT / 200));
  Deno.test(`kill: ${name}: a right reward or none, and nothing left`, async (t) => {
    const outcomes = new Map<Outcome, number>();
    let [started, done, late] = [0, 0, 0];
    const attempt = async () => {
      const number = started++;
      const suite = suites[number % suites.length]!;
      const chance = random(SEED * 1_000_000 + place * 10_000 + number);
      await using victim = new Victim(suite, server.environment);
      // Runs take less than they did when they were measured, if they had company then.
      const duration = durations.get(suite)! * 0.9 ** late;
      const struck = await strike(victim, { duration, chance });
      const ending = await victim.ended;
      const outcome = outcomeOf(victim, ending, struck ?? NOTHING_DONE);
      await requireNothingLeft(victim, ending);
      if (struck === null) return void late++;
      done++;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    };
    // Some come too late.
    while (done < wanted && started < 5 * wanted + 10 * WIDTH) {
      await inParallel(wanted - done, attempt);
    }
    const counts = [...outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(", ");
    // A step's name is shown, also with --quiet; what is printed is not.
    await t.step(`${done} kills, in ${started} runs: ${counts}`, () => assert.equal(done, wanted));
  });
}

Deno.test("the stand-in for a model ends", () => server[Symbol.asyncDispose]());

/** Does something a number of times, some at a time. */
async function inParallel<T>(times: number, work: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let started = 0;
  const lane = async () => {
    while (started < times) {
      started++;
      results.push(await work());
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, lane));
  return results;
}

/** Says whether there was somebody to get it. */
function send(pid: number, signal: Deno.Signal): boolean {
  try {
    Deno.kill(pid, signal);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
