// Which family of built-in criteria computes which; a family is loaded when it is first needed.

import type { Check } from "../criterion/builtin.ts";

type Family = { checks: Record<string, Check> };

const FAMILIES: Record<string, () => Promise<Family>> = {
  command: () => import("../../criteria/commands.ts"),
  csv: () => import("../../criteria/csv.ts"),
  diff: () => import("../../criteria/files.ts"),
  file: () => import("../../criteria/files.ts"),
  files: () => import("../../criteria/files.ts"),
  http: () => import("../../criteria/http.ts"),
  image: () => import("../../criteria/images.ts"),
  json: () => import("../../criteria/json.ts"),
  sqlite: () => import("../../criteria/sqlite.ts"),
  trajectory: () => import("../../criteria/trajectory.ts"),
  xlsx: () => import("../../criteria/xlsx.ts"),
};

/** The function that computes a built-in criterion, by its name in JSON. */
export async function checksOf(criterion: string): Promise<Check> {
  const family = FAMILIES[criterion.split("_", 1)[0]!];
  const check = (await family?.())?.checks[criterion];
  if (check === undefined) throw new Error(`There is no built-in criterion ${criterion}`);
  return check;
}
