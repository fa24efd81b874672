import assert from "node:assert/strict";
import type { CriterionScore } from "../score/criterion_score.ts";
import type { LeafNode, ScoreNode } from "../score/tree.ts";
import { treeText } from "./tree_text.ts";

function criterion(
  name: string,
  value: number,
  more: Partial<CriterionScore> = {},
): CriterionScore {
  return { name, value, raw: value, weight: 1, ...more };
}

function leaf(score: number, criteria: CriterionScore[], more: Partial<LeafNode> = {}): LeafNode {
  return { score, criteria, kind: "programmatic", ...more };
}

Deno.test("treeText() draws groups, files, criteria, weights, reasons and warnings", () => {
  const details: Record<string, ScoreNode> = {
    correctness: {
      kind: "group",
      score: 0.8333,
      aggregation: "weighted-mean",
      components: [
        { name: "files", weight: 1, detail: leaf(1, [criterion("file_exists:main.py", 1)]) },
        {
          name: "behavior",
          weight: 2,
          detail: leaf(0.75, [
            criterion("runs", 1),
            criterion("speed", 0.5, { weight: 0.5, reasoning: "twice\nas slow" }),
            criterion("empty input", 0),
          ], { warnings: ["empty input: the command was killed: its time limit was reached"] }),
        },
      ],
    },
    quality: leaf(0.6, [criterion("readable", 0.6)]),
  };
  assert.equal(
    treeText({ correctness: 0.8333, quality: 0.6, reward: 0.775 }, details),
    `~ correctness                0.8333
├─ ✓ files                        1
│  └─ ✓ file_exists:main.py       1
└─ ~ behavior                  0.75  × 2
   ├─ ✓ runs                      1
   ├─ ~ speed                   0.5  × 0.5
   │    twice as slow
   ├─ ✗ empty input               0
   └─ ! empty input: the command was killed: its time limit was reached
~ quality                       0.6
└─ ~ readable                   0.6
~ reward                      0.775`,
  );
});

Deno.test("treeText() shows each error once and says that there is no reward", () => {
  const error = "RangeError: too far";
  const details: Record<string, ScoreNode> = {
    reward: {
      kind: "group",
      score: 0.5,
      aggregation: "weighted-mean",
      errors: [{ file: "tests", message: "The combined score is NaN" }],
      components: [{
        name: "checks",
        weight: 1,
        detail: leaf(0, [criterion("far", 0, { error })], {
          errors: [
            { file: "checks.ts", criterion: "far", message: error },
            { file: "checks.ts", message: "was changed" },
          ],
        }),
      }],
    },
  };
  assert.equal(
    treeText(null, details),
    `! reward        0.5
├─ ! checks       0
│  ├─ ! far       0
│  │    RangeError: too far
│  └─ ! was changed
└─ ! The combined score is NaN
! no reward: errors while grading`,
  );
});

Deno.test("treeText() cuts long names to the width, between characters", () => {
  const family = "👨‍👩‍👧‍👦";
  const names = ["x".repeat(300), "漢字".repeat(60), family.repeat(50), "e\u0301".repeat(100)];
  const text = treeText(
    { reward: 1 },
    { reward: leaf(1, names.map((name) => criterion(name, 1))) },
    {
      width: 60,
    },
  );
  const [, latin, chinese, families, accents] = text.split("\n");
  assert.equal(latin, `├─ ✓ ${"x".repeat(34)}…       1`);
  assert.equal(chinese, `├─ ✓ ${"漢字".repeat(8)}漢…       1`);
  assert.equal(families, `├─ ✓ ${family.repeat(17)}…       1`);
  assert.equal(accents, `└─ ✓ ${"e\u0301".repeat(34)}…       1`);
});

Deno.test("treeText() lets no name break a line or steer the terminal", () => {
  const name = "a\r\nb\x1b[2Jc\u2028d\u202ee";
  const details = { [name]: leaf(1, [criterion(name, 1)], { warnings: [name] }) };
  const text = treeText({ [name]: 1 }, details);
  assert.equal(text.split("\n").length, 3);
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(text, /[\x00-\x09\x0b-\x1f\u2028\u202e]/);
});

Deno.test("treeText() colours marks only when asked to", () => {
  const details = { reward: leaf(0.5, [criterion("yes", 1), criterion("no", 0)]) };
  const plain = treeText({ reward: 0.5 }, details);
  const coloured = treeText({ reward: 0.5 }, details, { colours: true });
  assert.ok(!plain.includes("\x1b"));
  assert.ok(coloured.includes("\x1b[32m✓\x1b[0m yes") && coloured.includes("\x1b[31m✗\x1b[0m no"));
  // deno-lint-ignore no-control-regex
  assert.equal(coloured.replace(/\x1b\[\d+m/g, ""), plain);
});

Deno.test("treeText() draws a reward that is called like a property of every object", () => {
  const details = Object.fromEntries([["__proto__", leaf(1, [criterion("a", 1)])]]);
  const rewards = Object.fromEntries([["__proto__", 1], ["constructor", 0]]);
  assert.equal(
    treeText(rewards, details),
    "✓ __proto__         1\n└─ ✓ a              1\n✗ constructor       0",
  );
});
