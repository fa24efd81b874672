// Recorded tests folders that end in another way here.

import { type Difference, IS_SLIP } from "./difference.ts";

export const layoutDifferences: readonly Difference[] = [
  {
    kind: "useless argument",
    reason: IS_SLIP,
    gives: { failed: /a\.ts: const: weight must be a finite number, got true$/m },
    cases: ["layout-125"],
  },
  {
    kind: "useless argument",
    reason: "a result has the types that it is declared with; text is no number",
    gives: { failed: /a\.ts: c: The criterion returned "0\.5" as confidence, expected a number/ },
    cases: ["layout-062"],
  },
  {
    kind: "nothing to grade",
    reason: "an empty reward was taken for a result in practice",
    gives: {
      refused: /: no criteria: (these files declare none|it has no check file and no judge)/,
    },
    cases: [
      "layout-017",
      "layout-019",
      "layout-020",
      "layout-021",
      "layout-241",
      "layout-242",
      "layout-332",
    ],
  },
  {
    kind: "judge names",
    reason: "a criterion without a usable name is numbered, so that it has one and cannot collide",
    gives: { names: ["criterion_0"] },
    cases: ["layout-293", "layout-301"],
  },
  {
    kind: "judge names",
    reason: "a criterion without a usable name is numbered, so that it has one and cannot collide",
    gives: { names: ["criterion_0", "criterion_1"] },
    cases: ["layout-307"],
  },
  {
    kind: "jev",
    reason: "`jev` is no agent here; a judge called so names a model, and every model has a guard",
    gives: { kinds: ["llm"] },
    cases: ["layout-323", "layout-324"],
  },
];
