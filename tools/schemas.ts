// Writes schemas/*.schema.json: JSON Schemas of judge TOMLs and reward.toml, for editors. Keys, types,
// ranges and words are what the readers ask for while they read an example; what hangs together is
// said here.
//
// deno task schemas

import { parse } from "smol-toml";
import { AGGREGATIONS } from "../src/score/aggregate.ts";
import { LEAST_POINTS, LEVELS, NAME_REGEXP } from "../src/suite/judge_criterion.ts";
import {
  AGENT_EFFORTS,
  AGENT_KEYS,
  EFFORTS,
  LLM_KEYS,
  readJudgeToml,
  TEMPLATE_REGEXP,
  VERSION_REGEXP,
} from "../src/suite/judge_toml.ts";
import { Problems } from "../src/suite/problems.ts";
import { readRewardToml } from "../src/suite/reward_toml.ts";
import type { NumberRange } from "../src/suite/table.ts";
import { VERSION } from "../src/version.ts";
import { formatted } from "./formatted.ts";
import { type Descriptions, JUDGE_DESCRIPTIONS, REWARD_DESCRIPTIONS } from "./toml_descriptions.ts";
import { type Shape, type TableShape, unreadTable, WatchedTable } from "./toml_shape.ts";

/** A JSON Schema, draft 7. */
export type Schema = { [key: string]: unknown };

/** Where the schemas lie. */
export const SCHEMAS_FOLDER = new URL("../schemas/", import.meta.url);

/** Holds every table that there can be, so that the readers look into each. */
const JUDGE_EXAMPLES = [
  `[judge]
   judge = "claude-code"
   mcp_servers = [{ name = "n", url = "u" }]
   [scoring]
   [[criterion]]
   description = "d"
   [[criterion]]
   description = "e"
   type = "likert"`,
];

const REWARD_EXAMPLES = [
  `[[reward]]
   name = "reward"
   weights = { a = 1 }
   [scoring.a]`,
];

/** What the type of a key does not say of its value, by the key's path. */
const VALUES: Readonly<Record<string, Schema>> = {
  aggregation: {
    enum: [...new Set(AGGREGATIONS.flatMap((name) => [name, name.replaceAll("-", "_")]))],
  },
  "judge.judge": { pattern: "\\S" },
  "judge.version": { pattern: VERSION_REGEXP.source },
  "judge.prompt_template": { pattern: TEMPLATE_REGEXP.source },
  "judge.mcp_servers.name": { minLength: 1 },
  criterion: { minItems: 1 },
  "criterion.name": { pattern: `^$|${NAME_REGEXP.source}` },
};

/** What keys of a table demand of each other, by the table's path; "" is the whole file. */
const TOGETHER: Readonly<Record<string, Schema>> = {
  judge: { allOf: [kindOfJudge(), ...agentsEfforts()] },
  "judge.mcp_servers": {
    required: ["name"],
    if: { properties: { transport: { const: "stdio" } }, required: ["transport"] },
    then: { required: ["command"], properties: { command: { minLength: 1 } } },
    else: { required: ["url"], properties: { url: { minLength: 1 } } },
  },
  criterion: {
    required: ["description"],
    allOf: [
      when("type", "likert", { properties: { points: { type: numberTypes(), ...whole() } } }),
      when("type", "rubric", {
        required: ["levels"],
        properties: {
          levels: { minItems: LEVELS.least, maxItems: LEVELS.most, items: { pattern: "\\S" } },
        },
      }),
    ],
  },
};

/** What a whole judge TOML demands. */
const JUDGE_TOGETHER: Schema = {
  required: ["criterion"],
  if: {
    properties: {
      judge: {
        properties: {
          mode: { const: "individual" },
          judge: { not: { enum: Object.keys(AGENT_EFFORTS) } },
        },
        required: ["mode"],
      },
    },
    required: ["judge"],
  },
  else: { properties: { criterion: { items: { properties: { files: false } } } } },
};

/** Models and agents take keys of their own. A name without "/" may be an agent that a script adds. */
function kindOfJudge(): Schema {
  return {
    if: { properties: { judge: { enum: Object.keys(AGENT_EFFORTS) } }, required: ["judge"] },
    then: { properties: refused(LLM_KEYS) },
    else: {
      if: { properties: { judge: { pattern: "/" } } },
      then: { properties: { ...refused(AGENT_KEYS), reasoning_effort: { enum: EFFORTS } } },
    },
  };
}

function agentsEfforts(): Schema[] {
  return Object.entries(AGENT_EFFORTS).map(([agent, efforts]) =>
    when("judge", agent, { properties: { reasoning_effort: { enum: efforts } } })
  );
}

function refused(keys: readonly string[]): Schema {
  return Object.fromEntries(keys.map((key) => [key, false]));
}

