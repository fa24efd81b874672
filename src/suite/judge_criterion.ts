// The [[criterion]] tables of a judge TOML.

import type { JudgeCriterion, Scale } from "../judge_config.ts";
import { show, type Table } from "./table.ts";

/** A name of a criterion. */
export const NAME_REGEXP = /^[A-Za-z0-9_-]{1,64}$/;
/** How many levels a rubric has. */
export const LEVELS = { least: 2, most: 10 };
/** Least of the highest answers of likert. */
export const LEAST_POINTS = 2;
const SLUG_LENGTH = 40;

/** Reads one `[[criterion]]`; `index` counts from 0. */
export function readCriterion(table: Table, index: number): JudgeCriterion {
  const givenName = table.text("name");
  const description = table.text("description");
  if (!table.has("description")) table.problem('"description" is missing');
  if (description?.trim() === "") {
    table.warn("the description is empty: there is nothing to judge", ["description"]);
  }
  if (givenName && !NAME_REGEXP.test(givenName)) {
    table.problemAt(
      ["name"],
      `"name" is ${show(givenName)}, expected at most 64 letters A to Z, digits, "_" and "-"`,
    );
  }
  const annotations = table.entries("annotations");
  const criterion: JudgeCriterion = {
    name: givenName || (givenName === undefined ? slug(description ?? "") : "") ||
      `criterion_${index}`,
    description: description ?? "",
    scale: readScale(table),
    weight: table.number("weight") ?? 1,
    negate: table.boolean("negate") ?? startsWith(annotations?.type, "negative"),
    optional: table.boolean("optional") ?? isOptional(annotations?.importance),
  };
  const files = table.texts("files");
  const id = table.text("id");
  if (files !== undefined) criterion.files = files;
  if (id !== undefined) criterion.id = id;
  if (annotations !== undefined) criterion.annotations = annotations;
  table.finish();
  return criterion;
}

/**
 * The default name: the first 40 characters of the description in lower case, with everything but
 * a to z and digits made one underscore. Empty where nothing is left, as of "你好".
 */
function slug(description: string): string {
  const start = [...description].slice(0, SLUG_LENGTH).join("");
  return start.toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^_|_$/g, "");
}

/** Keys of another type are read as far as their values go and then left alone, as the original does. */
function readScale(table: Table): Scale {
  const type = table.oneOf("type", ["binary", "likert", "numeric", "rubric"]) ?? "binary";
  const points = type === "likert"
    ? table.integer("points", LEAST_POINTS)
    : (table.number("points"), undefined);
  const min = table.number("min") ?? 0;
  const max = table.number("max") ?? 1;
  const levels = table.texts("levels");
  switch (type) {
    case "binary":
      return { type };
    case "likert":
      return { type, points: points ?? 5 };
    case "numeric":
      if (!(max > min)) {
        table.problemAt(["max"], `"max" is ${max}, expected more than "min", which is ${min}`);
      } else if (!Number.isFinite(max - min)) {
        table.problemAt(
          ["max"],
          `"min" and "max", ${min} and ${max}, are too far apart to be told from each other`,
        );
      }
      return { type, min, max };
    case "rubric":
      if (levels === undefined || levels.length < LEVELS.least || levels.length > LEVELS.most) {
        table.problemAt(
          ["levels"],
          `"levels" has ${count(levels)}, expected ${LEVELS.least} to ${LEVELS.most}`,
        );
      } else if (levels.some((level) => level.trim() === "")) {
        table.problemAt(["levels"], '"levels" has an empty entry');
      }
      return { type, levels: levels ?? [] };
  }
}

function count(levels: readonly string[] = []): string {
  return levels.length === 1 ? "1 entry" : `${levels.length} entries`;
}

function startsWith(value: unknown, word: string): boolean {
  return typeof value === "string" && value.trim().toLowerCase().startsWith(word);
}

function isOptional(importance: unknown): boolean {
  return Array.isArray(importance)
    ? importance.some(isOptional)
    : typeof importance === "string" && importance.trim().toLowerCase() === "optional";
}
