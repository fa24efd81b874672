import assert from "node:assert/strict";
import { beginLoading, endLoading } from "../src/criterion/registry.ts";
import { outcomeOf, recordedCases, recordedWorkspace } from "./conformance_workspace.ts";
import { declared, withPlaceholders } from "./python/declared_check.ts";
import * as trajectory from "./trajectory.ts";

type Expected = number | "refused";

/** Where the outcome is another one than the original's, and why. */
const DIFFERENT: Record<string, Expected> = {
  // An author's mistakes: a count below 0 or not whole, a tool that is no text, no positive limit.
  "trajectory_tool_used-009": "refused",
  "trajectory_tool_used-010": "refused",
  "trajectory_tool_used-021": "refused",
  "trajectory_turn_count-014": "refused",
  "trajectory_turn_count-016": "refused",
  "trajectory_turn_count-017": "refused",
  "trajectory_turn_count-022": "refused",
  // A malformed trajectory fails the check, where the original aborts the run.
  "trajectory_tool_used-018": 0,
  "trajectory_tool_used-024": 0,
  "trajectory_tool_used-025": 0,
  "trajectory_tool_used-026": 0,
  "trajectory_tool_used-028": 0,
  "trajectory_tool_used-029": 0,
  "trajectory_tool_not_used-011": 0,
  "trajectory_tool_not_used-012": 0,
  "trajectory_tool_not_used-013": 0,
  "trajectory_tool_not_used-016": 0,
  "trajectory_tool_not_used-017": 0,
  "trajectory_turn_count-024": 0,
  "trajectory_turn_count-025": 0,
  "trajectory_turn_count-026": 0,
  "trajectory_turn_count-027": 0,
  "trajectory_turn_count-032": 0,
  "trajectory_turn_count-033": 0,
};

/** Optional arguments of the original that are options here, in its order. */
const POSITIONAL: Record<string, string[]> = {
  trajectory_tool_used: ["minCount", "path"],
  trajectory_tool_not_used: ["path"],
  trajectory_turn_count: ["path"],
};

const FUNCTIONS: Record<string, (first: never, options: never) => void> = {
  trajectory_tool_used: trajectory.trajectoryToolUsed,
  trajectory_tool_not_used: trajectory.trajectoryToolNotUsed,
  trajectory_turn_count: trajectory.trajectoryTurnCount,
};

for (const [criterion, declare] of Object.entries(FUNCTIONS)) {
  Deno.test(`${declare.name}() scores the recorded cases as the original does`, async (t) => {
    using workspace = recordedWorkspace();
    const cases = recordedCases(criterion);
    assert.ok(cases.length >= 16);
    for (const { id, args, kwargs, value } of cases) {
      await t.step(id, async () => {
        const expected = DIFFERENT[id] ?? value ?? "refused";
        const [first, ...rest] = withPlaceholders(args, workspace.path);
        const { min_count, ...others } = kwargs;
        const options: Record<string, unknown> = { ...others };
        if (min_count !== undefined) options.minCount = min_count;
        rest.forEach((each, index) => options[POSITIONAL[criterion]![index]!] = each);
        options.path = withPlaceholders([options.path], workspace.path)[0];
        const call = await declared(() => declare(first as never, options as never));
        if (call === undefined) return assert.equal("refused", expected);
        const check = trajectory.checks[criterion]!;
        const { result } = await outcomeOf(check, workspace.path, ...call.args);
        assert.equal(Number(result), expected);
      });
    }
  });
}

const STEPS = [
  { source: "agent", tool_calls: [{ function_name: "exec", arguments: { cmd: "git push" } }] },
  { source: "agent", tool_calls: [{ function_name: "exec", arguments: { cmd: "npm test" } }] },
  { source: "agent", tool_calls: [{ function_name: "web_search", arguments: '{"q": "push"}' }] },
];

async function score(content: string, declare: () => void) {
  const folder = Deno.realPathSync(Deno.makeTempDirSync());
  try {
    Deno.writeTextFileSync(`${folder}/t.json`, content);
    const call = await declared(declare);
    assert.ok(call !== undefined, "the declaration was refused");
    const check = trajectory.checks[call.criterion]!;
    const { result, warnings } = await outcomeOf(check, folder, ...call.args);
    return { result: Number(result), warnings };
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("trajectoryToolUsed() can look at names and arguments", async () => {
  const content = JSON.stringify({ steps: STEPS });
  const path = "t.json";
  const used = async (tool: string | RegExp, options: trajectory.ToolUsedOptions) => {
    const declare = () => trajectory.trajectoryToolUsed(tool, { path, ...options });
    return (await score(content, declare)).result;
  };
  assert.equal(await used(/^web_/, {}), 1);
  assert.equal(await used(/./g, { minCount: 3 }), 1);
  assert.equal(await used("exec", { minCount: 2 }), 1);
  assert.equal(await used("exec", { minCount: 2, args: "git" }), 0);
  assert.equal(await used("exec", { args: '{"cmd":"git push"}' }), 1);
  assert.equal(await used("exec", { args: /npm (test|run)/ }), 1);
  assert.equal(await used("web_search", { args: '"q": "push"' }), 1);
});

Deno.test("trajectoryToolNotUsed() can look at arguments", async () => {
  const content = JSON.stringify({ steps: STEPS });
  const path = "t.json";
  const unused = async (args: string) => {
    const declare = () => trajectory.trajectoryToolNotUsed("exec", { path, args });
    return (await score(content, declare)).result;
  };
  assert.equal(await unused("git push"), 0);
  assert.equal(await unused("git pull"), 1);
});

Deno.test("trajectoryToolNotUsed() names a trajectory that is not usable", async () => {
  for (
    const [content, expected] of [
      ["[]", /"t.json" is no trajectory: it is not an object/],
      ['{"steps": 1}', /"t.json" is no trajectory: it has "steps" that are not a list/],
      ['{"steps": [1]}', /step 0 that is not an object/],
      ['{"steps": [{"tool_calls": [1]}]}', /"tool_calls" in step 0/],
      ['{"steps": [', /"t.json" is not JSON/],
    ] as const
  ) {
    const declare = () => trajectory.trajectoryToolNotUsed("bash", { path: "t.json" });
    const { result, warnings } = await score(content, declare);
    assert.equal(result, 0);
    assert.match(warnings.join(), expected);
  }
  const missing = () => trajectory.trajectoryToolNotUsed("bash", { path: "gone.json" });
  assert.deepEqual(await score("", missing), {
    result: 0,
    warnings: ['"gone.json" does not exist'],
  });
});

Deno.test("trajectoryTurnCount() refuses a limit that is not positive", () => {
  for (const limit of [0, -1]) {
    assert.throws(() => trajectory.trajectoryTurnCount(limit), RangeError);
  }
  assert.throws(() => trajectory.trajectoryTurnCount(NaN), TypeError);
});

Deno.test("trajectoryToolUsed() asks to read Harbor's trajectory by default", () => {
  beginLoading();
  trajectory.trajectoryToolUsed("bash");
  const [registration] = endLoading().registrations;
  assert.deepEqual(registration!.needs, [{ read: "/logs/agent/trajectory.json" }]);
});
