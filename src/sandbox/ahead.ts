// Guesses which Workers the run will need, so that they are opened while files are being collected.

import type { WorkerRequest } from "./cell_worker.ts";
import { builtinPermissions, permissionsFor, type Roots, union } from "./permissions.ts";

/** What is known of a check file before it has been loaded. */
export interface UnloadedFile {
  source: string;
  url: string;
}

/** The Workers that will probably be needed: for the author's criteria, and for built-ins. */
export function likelyWorkers(
  { source, url }: UnloadedFile,
  roots: Roots,
  maxFileBytes: number,
): WorkerRequest[] {
  const author = likelyAuthorWorker(source, url, roots, maxFileBytes);
  const builtins = likelyBuiltinsWorker(source, roots, maxFileBytes);
  return [author, builtins].filter((request) => request !== null);
}

const CUSTOM_REGEXP = /\bcriterion\s*\(/;
const DECLARES_REGEXP = /\b(?:read|write|run|net|env|isolated)\s*:/;

/**
 * The Worker that runs a check file's own criteria, if the text of the file looks as if there were
 * some and they declared no permissions. A wrong guess costs the time of opening it.
 */
export function likelyAuthorWorker(
  source: string,
  file: string,
  roots: Roots,
  maxFileBytes: number,
): WorkerRequest | null {
  if (!CUSTOM_REGEXP.test(source) || DECLARES_REGEXP.test(source)) return null;
  return {
    entry: "author",
    permissions: permissionsFor([{ needs: [], readsByDefault: true }], roots),
    setting: { workspace: roots.workspace, maxFileBytes, revoke: [], file },
  };
}

/** Calls of built-ins that read the file they name first, and need nothing else. */
const READING_REGEXP =
  /\brk\.(?:file[A-Z]\w*|diffRatio|json\w+|csv\w+|xlsx\w+|sqlite\w+|image\w+)\(\s*"([^"\\]+)"/g;
const BUILTIN_REGEXP =
  /\brk\.(?:file|diffRatio|command|json|csv|xlsx|sqlite|http|image|trajectory)\w*\(/g;

/** Two files are read by these. */
const READS_TWO_REGEXP = /\brk\.(?:filesEqual|imageSimilarity)\(/;

/**
 * The Worker that computes a check file's built-ins, if the text of the file looks as if they did
 * nothing but read files that are named there. It is used only where the declarations turn out to
 * need just that; a wrong guess costs the time of opening it.
 */
export function likelyBuiltinsWorker(
  source: string,
  roots: Roots,
  maxFileBytes: number,
): WorkerRequest | null {
  const paths = [...source.matchAll(READING_REGEXP)].map(([, path]) => path!);
  const calls = [...source.matchAll(BUILTIN_REGEXP)].length;
  if (calls === 0 || paths.length !== calls || READS_TWO_REGEXP.test(source)) return null;
  const needs = paths.map((read) => ({ read }));
  return {
    entry: "builtins",
    permissions: union(builtinPermissions([{ needs }], roots), {}),
    setting: { workspace: roots.workspace, maxFileBytes, revoke: [] },
  };
}
