import assert from "node:assert/strict";
import fc from "fast-check";
import { checks as csvChecks } from "../../criteria/csv.ts";
import { checks as jsonChecks } from "../../criteria/json.ts";
import { checks as trajectoryChecks } from "../../criteria/trajectory.ts";
import { readTrajectory } from "../../judges/trajectory.ts";
import type { WorkspaceReader } from "../../src/criterion/reader.ts";
import { SubmissionError } from "../../src/errors.ts";
import { damaged, samplesIn } from "./damage.ts";
import { isolatedTest } from "./isolated.ts";
import { tries, within } from "./runs.ts";
import { Workspace } from "./workspace.ts";

const LIMITS = { limitSec: 60, maxMib: 1500 };

const CSV_WORDS = [",", '"', '""', '",', "\r", "\n", "\r\n", "\0", "\ufeff", "name", "1e999", ";"];

isolatedTest(import.meta.url, "a damaged CSV file has a cell, or is refused", LIMITS, async () => {
  using workspace = new Workspace();
  const samples = samplesIn("conformance/workspace/csv")
    .filter(({ bytes }) => bytes.length < 100_000);
  const column = fc.constantFrom<number | string>(0, 1, 999, "name", "constructor", "");
  const wanted = fc.constantFrom<unknown>("x", 1, 2n);
  await fc.assert(
    fc.asyncProperty(
      damaged(samples, CSV_WORDS),
      fc.nat(3),
      column,
      wanted,
      async ({ bytes }, row, column, wanted) => {
        workspace.write("a", bytes);
        await workspace.grade(csvChecks.csv_cell_equals!, "a", row, column, wanted);
      },
    ),
    tries(1500),
  );
});

const JSON_WORDS = [
  ...["{", "}", "[", "]", ",", ":", '"', "\\", "\\u", "\\ud800", "\\udc00", "null", "NaN"],
  ...[
    "-Infinity",
    "1e999",
    "-0",
    "1e-999",
    "9".repeat(400),
    "9".repeat(5000),
    "0.1",
    "\0",
    "\ufeff",
  ],
  ...['"__proto__":', '"constructor":', '"a":', "[".repeat(500), '{"a":'.repeat(500)],
];

isolatedTest(
  import.meta.url,
  "a damaged JSON file has a value, or is refused",
  LIMITS,
  async () => {
    using workspace = new Workspace();
    const samples = samplesIn("conformance/workspace/json")
      .filter(({ bytes }) => bytes.length < 100_000);
    const key = fc.constantFrom("a", "a.0", "items.0.name", "constructor", "__proto__.a", "");
    const wanted = fc.constantFrom<unknown>(1, "x", null, [1], { a: 1 }, 10n ** 30n);
    await fc.assert(
      fc.asyncProperty(
        damaged(samples, JSON_WORDS),
        key,
        wanted,
        fc.boolean(),
        async ({ bytes }, key, wanted, strict) => {
          workspace.write("a", bytes);
          await workspace.grade(jsonChecks.json_key_equals!, "a", key, wanted, null, strict);
          await workspace.grade(jsonChecks.json_path_equals!, "a", key, wanted, null, strict);
        },
      ),
      tries(1000),
    );
  },
);

/** As a judge sees it, which looks at all of it. */
function shown(path: string, reader: WorkspaceReader): void {
  try {
    assert.ok(readTrajectory(path, reader).count >= 0);
  } catch (error) {
    if (!(error instanceof SubmissionError)) throw error;
  }
}

isolatedTest(
  import.meta.url,
  "a damaged trajectory is counted, or is refused",
  LIMITS,
  async () => {
    using workspace = new Workspace();
    const samples = samplesIn("conformance/workspace/traj");
    const words = [
      ...JSON_WORDS,
      '"steps":',
      '"tool_calls":',
      '"function_name":',
      '"source":"agent"',
    ];
    const { trajectory_tool_used: used, trajectory_turn_count: turns } = trajectoryChecks;
    await fc.assert(
      fc.asyncProperty(damaged(samples, words), async ({ bytes }) => {
        workspace.write("a", bytes);
        await workspace.grade(used!, "bash", "a", "x", 1);
        await workspace.grade(turns!, 3, "a");
        await within(3, () => shown("a", workspace.reader));
      }),
      tries(700),
    );
  },
);

isolatedTest(
  import.meta.url,
  "text files that are made to be slow or large are read soon",
  LIMITS,
  async () => {
    using workspace = new Workspace();
    const million = (text: string) => text.repeat(1_000_000);
    const values = [
      `{"a":${"[".repeat(1_000_000)}`,
      `{"a":[${million("[],")}1]}`,
      `{"a":${"9".repeat(1_000_000)}}`,
      `{"a":0.${"9".repeat(1_000_000)}}`,
      `{"a":1e${"9".repeat(1_000_000)}}`,
      `{"a":"${million("\\u0000")}"}`,
      `{"a":"${million("\\")}`,
      `{${million('"a":1,')}"a":1}`,
      `{"a":"${million('\\"')}`,
      million(" "),
    ];
    for (const text of values) {
      workspace.write("a", new TextEncoder().encode(text));
      const outcome = await within(
        15,
        () => workspace.grade(jsonChecks.json_path_equals!, "a", "a.0", 1, null, false),
      );
      assert.match(outcome, /^(?:true|false|0: )/, text.slice(0, 40));
    }
    for (const text of [million('"'), million(","), million('",'), million("\r"), million('""x')]) {
      workspace.write("a", new TextEncoder().encode(text));
      await within(10, () => workspace.grade(csvChecks.csv_cell_equals!, "a", 0, 1, "x"));
    }
  },
);
