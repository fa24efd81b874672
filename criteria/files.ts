// Criteria on files and their text.

import { requireText, wrong } from "../src/criterion/arguments.ts";
import { type Check, registerBuiltin } from "../src/criterion/builtin.ts";
import type { CriterionOptions } from "../src/criterion/options.ts";
import { warnLoading } from "../src/criterion/registry.ts";
import { lazily } from "../src/lazy.ts";
import { strip } from "./python/text.ts";

/** A Unicode normal form. */
export type NormalForm = "NFC" | "NFD" | "NFKC" | "NFKD";

/** Options of criteria that compare text. */
export interface TextOptions extends CriterionOptions {
  /**
   * Bring both texts to this Unicode normal form first, so that a composed é equals a decomposed
   * one. Default: compare the code points as they are.
   */
  normalize?: NormalForm;
}

/** Options of {@link diffRatio}. */
export interface DiffRatioOptions extends TextOptions {
  /**
   * From 200 characters of expected text on, do not start a match at characters that make up more
   * than 1 % of it, as Python's `SequenceMatcher` does. Fast, but it rates long texts of few
   * different characters low. Default true.
   */
  autojunk?: boolean;
}

/**
 * Scores 1 when something exists at `path`: a file, a folder, or a link that leads to one.
 *
 * @param path From the workspace, or absolute.
 * @throws {TypeError} If `path` is no string.
 *
 * @example
 * ```ts ignore
 * import * as rk from "@rewardkit/cli";
 *
 * rk.fileExists("answer.txt", { weight: 2 });
 * ```
 */
export function fileExists(path: string, options?: CriterionOptions): void {
  requireText("fileExists", "path", path);
  registerBuiltin({
    criterion: "file_exists",
    args: [path],
    options,
    description: `"${path}" exists`,
    needs: [{ read: path }],
  });
}

/**
 * Scores 1 when nothing exists at `path`; a link that leads nowhere counts as nothing.
 *
 * @param path From the workspace, or absolute.
 * @throws {TypeError} If `path` is no string.
 *
 * @example
 * ```ts ignore
 * import * as rk from "@rewardkit/cli";
 *
 * rk.fileNotExists("debug.log");
 * ```
 */
export function fileNotExists(path: string, options?: CriterionOptions): void {
  requireText("fileNotExists", "path", path);
  registerBuiltin({
    criterion: "file_not_exists",
    args: [path],
    options,
    description: `"${path}" does not exist`,
    needs: [{ read: path }],
  });
}

/**
 * Scores 1 when the text file at `path` contains `text`. Case matters; line ends in the file are
 * read as LF; a missing file, or one that is not UTF-8, scores 0 with a warning.
 *
 * @param path From the workspace, or absolute.
 * @param text Looked for as it is; every file contains the empty text.
 * @throws {TypeError} If an argument has the wrong type.
 *
 * @example
 * ```ts ignore
 * import * as rk from "@rewardkit/cli";
 *
 * rk.fileContains("README.md", "## Usage");
 * rk.fileContains("menu.txt", "café", { normalize: "NFC" });
 * ```
 */
export function fileContains(path: string, text: string, options?: TextOptions): void {
  requireText("fileContains", "path", path);
  requireText("fileContains", "text", text);
  if (text === "") warnLoading(`fileContains("${path}", "") passes for every text file`);
  registerBuiltin({
    criterion: "file_contains",
    args: [path, text, normalFormOf("fileContains", options)],
    options,
    ownOptions: ["normalize"],
    description: `"${path}" contains ${quote(text)}`,
    needs: [{ read: path }],
  });
}

/**
 * Scores 1 when `pattern` matches anywhere in the text file at `path`.
 *
 * @param path From the workspace, or absolute.
 * @param pattern A Python regular expression, or a JavaScript `RegExp`, which is taken as it is.
 * A pattern that Python would refuse is an error before any check runs.
 * @throws {TypeError} If an argument has the wrong type.
 *
 * @example
 * ```ts ignore
 * import * as rk from "@rewardkit/cli";
 *
 * rk.fileContainsRegex("log.txt", "(?m)^total: \\d+$");
 * rk.fileContainsRegex("log.txt", /^total: \d+$/m);
 * ```
 */
export function fileContainsRegex(
  path: string,
  pattern: string | RegExp,
  options?: CriterionOptions,
): void {
  requireText("fileContainsRegex", "path", path);
  if (!(pattern instanceof RegExp)) requireText("fileContainsRegex", "pattern", pattern);
  if (pattern === "") warnLoading(`fileContainsRegex("${path}", "") passes for every text file`);
  registerBuiltin({
    criterion: "file_contains_regex",
    args: [path, pattern],
    options,
    description: `"${path}" matches ${quote(String(pattern))}`,
    needs: [{ read: path }],
    validate: async () => void await compiled(pattern),
  });
}

/**
 * Scores 1 when the text of the file at `path` equals `expected`, white space around both left out.
 *
 * @param path From the workspace, or absolute.
 * @throws {TypeError} If an argument has the wrong type.
 *
 * @example
 * ```ts ignore
 * import * as rk from "@rewardkit/cli";
 *
 * rk.fileMatches("answer.txt", "Hello, world!");
 * ```
 */
