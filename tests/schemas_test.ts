// The schemas of TOML files and what reads those files agree, in both directions, and an editor's
// validator finds mistakes by them.

import { Ajv } from "ajv";
import assert from "node:assert/strict";
import fc from "fast-check";
import { parse } from "smol-toml";
import { starterFiles } from "../src/authoring/starter_files.ts";
import { readJudgeToml } from "../src/suite/judge_toml.ts";
import { Problems } from "../src/suite/problems.ts";
import { readRewardToml } from "../src/suite/reward_toml.ts";
import { Table } from "../src/suite/table.ts";
import { VERSION } from "../src/version.ts";
import { schemas, SCHEMAS_FOLDER, schemaText } from "../tools/schemas.ts";
import { folder } from "./cli.ts";

type Values = Record<string, unknown>;
type Kind = "judge" | "reward";

const ROOT = new URL("..", import.meta.url).pathname;
const ALL = schemas();
const ajv = new Ajv({ allErrors: true, strict: true, strictTypes: false, strictRequired: false });
const validators = {
  judge: ajv.compile(ALL["judge.schema.json"]!),
  reward: ajv.compile(ALL["reward.schema.json"]!),
};

function problemsOf(kind: Kind, values: Values, isRoot = true): string[] {
  const problems = new Problems();
  const table = new Table(values, { file: "x.toml", problems });
  if (kind === "judge") readJudgeToml(table, "/nowhere/x.toml", {});
  else readRewardToml(table, isRoot);
  return problems.errors.map(({ message }) => message);
}

/** What a schema cannot say, or should not, since it depends on more than the file. */
const FOR_THE_READER: readonly RegExp[] = [
  // Of several values together, or of files.
  /which cannot be read/,
  /two criteria are called/,
  /the name "guard" is taken/,
  /expected more than "min"/,
  /are too far apart/,
  /takes no tool server with the sse transport/,
  /"cwd" is ".*", outside the workspace/,
  // Of the folder: only the tests folder's own tables have names.
  /\[\[reward\]\] \d+: has (no|a) name/,
  /has \d+ \[\[reward\]\] tables/,
  /the name ".*" is used by an earlier/,
  // Whether a name without "/" is an agent, scripts decide.
  /is for (agent judges|LLM judges), and "[^/]*" is an? (model|agent)/,
  /the reasoning effort is/,
  // Numbers that are written as text, true or false are held to their range by the reader alone.
  /is "[^"]*", expected a (whole )?number/,
  /is (true|false), expected a (whole )?number/,
];

function isForTheReader(message: string): boolean {
  return FOR_THE_READER.some((regexp) => regexp.test(message));
}

/** As JSON: a schema knows neither large integers nor times, which are no texts to the readers. */
function asJson(values: unknown): Values {
  return JSON.parse(JSON.stringify(values, (_, value) => {
    if (typeof value === "bigint") return Number(value);
    return value;
  }));
}

function compare(kind: Kind, values: Values, shown: string, isRoot = true): "taken" | "refused" {
  const problems = problemsOf(kind, values, isRoot);
  const validate = validators[kind];
  const isValid = validate(values);
  const errors = JSON.stringify(validate.errors);
  if (problems.length === 0) assert.ok(isValid, `only the schema refuses:\n${shown}\n${errors}`);
  const ofShape = problems.filter((message) => !isForTheReader(message));
  if (isValid) assert.deepEqual(ofShape, [], `only the reader refuses:\n${shown}`);
  return ofShape.length === 0 ? "taken" : "refused";
}

Deno.test("the schemas are what `deno task schemas` writes", async () => {
  for (const [name, schema] of Object.entries(ALL)) {
    assert.equal(await Deno.readTextFile(new URL(name, SCHEMAS_FOLDER)), await schemaText(schema));
    assert.equal(schema.$id, `https://jsr.io/@rewardkit/cli/${VERSION}/schemas/${name}`);
  }
  const { publish } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
  assert.ok(!publish.exclude.some((pattern: string) => pattern.startsWith("schemas")));
});

