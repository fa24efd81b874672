// The JSON Schema of an answer, for models that can be held to one.

import type { JudgeCriterion, Scale } from "../src/judge_config.ts";
import type { JsonSchema } from "./model.ts";

/**
 * The schema of an answer: one criterion is answered by an object with `reasoning` and `score`,
 * several by an object of such objects, by name. Reasoning comes first, so that the score follows
 * from it.
 *
 * Only keywords that every provider takes: bounds of numbers are not among them, and are checked
 * when the answer is read.
 */
export function answerSchema(criteria: readonly JudgeCriterion[]): JsonSchema {
  const [only] = criteria;
  if (criteria.length === 1) return verdictSchema(only!.scale);
  return objectOf(criteria.map(({ name, scale }) => [name, verdictSchema(scale)]));
}

function verdictSchema(scale: Scale): JsonSchema {
  return objectOf([["reasoning", { type: "string" }], ["score", scoreSchema(scale)]]);
}

function scoreSchema(scale: Scale): JsonSchema {
  switch (scale.type) {
    case "binary":
      return { type: "string", enum: ["yes", "no"] };
    case "numeric":
      return { type: "number" };
    case "likert":
    case "rubric":
      return { type: "integer" };
  }
}

function objectOf(properties: readonly [string, JsonSchema][]): JsonSchema {
  return {
    type: "object",
    // Defines properties, so that a criterion called "__proto__" is one like any other.
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name),
    additionalProperties: false,
  };
}
