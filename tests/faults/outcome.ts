// What a run may have come to when something of it was killed: anything else is a fault.

import assert from "node:assert/strict";
import { namesIn } from "../agent_run.ts";
import { mountsOf, processesOf } from "./processes.ts";
import { rewardOf, type Suite, WORKSPACE } from "./suite.ts";
import { EARLIER, type Ending, readOrNull, type Victim } from "./victim.ts";

/** `earlier`: killed before it could remove the reward of the run before. */
export type Outcome = "right reward" | "no reward" | "earlier reward";

/** What was done to a run. */
export interface Done {
  /** Whether the run's own process was killed by it. */
  endsRun: boolean;
  /** Whether the run had begun to work when that was done. */
  hadBegun: boolean;
  /** Criteria of which a program was killed: they may have failed. */
  hit: ReadonlySet<string>;
  /** Exit codes of a run that ends by itself. */
  codes: readonly number[];
}

/**
 * Looks at the files of a run.
 *
 * @throws {AssertionError} If they are wrong, stale or partial.
 */
export function outcomeOf({ suite, output }: Victim, ending: Ending, done: Done): Outcome {
  const { status, stderr, reward, details } = ending;
  const said = `code ${status.code}, signal ${status.signal}\n${stderr}\n${reward}\n${details}`;
  if (status.signal === null) assert.ok(done.codes.includes(status.code), said);
  else assert.ok(done.endsRun, said);
  const strange = [...Deno.readDirSync(output)].map(({ name }) => name).filter((name) =>
    !["reward.json", "reward-details.json"].includes(name) &&
    // What an agent that failed has printed.
    !/^process\.claude-code\..*\.txt$/.test(name) &&
    // Written beside its place; nobody is left to remove it.
    !(status.signal !== null && /^\.reward\S*\.tmp$/.test(name))
  );
  assert.deepEqual(strange, [], said);
  if (reward === EARLIER || details === EARLIER) {
    assert.ok(status.signal !== null && !done.hadBegun, `stale: ${said}`);
    // The reward goes first.
    assert.equal(details, EARLIER, said);
    return reward === null ? "no reward" : "earlier reward";
  }
  const values = details === null ? null : valuesOf(JSON.parse(details));
  if (values !== null) requireRight(suite, values, done, said);
  if (reward === null) {
    if (status.signal === null) assert.notEqual(status.code, 0, said);
    return "no reward";
  }
  if (status.signal === null) assert.equal(status.code, 0, said);
  assert.ok(values !== null && !Object.values(values).some(isError), said);
  const expected = rewardOf(suite, values as Record<string, number>);
  assert.deepEqual(JSON.parse(reward), { reward: expected }, said);
  return "right reward";
}

/** Every criterion is there, and is an error or has its value. */
function requireRight(suite: Suite, values: Values, { hit }: Done, said: string): void {
  const expected = Object.entries(suite.parts).flatMap(([part, names]) =>
    // A file that could not be loaded is one error.
    isError(values[part]) ? [part] : names
  );
  assert.deepEqual(Object.keys(values).sort(), expected.sort(), said);
  for (const [name, value] of Object.entries(values)) {
    if (isError(value) || hit.has(name) && value === 0) continue;
    assert.equal(value, suite.values[name], `${name}: ${said}`);
  }
}

type Values = Record<string, number | string>;

function isError(value: number | string | undefined): value is string {
  return typeof value === "string";
}

/** Values of criteria, or their errors, by name. */
function valuesOf(details: unknown): Values {
  if (typeof details !== "object" || details === null) return {};
  const values: Values = {};
  for (const [key, value] of Object.entries(details)) {
    if (key !== "criteria") Object.assign(values, valuesOf(value));
    else for (const { name, value: score, error } of value) values[name] = error ?? score;
  }
  return values;
}

/** Seconds that cleaning up after a killed run may take on a machine with much to do. */
const GRACE_SEC = 10;

/**
 * Requires that nothing is left of a run, and the workspace is as it was.
 *
 * @throws {AssertionError} If something is.
 */
export async function requireNothingLeft(
  victim: Victim,
  { status, stderr }: Ending,
): Promise<void> {
  // Nobody waits for what cleans up after a run that was killed.
  const grace = status.signal === null ? 0 : GRACE_SEC;
  const until = performance.now() + grace * 1000;
  while (leftOf(victim).length > 0 && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const said = `${victim.suite.name}: code ${status.code}, signal ${status.signal}\n${stderr}`;
  assert.deepEqual(leftOf(victim), [], `${said}\n${leftOf(victim).join("\n")}`);
  for (const [name, text] of Object.entries(WORKSPACE)) {
    assert.equal(readOrNull(`${victim.workspace}/${name}`), text);
  }
  assert.deepEqual([...Deno.readDirSync(victim.workspace)].length, Object.keys(WORKSPACE).length);
}

function leftOf({ root, temporary }: Victim): string[] {
  return [
    ...processesOf(root).map(({ pid, text }) =>
      `process ${pid}: ${text.replaceAll("\0", " ").slice(0, 300)}`
    ),
    ...mountsOf(root).map((line) => `mount: ${line}`),
    ...namesIn(temporary).flatMap((name) => [
      `folder: ${name}`,
      ...namesIn(`${temporary}/${name}`).map((inner) => `in it: ${inner}`),
    ]),
  ];
}