/** Every TOML of the fixtures that is a judge or a reward.toml, whether right or wrong. */
function fixtures(): { kind: Kind; isRoot: boolean; text: string; shown: string }[] {
  const found: ReturnType<typeof fixtures> = [];
  const add = (path: string, isRoot: boolean, text: string) => {
    if (/(^|\/)reward\.toml$/.test(path)) found.push({ kind: "reward", isRoot, text, shown: path });
    else if (/^\s*\[+(judge|criterion)\b/m.test(text)) {
      found.push({ kind: "judge", isRoot, text, shown: path });
    }
  };
  const visit = (path: string) => {
    for (const { name, isDirectory } of Deno.readDirSync(`${ROOT}${path}`)) {
      if (isDirectory) visit(`${path}/${name}`);
      else if (name.endsWith(".toml")) {
        add(
          `${path}/${name}`,
          path.endsWith("/tests"),
          Deno.readTextFileSync(`${ROOT}${path}/${name}`),
        );
      }
    }
  };
  visit("fixtures");
  for (const set of ["layouts", "judges", "agents"]) {
    const text = Deno.readTextFileSync(`${ROOT}fixtures/conformance/${set}.jsonl`);
    const texts = (id: string, value: unknown, path: string): void => {
      if (typeof value === "string" && path.endsWith(".toml")) {
        add(`${id}${path}`, /^\/(files|suites\/[^/]+)\/[^/]*$/.test(path), value);
      } else if (typeof value === "object" && value !== null) {
        for (const [key, inner] of Object.entries(value)) texts(id, inner, `${path}/${key}`);
      }
    };
    for (const line of text.trimEnd().split("\n")) {
      const recorded = JSON.parse(line);
      texts(recorded.id, recorded, "");
    }
  }
  return found;
}

Deno.test("a fixture is taken by its schema exactly if its reader takes its shape", () => {
  const counts = { taken: 0, refused: 0 };
  for (const { kind, isRoot, text, shown } of fixtures()) {
    let values: Values;
    try {
      values = parse(text, { integersAsBigInt: "asNeeded" });
    } catch {
      continue;
    }
    counts[compare(kind, asJson(values), `${shown}\n${text}`, isRoot)]++;
  }
  assert.ok(counts.taken > 50 && counts.refused > 10, JSON.stringify(counts));
});

const TEXTS = fc.constantFrom(
  ...[
    "",
    "x",
    "a/b",
    "codex",
    "claude-code",
    "openai/gpt-5",
    "likert",
    "rubric",
    "numeric",
    "binary",
  ],
  ...[
    "batched",
    "individual",
    "off",
    "flag",
    "stdio",
    "sse",
    "http",
    "all-pass",
    "all_pass",
    "threshold",
  ],
  ...["low", "none", "ultra", "t.md", "t.png", "v1.2.3", "1.2", "5", " 0x1F ", "1e3", "a b", "é"],
);
const VALUES = fc.oneof(
  TEXTS,
  fc.constantFrom(0, 1, 2, -1, 0.5, 1.5, 1000, 1001, 1e300),
  fc.boolean(),
  fc.array(TEXTS, { maxLength: 3 }),
  fc.array(fc.oneof(TEXTS, fc.constant(1)), { maxLength: 12 }),
  fc.constant({}),
);

/** A value for some of the keys of a schema's table, each as it should be or as it comes. */
// deno-lint-ignore no-explicit-any -- a JSON Schema
function likely(schema: any): fc.Arbitrary<unknown> {
  if (schema === false) return VALUES;
  const type = [schema.type ?? "string"].flat()[0];
  const right = type === "object"
    ? likelyTable(schema)
    : type === "array"
    ? fc.array(likely(schema.items), { maxLength: 3 })
    : schema.enum !== undefined
    ? fc.constantFrom(...schema.enum)
    : type === "number"
    ? fc.constantFrom(0, 1, 2, 5, 0.5, "3", true)
    : type === "boolean"
    ? fc.boolean()
    : TEXTS;
  return fc.oneof({ weight: 15, arbitrary: right }, { weight: 1, arbitrary: VALUES });
}

// deno-lint-ignore no-explicit-any -- a JSON Schema
function likelyTable({ properties = {}, required = [], additionalProperties }: any) {
  const own = fc.record(
    Object.fromEntries(Object.entries(properties).map(([key, inner]) => [key, likely(inner)])),
    { requiredKeys: [] },
  );
  const needed = fc.record(
    Object.fromEntries(required.map((key: string) => [key, likely(properties[key])])),
    { requiredKeys: required },
  );
  const others = typeof additionalProperties === "object"
    ? fc.dictionary(fc.constantFrom("a", "b"), likely(additionalProperties), { maxKeys: 2 })
    : fc.oneof(
      { weight: 12, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: fc.record({ extra: VALUES }) },
    );
  // A handful of keys: with all of them one is always wrong.
  const some = fc.tuple(own, fc.infiniteStream(fc.integer({ min: 0, max: 3 }))).map((
    [all, coins],
  ) => Object.fromEntries(Object.entries(all).filter(() => coins.next().value === 0)));
  return fc.oneof(
    { weight: 9, arbitrary: fc.tuple(some, needed, others) },
    { weight: 1, arbitrary: fc.tuple(some, others, fc.constant({})) },
  ).map((parts) => Object.assign({}, ...parts));
}

for (const kind of ["judge", "reward"] as const) {
  Deno.test(`the ${kind} schema refuses what the reader refuses, and nothing else`, () => {
    const counts = { taken: 0, refused: 0 };
    fc.assert(
      fc.property(likelyTable(ALL[`${kind}.schema.json`]), (values) => {
        counts[compare(kind, asJson(values), JSON.stringify(values))]++;
      }),
      { numRuns: 4000 },
    );
    assert.ok(counts.taken > 200 && counts.refused > 200, JSON.stringify(counts));
  });
}

/** What Taplo, which is what editors run, says of each text: the lines with errors. */
async function taplo(texts: readonly string[]): Promise<{ lines: number[][]; output: string }> {
  const files = Object.fromEntries(texts.map((text, index) => [`${index}.toml`, text]));
  await using place = await folder(files);
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-A", "--quiet", `--config=${ROOT}deno.json`, "npm:@taplo/cli@0.7.0", "lint"],
      ...Object.keys(files),
    ],
    cwd: place.path,
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const output = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assert.match(output, new RegExp(`found files total=${texts.length} `));
  const found = [...output.matchAll(/\b(\d+)\.toml:(\d+):\d+/g)];
  const lines = texts.map((_, index) =>
    found.filter(([, file]) => Number(file) === index).map(([, , line]) => Number(line))
  );
  return { lines, output };
}

