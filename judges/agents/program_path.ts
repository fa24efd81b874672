// Where on PATH a program is that the graded agent cannot have put there.

import { isAbsolute, isWithin, resolvePath } from "../../src/path.ts";

/** What a look along PATH has found. */
export interface OnPath {
  /** Absolute path of the program, as PATH spells it: some programs go by the name of their link. */
  path?: string;
  /** Programs of that name that lie in the graded work, and are not run. */
  refused: string[];
}

/**
 * Looks for a program along PATH: an executable regular file, or a link to one.
 *
 * A relative entry, one inside the workspace and a link that ends there are passed over: what is
 * there may be planted, and would be run with the keys of the judges.
 *
 * @param workspace Real path of the graded work.
 */
export function findOnPath(name: string, variable: string | undefined, workspace: string): OnPath {
  const refused: string[] = [];
  for (const folder of absoluteEntries(variable)) {
    const path = resolvePath(folder, name);
    if (!isExecutable(path)) continue;
    if (isTrusted(folder, workspace) && isTrusted(path, workspace)) return { path, refused };
    refused.push(path);
  }
  return { refused };
}

/**
 * PATH without the entries that {@link findOnPath} passes over, for the programs that a program
 * looks for itself: a script that begins with `#!/usr/bin/env node` runs the first node there is.
 */
export function trustedPath(variable: string | undefined, workspace: string): string {
  return absoluteEntries(variable).filter((folder) => isTrusted(folder, workspace)).join(":");
}

/** Whether there is a regular file that somebody may execute, perhaps at the end of links. */
export function isExecutable(path: string): boolean {
  try {
    const { isFile, mode } = Deno.statSync(path);
    return isFile && (mode === null || (mode & 0o111) !== 0);
  } catch {
    return false;
  }
}

/** Whether a path leads somewhere, and neither it nor its end lies in the workspace. */
function isTrusted(path: string, workspace: string): boolean {
  try {
    return !isWithin(path, workspace) && !isWithin(Deno.realPathSync(path), workspace);
  } catch {
    return false;
  }
}

function absoluteEntries(variable = ""): string[] {
  return variable.split(":").filter(isAbsolute).map((folder) => resolvePath("/", folder));
}
