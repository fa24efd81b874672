import assert from "node:assert/strict";
import type { JudgeCriterion, Scale } from "../src/judge_config.ts";
import { answerSchema } from "./schema.ts";

function criterion(name: string, scale: Scale = { type: "binary" }): JudgeCriterion {
  return { name, description: "d", scale, weight: 1, negate: false, optional: false };
}

Deno.test("the schema of one criterion has its reasoning and then its score", () => {
  const schema = answerSchema([criterion("a")]);
  assert.deepEqual(schema, {
    type: "object",
    properties: { reasoning: { type: "string" }, score: { type: "string", enum: ["yes", "no"] } },
    required: ["reasoning", "score"],
    additionalProperties: false,
  });
  assert.deepEqual(Object.keys(schema.properties as object), ["reasoning", "score"]);
});

Deno.test("the schema of a score says its type", () => {
  const scales: [Scale, string][] = [
    [{ type: "likert", points: 5 }, "integer"],
    [{ type: "rubric", levels: ["a", "b"] }, "integer"],
    [{ type: "numeric", min: 0, max: 1 }, "number"],
  ];
  for (const [scale, type] of scales) {
    const { properties } = answerSchema([criterion("a", scale)]);
    assert.deepEqual((properties as Record<string, unknown>).score, { type });
  }
});

Deno.test("several criteria are keys of the schema, whatever their names", () => {
  const names = ["__proto__", "constructor", "score", "toString"];
  const sent = JSON.parse(JSON.stringify(answerSchema(names.map((name) => criterion(name)))));
  assert.deepEqual(Object.keys(sent.properties), names);
  assert.deepEqual(sent.required, names);
  assert.equal(sent.additionalProperties, false);
  for (const name of names) {
    assert.ok(Object.hasOwn(sent.properties, name));
    assert.deepEqual(sent.properties[name].required, ["reasoning", "score"]);
  }
});
