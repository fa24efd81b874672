// Globs over paths of the workspace.

/** Whether a path has anything that makes it a glob. */
export function isGlob(path: string): boolean {
  return /[*?[{]/.test(path);
}

/** The folder in which a glob can match, and whether a path below it does. */
export interface GlobMatcher {
  base: string;
  matches: (path: string) => boolean;
}

/**
 * Reads a glob: `*` and `?` within a name, `[…]` for one letter, `**` for any number of folders,
 * `{a,b}` for either. A name that begins with a dot is matched only by a part that does so too.
 *
 * @example
 * ```ts
 * import { matcherOf } from "./glob.ts";
 * import assert from "node:assert/strict";
 *
 * const { base, matches } = matcherOf("src/**\/*.{ts,js}");
 * assert.equal(base, "src");
 * assert.ok(matches("src/a/b.ts"));
 * assert.ok(!matches("src/a/b.py"));
 * ```
 */
export function matcherOf(glob: string): GlobMatcher {
  const patterns = braces(glob).map((plain) => new RegExp(`^${expression(plain)}$`, "u"));
  const parts = glob.split("/");
  const first = parts.findIndex(isGlob);
  const base = parts.slice(0, first).join("/");
  return {
    base: base === "" && glob.startsWith("/") ? "/" : base,
    matches: (path) => patterns.some((pattern) => pattern.test(path)),
  };
}

/** Most plain globs that one with braces stands for. */
const MAX_ALTERNATIVES = 256;

function braces(glob: string): string[] {
  let globs = [glob];
  while (globs.length < MAX_ALTERNATIVES) {
    const next = globs.flatMap((one) => {
      const found = /\{([^{}]*)\}/.exec(one);
      if (found === null) return [one];
      const [before, after] = [one.slice(0, found.index), one.slice(found.index + found[0].length)];
      return found[1]!.split(",").map((choice) => `${before}${choice}${after}`);
    });
    if (next.length === globs.length && next.every((one, index) => one === globs[index])) break;
    globs = next;
  }
  return globs;
}

function expression(glob: string): string {
  return glob.split("/").map((part, index, parts) => {
    const isLast = index === parts.length - 1;
    if (part === "**") return isLast ? "(?:[^/.][^/]*/)*[^/.][^/]*" : "(?:[^/.][^/]*/)*";
    const start = /^[*?[]/.test(part) ? "(?!\\.)" : "";
    return `${start}${nameExpression(part)}${isLast ? "" : "/"}`;
  }).join("");
}

function nameExpression(part: string): string {
  return part.replace(/\[(!?)([^\]]+)\]|[*?]|[\\^$.|+()[\]{}]/gu, (all, not, letters) => {
    if (letters !== undefined) {
      return `[${not === "!" ? "^/" : ""}${letters.replace(/[\\^\]]/g, "\\$&")}]`;
    }
    // Two stars in a name are one: a run of them would take the search for ever.
    if (all === "*") return "[^/]*";
    return all === "?" ? "[^/]" : `\\${all}`;
  }).replaceAll(/(?:\[\^\/\]\*){2,}/g, "[^/]*");
}