export function fileMatches(path: string, expected: string, options?: TextOptions): void {
  requireText("fileMatches", "path", path);
  requireText("fileMatches", "expected", expected);
  registerBuiltin({
    criterion: "file_matches",
    args: [path, expected, normalFormOf("fileMatches", options)],
    options,
    ownOptions: ["normalize"],
    description: `"${path}" is ${quote(expected)}`,
    needs: [{ read: path }],
  });
}

/**
 * Scores 1 when two text files are equal, white space around both left out and line ends read as
 * LF. Files that are not UTF-8 text score 0 with a warning.
 *
 * @param path1 From the workspace, or absolute.
 * @param path2 From the workspace, or absolute.
 * @throws {TypeError} If an argument has the wrong type.
 *
 * @example
 * ```ts ignore
 * import * as rk from "@rewardkit/cli";
 *
 * rk.filesEqual("output.txt", "/tests/expected.txt");
 * ```
 */
export function filesEqual(path1: string, path2: string, options?: TextOptions): void {
  requireText("filesEqual", "path1", path1);
  requireText("filesEqual", "path2", path2);
  registerBuiltin({
    criterion: "files_equal",
    args: [path1, path2, normalFormOf("filesEqual", options)],
    options,
    ownOptions: ["normalize"],
    description: `"${path1}" and "${path2}" are equal`,
    needs: [{ read: path1 }, { read: path2 }],
  });
}

/**
 * Scores how alike the file at `path` and `expected` are, from 0 to 1: Python's
 * `SequenceMatcher(None, text, expected).ratio()` on code points, white space around both left out.
 *
 * @param path From the workspace, or absolute.
 * @throws {TypeError} If an argument has the wrong type.
 *
 * @example
 * ```ts ignore
 * import * as rk from "@rewardkit/cli";
 *
 * rk.diffRatio("summary.txt", "The quick brown fox", { autojunk: false });
 * ```
 */
export function diffRatio(path: string, expected: string, options?: DiffRatioOptions): void {
  requireText("diffRatio", "path", path);
  requireText("diffRatio", "expected", expected);
  const autojunk = options?.autojunk ?? true;
  if (typeof autojunk !== "boolean") {
    throw wrong("diffRatio", "autojunk", autojunk, "true or false");
  }
  registerBuiltin({
    criterion: "diff_ratio",
    args: [path, expected, normalFormOf("diffRatio", options), autojunk],
    options,
    ownOptions: ["normalize", "autojunk"],
    description: `"${path}" is like ${quote(expected)}`,
    needs: [{ read: path }],
  });
}

/** How each criterion of this file is computed. */
export const checks: Record<string, Check> = {
  file_exists: ({ files }, path: string) => files.exists(path),

  file_not_exists: ({ files }, path: string) => !files.exists(path),

  file_contains: ({ files, mismatch }, path: string, text: string, form?: NormalForm | null) => {
    const found = normalized(files.readText(path), form);
    const expected = normalized(text, form);
    return found.includes(expected) || mismatch("within", expected, found);
  },

  file_contains_regex: async ({ files, mismatch }, path: string, pattern: string | RegExp) => {
    const { regexp, search } = await compiled(pattern);
    const found = files.readText(path);
    return search(regexp, found) || mismatch("within", String(pattern), found);
  },

  file_matches: ({ files, mismatch }, path: string, text: string, form?: NormalForm | null) => {
    const found = strip(normalized(files.readText(path), form));
    const expected = strip(normalized(text, form));
    return found === expected || mismatch("equal", expected, found);
  },

  files_equal: ({ files, mismatch }, path1: string, path2: string, form?: NormalForm | null) => {
    const found = strip(normalized(files.readText(path1), form));
    const expected = strip(normalized(files.readText(path2), form));
    return found === expected || mismatch("equal", expected, found);
  },

  diff_ratio: async (
    { files, mismatch },
    path: string,
    expected: string,
    form: NormalForm | null = null,
    autojunk = true,
  ) => {
    const { ratio } = await lazily<typeof import("./python/sequence_matcher.ts")>(
      "./python/sequence_matcher.ts",
      import.meta.url,
    );
    const found = strip(normalized(files.readText(path), form));
    const wanted = strip(normalized(expected, form));
    if (found !== wanted) mismatch("equal", wanted, found);
    return ratio(found, wanted, { autojunk });
  },
};

async function compiled(pattern: string | RegExp): Promise<
  { regexp: RegExp; search: (regexp: RegExp, text: string) => boolean }
> {
  const { compile, search } = await lazily<typeof import("./python/regex.ts")>(
    "./python/regex.ts",
    import.meta.url,
  );
  return { regexp: compile(pattern), search };
}

const NORMAL_FORMS: readonly unknown[] = ["NFC", "NFD", "NFKC", "NFKD"];

/** `null` because it travels as JSON. */
function normalFormOf(criterion: string, options: TextOptions | undefined): NormalForm | null {
  const form = options?.normalize;
  if (form === undefined) return null;
  if (!NORMAL_FORMS.includes(form)) {
    throw wrong(criterion, "normalize", form, '"NFC", "NFD", "NFKC" or "NFKD"');
  }
  return form;
}

function normalized(text: string, form: NormalForm | null = null): string {
  return form === null ? text : text.normalize(form);
}

const SHOWN_LENGTH = 60;

function quote(text: string): string {
  return JSON.stringify(text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text);
}
