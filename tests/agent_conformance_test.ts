// Every recorded agent judge of the original through the command line, with programs that stand in
// for the agents: it agrees, or it is on the list of differences and gives exactly what that says.

import assert from "node:assert/strict";
import { agentProblems } from "./conformance/agent_agreement.ts";
import { agentDifferences, type GivenByAgent } from "./conformance/agent_differences.ts";
import { type AgentCase, agentCases, type AgentOutcome, gradeAgent } from "./conformance/agents.ts";

const given: ReadonlyMap<string, GivenByAgent> = new Map(
  agentDifferences.flatMap(({ cases }) => Object.entries(cases)),
);

/** Runs at the same time. */
const AT_ONCE = 3;

Deno.test("the list of differences names recorded agent judges, each once", () => {
  const known = new Set(agentCases.map(({ id }) => id));
  const listed = agentDifferences.flatMap(({ cases }) => Object.keys(cases));
  assert.deepEqual(listed.filter((id) => !known.has(id)), []);
  assert.equal(listed.length, given.size);
});

Deno.test("every recorded agent judge ends as in the original, or differs as listed", async () => {
  assert.equal(agentCases.length, 74);
  const waiting = [...agentCases];
  const problems: string[] = [];
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      problems.push(...problemsOf(one, await gradeAgent(one)));
    }
  }));
  console.log(`${agentCases.length - given.size} of ${agentCases.length} recorded agents agree`);
  assert.deepEqual(problems, []);
});

function problemsOf(one: AgentCase, outcome: AgentOutcome): string[] {
  const problems = agentProblems(one, outcome);
  const { code, reward, runs, calls, stderr } = outcome;
  const scripts = calls.filter(({ tool }) => tool === "curl");
  if (scripts.length > 0) return [`${one.id}: an installer is fetched with curl`];
  const gives = given.get(one.id);
  if (gives === undefined) {
    return problems.map((problem, index) =>
      `${one.id}: ${problem}${index === 0 ? `\n${stderr.slice(0, 500)}` : ""}`
    );
  }
  if (problems.length === 0) return [`${one.id}: agrees, but is listed`];
  const found = { exit: code, reward: reward?.reward ?? null, runs: runs.length };
  if (JSON.stringify(found) === JSON.stringify(gives)) return [];
  return [`${one.id}: gives ${JSON.stringify(found)}, listed ${JSON.stringify(gives)}`];
}
