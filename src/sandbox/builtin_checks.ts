// Which family of built-in criteria computes which; a family is loaded when it is first needed.

import type { Check } from "../criterion/builtin.ts";
import { lazily } from "../lazy.ts";

type Family = { checks: Record<string, Check> };

/** By the first word of the criterion's name. */
const FAMILIES: Record<string, () => Promise<Family>> = {
  command: () => lazily("../../criteria/commands.ts", import.meta.url),
  csv: () => lazily("../../criteria/csv.ts", import.meta.url),
  diff: () => lazily("../../criteria/files.ts", import.meta.url),
  file: () => lazily("../../criteria/files.ts", import.meta.url),
  files: () => lazily("../../criteria/files.ts", import.meta.url),
  http: () => lazily("../../criteria/http.ts", import.meta.url),
  image: () => lazily("../../criteria/images.ts", import.meta.url),
  json: () => lazily("../../criteria/json.ts", import.meta.url),
  sqlite: () => lazily("../../criteria/sqlite.ts", import.meta.url),
  trajectory: () => lazily("../../criteria/trajectory.ts", import.meta.url),
  xlsx: () => lazily("../../criteria/xlsx.ts", import.meta.url),
};

/** The function that computes a built-in criterion, by its name in JSON. */
export async function checksOf(criterion: string): Promise<Check> {
  const family = await FAMILIES[criterion.split("_", 1)[0]!]?.();
  const check = family?.checks[criterion];
  if (check === undefined) throw new Error(`There is no built-in criterion ${criterion}`);
  return check;
}
