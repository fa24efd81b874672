// Which family of built-in criteria computes which; a family is loaded when it is first needed.

import type { Check } from "../criterion/builtin.ts";
import { lazily } from "../lazy.ts";

type Family = { checks: Record<string, Check> };

/** By the first word of the criterion's name: the module in `criteria/`. */
const FAMILIES: Record<string, string> = {
  command: "commands",
  csv: "csv",
  diff: "files",
  file: "files",
  files: "files",
  http: "http",
  image: "images",
  json: "json",
  sqlite: "sqlite",
  trajectory: "trajectory",
  xlsx: "xlsx",
};

/** The function that computes a built-in criterion, by its name in JSON. */
export async function checksOf(criterion: string): Promise<Check> {
  const family = FAMILIES[criterion.split("_", 1)[0]!];
  const module = await lazily<Family>(`../../criteria/${family}.ts`, import.meta.url);
  const check = module.checks[criterion];
  if (check === undefined) throw new Error(`There is no built-in criterion ${criterion}`);
  return check;
}
