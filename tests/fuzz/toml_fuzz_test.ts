import assert from "node:assert/strict";
import fc from "fast-check";
import { stringify } from "smol-toml";
import { ConfigError, DiscoveryError } from "../../src/errors.ts";
import { readSuite } from "../../src/suite/discovery.ts";
import { planScores } from "../../src/suite/score_plan.ts";
import type { Suite } from "../../src/suite/suite.ts";
import { damaged, type Sample, textSamples } from "./damage.ts";
import { isolatedTest } from "./isolated.ts";
import { tries, within } from "./runs.ts";
import { Workspace } from "./workspace.ts";

const LIMITS = { limitSec: 60, maxMib: 900 };

const REWARD = `
[[reward]]
name = "reward"
aggregation = "weighted_mean"
weights = { check = 2, "quality" = 0.5 }
[[reward]]
name = "strict"
aggregation = "threshold"
threshold = 0.75
[scoring.check]
aggregation = "all-pass"
pass = 1
`;

const JUDGES = [
  `
[judge]
judge = "anthropic/claude-opus-5-5"
files = ["/app/**/*.md"]
reference = "answer.md"
mode = "individual"
samples = 3
guard = "penalize"
timeout = 60
weight = 2.5
reasoning_effort = "low"
[scoring]
aggregation = "any-pass"
pass = 0.5
[[criterion]]
description = "Is it good?"
files = ["a.md"]
[[criterion]]
name = "scale"
description = """How
good?"""
type = "likert"
points = 7
weight = 3
negate = true
[[criterion]]
description = "A number"
type = "numeric"
min = -1
max = 1e3
annotations = { type = "negative", importance = "optional" }
[[criterion]]
description = 'Which level?'
type = "rubric"
levels = ["bad", "good", "best"]
optional = true
`,
  `
[judge]
judge = "claude-code"
model = "anthropic/claude-b"
version = "v1.2.3"
isolated = true
cwd = "sub"
atif-trajectory = "/logs/agent/trajectory.json"
prompt_template = "template.md"
[[judge.mcp_servers]]
name = "docs"
transport = "stdio"
command = "server"
args = ["--port", "1"]
allowed_tools = ["search"]
[[judge.mcp_servers]]
name = "web"
transport = "sse"
url = "http://localhost:1/"
[[criterion]]
id = "C1"
description = "Does it run?"
`,
];

const WORDS = [
  ...["[", "]", "[[", "]]", "{", "}", "=", ".", ",", '"', "'", '"""', "'''", "#", "\n", "\\"],
  ...[
    "inf",
    "nan",
    "-0",
    "0x",
    "1e999",
    "9".repeat(400),
    "1979-05-27",
    "07:32:00",
    "true",
    "\\ud800",
  ],
  ...["__proto__", "constructor.prototype", "toString = 1\n", "\ufeff", "\0", "\r", "\x7f"],
  ...[
    "[judge]\n",
    "[scoring]\n",
    "[[criterion]]\n",
    "[[reward]]\n",
    'description = ""\n',
    "judge =",
  ],
];

type Files = Readonly<Record<string, Uint8Array>>;

const template = new TextEncoder().encode("Grade {criteria}");

/** What discovery and planning make of a tests folder: a suite, or problems that name the file. */
async function read(workspace: Workspace, file: string, bytes: Uint8Array): Promise<void> {
  const files: Files = { "check.ts": new Uint8Array(), "template.md": template, [file]: bytes };
  for (const [name, bytes] of Object.entries(files)) workspace.write(name, bytes);
  let suite: Suite;
  try {
    suite = await readSuite(workspace.path);
  } catch (error) {
    namesFile(error, `${workspace.path}/${file}`);
    return;
  } finally {
    Deno.removeSync(`${workspace.path}/${file}`);
  }
  try {
    planScores(suite, new Map([["check.ts", [{ name: "c", weight: 1 }]]]));
  } catch (error) {
    assert.ok(error instanceof DiscoveryError, String(error));
  }
}

