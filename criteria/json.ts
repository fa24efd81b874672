// Criteria on values in JSON files.

import {
  requireText,
  requireTolerance,
  type Tolerance,
  wrong,
} from "../src/criterion/arguments.ts";
import { type Check, registerBuiltin } from "../src/criterion/builtin.ts";
import type { CriterionOptions } from "../src/criterion/options.ts";
import type { WorkspaceReader } from "../src/criterion/reader.ts";
import { lazily } from "../src/lazy.ts";

/** Options of the criteria on JSON files. */
export interface JsonEqualsOptions extends CriterionOptions {
  /**
   * How far numbers may lie apart, at any depth: an absolute distance, or `abs` and `rel` (a
   * fraction of the larger magnitude), of which the wider one counts. Default: numbers are exact.
   */
  tolerance?: Tolerance;
  /** Fail a file in which an object states a key twice. Default false: the last one wins. */
  strict?: boolean;
}

/**
 * Scores 1 when the JSON file at `path` holds an object whose `key` has the value `expected`.
 * Values are compared as in Python: `true` equals 1 and 1.0, lists and objects by content, integers
 * exactly at any size (write those beyond 2^53 as `bigint`).
 *
 * @param path From the workspace, or absolute.
 * @param key Taken as it is; dots have no meaning.
 * @param expected Anything that JSON can hold, and `NaN` (which equals nothing), infinities and
 * `bigint`.
 * @throws {TypeError} If an argument has the wrong type, or `expected` is missing.
 *
 * @example
 * ```ts ignore
 * import * as rk from "@rewardkit/cli";
 *
 * rk.jsonKeyEquals("result.json", "mean", 0.3, { tolerance: 1e-9 });
 * ```
 */
export function jsonKeyEquals(
  path: string,
  key: string,
  expected: unknown,
  options?: JsonEqualsOptions,
): void {
  requireText("jsonKeyEquals", "path", path);
  requireText("jsonKeyEquals", "key", key);
  registerBuiltin({
    criterion: "json_key_equals",
    args: [path, key, ...comparison("jsonKeyEquals", expected, options)],
    options,
    ownOptions: ["tolerance", "strict"],
    description: `key "${key}" in "${path}" has the expected value`,
    needs: [{ read: path }],
  });
}

/**
 * Scores 1 when the value at `jsonPath` in the JSON file at `path` equals `expected`, compared as
 * in {@link jsonKeyEquals}.
 *
 * @param path From the workspace, or absolute.
 * @param jsonPath Keys and list indices separated by dots, such as `items.0.name`; a negative index
 * counts from the end. It is not JSONPath, and keys that contain dots cannot be reached.
 * @throws {TypeError} If an argument has the wrong type, or `expected` is missing.
 *
 * @example
 * ```ts ignore
 * import * as rk from "@rewardkit/cli";
 *
 * rk.jsonPathEquals("result.json", "items.-1.name", "last", { strict: true });
 * ```
 */
export function jsonPathEquals(
  path: string,
  jsonPath: string,
  expected: unknown,
  options?: JsonEqualsOptions,
): void {
  requireText("jsonPathEquals", "path", path);
  requireText("jsonPathEquals", "jsonPath", jsonPath);
  registerBuiltin({
    criterion: "json_path_equals",
    args: [path, jsonPath, ...comparison("jsonPathEquals", expected, options)],
    options,
    ownOptions: ["tolerance", "strict"],
    description: `"${jsonPath}" in "${path}" has the expected value`,
    needs: [{ read: path }],
  });
}

/** How each criterion of this file is computed. */
export const checks: Record<string, Check> = {
  json_key_equals: async (
    { files, mismatch },
    path: string,
    key: string,
    expected: unknown,
    tolerance: Tolerance | null = null,
    strict = false,
  ) => {
    const found = member(await readJson(files, path, strict), key);
    const { equals } = await lazyEquality();
    if (found !== undefined && equals(found.value, expected, tolerance ?? undefined)) return true;
    return mismatch("equal", expected, found?.value);
  },

  json_path_equals: async (
    { files, mismatch },
    path: string,
    jsonPath: string,
    expected: unknown,
    tolerance: Tolerance | null = null,
    strict = false,
  ) => {
    const { parseInteger } = await lazily<typeof import("./python/integer.ts")>(
      "./python/integer.ts",
      import.meta.url,
    );
    let found: Found | undefined = { value: await readJson(files, path, strict) };
    for (const segment of jsonPath.split(".")) {
      if (found === undefined) return mismatch("equal", expected, undefined);
      found = Array.isArray(found.value)
        ? element(found.value, parseInteger(segment))
        : member(found.value, segment);
    }
    const { equals } = await lazyEquality();
    if (found !== undefined && equals(found.value, expected, tolerance ?? undefined)) return true;
    return mismatch("equal", expected, found?.value);
  },
};

function lazyEquality(): Promise<typeof import("./python/equality.ts")> {
  return lazily("./python/equality.ts", import.meta.url);
}

/** A value that is there, which may be null. */
interface Found {
  value: unknown;
}

function member(value: unknown, key: string): Found | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, key) ? { value: (value as Record<string, unknown>)[key] } : undefined;
}

function element(values: readonly unknown[], index: number | undefined): Found | undefined {
  if (index === undefined) return undefined;
  const at = index < 0 ? index + values.length : index;
  return at >= 0 && at < values.length ? { value: values[at] } : undefined;
}

async function readJson(files: WorkspaceReader, path: string, strict: boolean): Promise<unknown> {
  const { parseJson } = await lazily<typeof import("./python/json.ts")>(
    "./python/json.ts",
    import.meta.url,
  );
  return parseJson(files.readText(path), path, { strict });
}

/** The arguments after the place, with `null` for what is not given because they travel as JSON. */
function comparison(
  criterion: string,
  expected: unknown,
  options: JsonEqualsOptions | undefined,
): [unknown, Tolerance | null, boolean] {
  if (expected === undefined) throw wrong(criterion, "expected", expected, "a value");
  const tolerance: unknown = options?.tolerance;
  requireTolerance(criterion, tolerance);
  const strict = options?.strict ?? false;
  if (typeof strict !== "boolean") throw wrong(criterion, "strict", strict, "true or false");
  return [expected, tolerance ?? null, strict];
}
