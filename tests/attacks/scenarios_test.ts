// Every attack that takes a run of its own, in each mode.

import assert from "node:assert/strict";
import { findOsSandbox } from "../../src/confinement/find.ts";
import { Slots } from "../../src/slots.ts";
import { SCENARIOS } from "./all.ts";
import { type Mode, MODES } from "./attack.ts";
import { attempt, type Scenario } from "./scenario.ts";

/** Fewer would mean that some were lost. */
const LEAST_ATTACKS = 500;

const hasSandbox = await findOsSandbox().then(() => true, () => false);
if (!hasSandbox) console.log("SKIPPED: attacks on the system's sandbox: there is none");

/** Runs at the same time: most of them wait for a time limit. */
const AT_ONCE = 3;

const tally = { tried: 0, stopped: 0, accepted: 0 };

for (const [name, scenarios] of Object.entries(SCENARIOS)) {
  Deno.test(`attacks on ${name} end as expected`, async () => {
    const slots = new Slots(AT_ONCE);
    const wrong = await Promise.all(
      scenarios.flatMap((scenario) =>
        MODES.filter((mode) => scenario.ends[mode] && (mode !== "untrusted" || hasSandbox))
          .map((mode) => slots.use(() => tryOne(scenario, mode)))
      ),
    );
    assert.deepEqual(wrong.filter((problem) => problem !== null), []);
  });
}

/** What is wrong, if anything. */
async function tryOne(scenario: Scenario, mode: Mode): Promise<string | null> {
  const { name, ends, count = 1 } = scenario;
  const problem = await attempt(scenario, mode).then(() => null, (error: Error) => error.message);
  tally.tried += count;
  if (problem !== null) return `${name} (${mode}): ${problem}`;
  if (ends[mode]!.accepted === undefined) tally.stopped += count;
  else tally.accepted += count;
  return null;
}

Deno.test("no scenario was lost", async (t) => {
  const all = Object.values(SCENARIOS).flat();
  const attacks = all.reduce((sum, { count = 1 }) => sum + count, 0);
  const { tried, stopped, accepted } = tally;
  // A step's name is shown, also with --quiet.
  const counts = `tried ${tried} times, ${stopped} stopped, ${accepted} accepted`;
  await t.step(`${attacks} attacks that take a run: ${counts}`, () => {
    assert.ok(attacks >= LEAST_ATTACKS, `${attacks} attacks`);
  });
  assert.equal(new Set(all.map(({ name }) => name)).size, all.length);
});