function namesFile(error: unknown, file: string): void {
  if (!(error instanceof DiscoveryError)) throw error;
  assert.ok(error.problems.length > 0);
  for (const problem of error.problems) {
    assert.ok(problem instanceof ConfigError);
    assert.equal(problem.place?.file, file);
    assert.ok(problem.message.startsWith(file), problem.message);
  }
}

for (
  const [file, samples] of [
    ["reward.toml", textSamples([REWARD])],
    ["quality.toml", textSamples(JUDGES)],
  ] as [string, Sample[]][]
) {
  isolatedTest(
    import.meta.url,
    `a damaged ${file} is read, or its problems name it`,
    LIMITS,
    async () => {
      using workspace = new Workspace();
      for (const { bytes } of samples) await read(workspace, file, bytes);
      await fc.assert(
        fc.asyncProperty(damaged(samples, WORDS), async ({ bytes }) => {
          await within(5, () => read(workspace, file, bytes));
        }),
        tries(700),
      );
    },
  );
}

/** Every key that some table knows, and keys that objects of JavaScript have. */
const KEYS = [
  ...["name", "aggregation", "threshold", "pass", "weights", "check", "reward", "scoring"],
  ...["judge", "files", "reference", "mode", "samples", "guard", "timeout", "weight", "model"],
  ...["isolated", "cwd", "version", "mcp_servers", "reasoning_effort", "prompt_template"],
  ...["atif-trajectory", "criterion", "description", "type", "points", "min", "max", "levels"],
  ...["negate", "optional", "id", "annotations", "importance", "transport", "command", "args"],
  ...["url", "allowed_tools", "__proto__", "constructor", "toString", "hasOwnProperty", ""],
];

const { table: tables } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<unknown>(1, 0, -1, 0.5, 1e300, NaN, Infinity, true, "", "likert", "rubric"),
    fc.constantFrom<unknown>(
      "threshold",
      "claude-code",
      "individual",
      "http",
      "../x.md",
      2n ** 62n,
    ),
    fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }),
    fc.string(),
    fc.array(tie("table"), { maxLength: 3 }),
    fc.array(fc.string(), { maxLength: 3 }),
    tie("table"),
  ),
  table: fc.dictionary(fc.constantFrom(...KEYS), tie("value"), { maxKeys: 8 }),
}));

isolatedTest(
  import.meta.url,
  "tables with any values are read, or their problems name the file",
  LIMITS,
  async () => {
    using workspace = new Workspace();
    const file = fc.constantFrom("reward.toml", "quality.toml");
    await fc.assert(
      fc.asyncProperty(file, tables!, async (file, table) => {
        const text = stringify(table as Record<string, unknown>);
        await read(workspace, file, new TextEncoder().encode(text));
      }),
      tries(700),
    );
  },
);

isolatedTest(
  import.meta.url,
  "TOML that is made to be slow or large is read soon",
  LIMITS,
  async () => {
    using workspace = new Workspace();
    const texts = [
      `a = ${"[".repeat(200_000)}`,
      `a = ${"{a=".repeat(200_000)}`,
      `${"a.".repeat(200_000)}a = 1`,
      `[${"a.".repeat(200_000)}a]`,
      "[[reward]]\n".repeat(20_000),
      `[judge]\n${"[[criterion]]\ndescription = 'd'\n".repeat(5000)}`,
      Array.from({ length: 20_000 }, (_, at) => `k${at} = 1\n`).join(""),
      `a = "${"\\u0041".repeat(500_000)}"`,
      `a = ${"9".repeat(1_000_000)}`,
      `a = [${"1,".repeat(500_000)}]`,
      `a = """${'""'.repeat(0)}${"\n".repeat(2_000_000)}`,
      " ".repeat(5_000_000),
    ];
    for (const text of texts) {
      for (const file of ["reward.toml", "quality.toml"]) {
        await within(10, () => read(workspace, file, new TextEncoder().encode(text)));
      }
    }
  },
);