function when(key: string, value: string, then: Schema): Schema {
  return { if: { properties: { [key]: { const: value } }, required: [key] }, then };
}

function whole(): Schema {
  return { multipleOf: 1, minimum: LEAST_POINTS };
}

/** The readers take numbers as text and as true and false too. */
function numberTypes(): string[] {
  return ["number", "string", "boolean"];
}

/** A number as JavaScript reads it from a text; whether it is in range is for the reader to say. */
const NUMBER_TEXT = "^\\s*([+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?|0[xX][0-9a-fA-F]+|" +
  "0[oO][0-7]+|0[bB][01]+)\\s*$";

function numberSchema({ isWhole, least, above, most }: NumberRange): Schema {
  return {
    type: numberTypes(),
    pattern: NUMBER_TEXT,
    ...(isWhole === true && { multipleOf: 1 }),
    ...(least !== undefined && { minimum: least }),
    ...(above !== undefined && { exclusiveMinimum: above }),
    ...(most !== undefined && { maximum: most }),
  };
}

/** Builds the schema of a table, and knows which descriptions it has used. */
class Builder {
  readonly used = new Set<string>();

  constructor(readonly descriptions: Descriptions) {}

  table(shape: TableShape, path: string): Schema {
    const keys = [...shape.keys].map(([key, inner]) => [key, this.#key(inner, below(path, key))]);
    const others = shape.others === null ? null : this.#key(shape.others, below(path, "*"));
    const additionalProperties = others ?? (shape.isClosed ? false : undefined);
    return {
      type: "object",
      ...(keys.length > 0 && { properties: Object.fromEntries(keys) }),
      ...(additionalProperties !== undefined && { additionalProperties }),
      ...TOGETHER[path],
    };
  }

  #key(shape: Shape, path: string): Schema {
    const description = this.descriptions[path];
    if (description === undefined) throw new Error(`"${path}" has no description`);
    this.used.add(path);
    const last = path.slice(path.lastIndexOf(".") + 1);
    return { description, ...this.#value(shape, path), ...VALUES[path] ?? VALUES[last] };
  }

  #value(shape: Shape, path: string): Schema {
    switch (shape.kind) {
      case "text":
        return { type: "string" };
      case "texts":
        return { type: "array", items: { type: "string" } };
      case "boolean":
        return { type: "boolean" };
      case "words":
        return { enum: shape.words };
      case "number":
        return numberSchema(shape.range);
      case "table":
        return this.table(shape, path);
      case "tables":
        return { type: "array", items: this.table(shape.item, path) };
    }
  }
}

function below(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

/** What a reader asks for while it reads the examples. */
function watched(examples: readonly string[], read: (table: WatchedTable) => void): TableShape {
  const shape = unreadTable();
  for (const example of examples) {
    const source = { file: "example.toml", problems: new Problems() };
    read(new WatchedTable(parse(example), source, shape));
    const [problem] = source.problems.errors;
    if (problem !== undefined) throw problem;
  }
  return shape;
}

function schemaOf(
  name: string,
  title: string,
  shape: TableShape,
  descriptions: Descriptions,
  together: Schema,
): Schema {
  const builder = new Builder(descriptions);
  const table = builder.table(shape, "");
  const unused = Object.keys(descriptions).filter((path) => !builder.used.has(path));
  if (unused.length > 0) throw new Error(`no reader asks for ${unused.join(", ")}`);
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: `https://jsr.io/@rewardkit/cli/${VERSION}/schemas/${name}.schema.json`,
    title,
    ...table,
    ...together,
  };
}

/** Every schema, by the name of its file. */
export function schemas(): Record<string, Schema> {
  const judge = watched(JUDGE_EXAMPLES, (table) => readJudgeToml(table, "/example.toml", {}));
  const reward = watched(REWARD_EXAMPLES, (table) => readRewardToml(table, true));
  return {
    "judge.schema.json": schemaOf(
      "judge",
      "A judge of Reward Kit",
      judge,
      JUDGE_DESCRIPTIONS,
      JUDGE_TOGETHER,
    ),
    "reward.schema.json": schemaOf(
      "reward",
      "How Reward Kit combines the scores of a folder",
      reward,
      REWARD_DESCRIPTIONS,
      {},
    ),
  };
}

/** The text of a schema's file. */
export async function schemaText(schema: Schema): Promise<string> {
  return await formatted(JSON.stringify(schema), "json");
}

if (import.meta.main) {
  await Deno.mkdir(SCHEMAS_FOLDER, { recursive: true });
  for (const [name, schema] of Object.entries(schemas())) {
    await Deno.writeTextFile(new URL(name, SCHEMAS_FOLDER), await schemaText(schema));
  }
}
