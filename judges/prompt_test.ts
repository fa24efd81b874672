import assert from "node:assert/strict";
import type { JudgeCriterion, Scale } from "../src/judge_config.ts";
import { askAgain, type PromptParts, systemPrompt } from "./prompt.ts";

function criterion(name: string, description: string, scale: Scale): JudgeCriterion {
  return { name, description, scale, weight: 1, negate: false, optional: false };
}

const CRITERIA = [
  criterion("works", 'Costs $& and $1; says "so"\nin {two} lines', { type: "binary" }),
  criterion("style", "Reads well", { type: "likert", points: 7 }),
  criterion("speed", "Is fast", { type: "numeric", min: -2, max: 3 }),
  criterion("depth", "Goes deep", { type: "rubric", levels: ["shallow", "{criteria}"] }),
];

const PARTS: PromptParts = {
  criteria: CRITERIA,
  shows: { files: true, reference: true, trajectory: true },
  fencePrompt: "FENCE",
  guardPrompt: "GUARD",
};

Deno.test("a prompt has each criterion as written, with the scores that it takes", () => {
  const prompt = systemPrompt(PARTS);
  for (const { name, description } of CRITERIA) {
    assert.ok(prompt.includes(`- ${JSON.stringify(name)}: ${description}`), name);
  }
  for (const range of ["from 1 to 7", "from -2 to 3", "from 0 to 1", "0 = shallow"]) {
    assert.ok(prompt.includes(range), range);
  }
  assert.ok(prompt.endsWith("\n\nFENCE\n\nGUARD"));
});

Deno.test("a prompt shows no score as an example, and reasoning first", () => {
  for (const { name, description, scale } of CRITERIA) {
    const prompt = systemPrompt({ ...PARTS, criteria: [criterion(name, description, scale)] });
    const example = prompt.split("\n").find((line) => line.startsWith('{"reasoning": '));
    assert.match(example!, /^\{"reasoning": "<why>", "score": "?<[a-z ]+>"?\}$/);
  }
});

Deno.test("a prompt tells of what is shown, and of nothing else", () => {
  const none = { files: false, reference: false, trajectory: false };
  const told = (shows: PromptParts["shows"]) => systemPrompt({ ...PARTS, shows });
  assert.match(told(none), /shows no files/);
  assert.doesNotMatch(told({ ...none, files: true }), /trajectory|reference/);
  assert.match(told({ ...none, trajectory: true }), /shows a trajectory/);
  assert.match(told({ ...none, reference: true }), /shows reference material/);
});

Deno.test("a template replaces our words, not the fence's and the guard's", () => {
  const prompt = systemPrompt({ ...PARTS, template: "Mine:\n{criteria}\nAgain:\n{criteria}" });
  assert.ok(prompt.startsWith("Mine:\nThe criteria:\n"));
  assert.doesNotMatch(prompt, /You grade a submission/);
  const [first, second] = prompt.slice("Mine:\n".length).split("\nAgain:\n");
  assert.equal(second, `${first}\n\nFENCE\n\nGUARD`);
  assert.ok(first!.includes("Costs $& and $1"));
  // What a description holds is not replaced in turn.
  assert.ok(first!.includes("1 = {criteria}"));
});

Deno.test("a repeated question says what was wrong with each answer", () => {
  const one = askAgain(new Map([["works", "the score is null"]]));
  assert.ok(one.includes('- "works": the score is null'));
  assert.doesNotMatch(one, /each of these/);
  const two = askAgain(new Map([["a", "x"], ["b", "y"]]));
  assert.ok(two.includes('- "a": x\n- "b": y'));
  assert.match(two, /each of these/);
});
