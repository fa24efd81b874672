// Everything that check files try, in each mode.

import assert from "node:assert/strict";
import { findOsSandbox } from "../../src/confinement/find.ts";
import { SUBJECTS } from "./all.ts";
import { attempt, type Mode, MODES, type Subject } from "./attack.ts";

/** Fewer would mean that some were lost. */
const LEAST_ATTACKS = 150;

const hasSandbox = await findOsSandbox().then(() => true, () => false);
if (!hasSandbox) console.log("SKIPPED: attacks on the system's sandbox: there is none");

let tried = 0;
let stopped = 0;

for (const subject of SUBJECTS) {
  for (const mode of MODES) {
    Deno.test({
      name: `attacks on ${subject.name} end as expected: ${mode}`,
      ignore: mode === "untrusted" && !hasSandbox,
      fn: () => expectOutcomes(subject, mode),
    });
  }
}

Deno.test("no attack was lost", async (t) => {
  const attacks = SUBJECTS.flatMap(({ attacks }) => attacks);
  const counts = `${stopped} stopped, ${tried - stopped} accepted`;
  // A step's name is shown, also with --quiet.
  await t.step(
    `${attacks.length} attacks, tried ${tried} times in ${MODES.length} modes: ${counts}`,
    () => assert.ok(attacks.length >= LEAST_ATTACKS, `${attacks.length} attacks`),
  );
});

async function expectOutcomes(subject: Subject, mode: Mode): Promise<void> {
  const { attacks, allowed } = await attempt(subject, mode);
  const wrong: string[] = [];
  for (const { name, works = [], depends = [] } of subject.attacks) {
    if (depends.includes(mode)) continue;
    const said = attacks.get(name);
    tried++;
    if (said !== null) stopped++;
    const expected = works.includes(mode) ? "works" : "stopped";
    const found = said === undefined ? "lost" : said === null ? "works" : "stopped";
    if (found !== expected) wrong.push(`${name}: ${found}, expected ${expected} ${said ?? ""}`);
  }
  for (const name of Object.keys(subject.allowed.code)) {
    const said = allowed.get(name);
    if (said !== null) wrong.push(`${name} must work: ${said ?? "lost"}`);
  }
  assert.deepEqual(wrong, [], `attacks on ${subject.protects}`);
}