/** The published address, which this version may not have yet, becomes that of the file here. */
function here(toml: string): string {
  return toml.replace(`https://jsr.io/@rewardkit/cli/${VERSION}/schemas/`, SCHEMAS_FOLDER.href);
}

Deno.test("an editor's validator takes what init writes, and shows mistakes at their lines", async () => {
  const files = starterFiles({ judge: "openai/gpt-5", hasChecks: true });
  const [judge, reward] = ["quality.toml", "reward.toml"].map((name) =>
    here(files.find((file) => file.name === name)!.text)
  ) as [string, string];
  assert.ok(judge.startsWith(`#:schema ${SCHEMAS_FOLDER.href}judge.schema.json\n`));
  const table: [string, number | null][] = [
    [judge, null],
    [reward, null],
    [judge.replace("files =", "fils ="), 5],
    [judge.replace('files = ["answer.txt"]', "files = 5"), 5],
    [judge.replace("points = 5", "points = 1"), 11],
    [judge.replace('"likert"', '"stars"'), 10],
    [judge.replace("files =", "isolated = true\nfiles ="), 5],
    [reward.replace('"weighted-mean"', '"average"'), 5],
    [reward.replace('name = "reward"', "name = 1"), 4],
    [reward.replace("[scoring.checks]", "[scoring.checks]\nnmae = 1"), 11],
  ];
  const { lines, output } = await taplo(table.map(([text]) => text));
  for (const [index, [text, line]] of table.entries()) {
    const found = lines[index]!;
    const isAsExpected = line === null ? found.length === 0 : found.includes(line);
    assert.ok(isAsExpected, `${line} was expected in\n${text}\nfound ${found}\n${output}`);
  }
});
