// Guesses which Workers the run will need, so that they are opened while files are being collected.

import type { WorkerRequest } from "./cell.ts";
import { permissionsFor, type Roots } from "./permissions.ts";

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
