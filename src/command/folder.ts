// Where a command runs.

import { SubmissionError } from "../errors.ts";
import { isAbsolute, isWithin } from "../path.ts";

/**
 * Real path of the folder in which a command runs.
 *
 * @param workspace Real, absolute path of the workspace.
 * @param cwd As the author wrote it; relative ones start at the workspace, which is the default.
 * @throws {SubmissionError} If it is absent, no folder, or a relative one that leads out of the
 * workspace through a link.
 *
 * @example
 * ```ts
 * import { workingFolder } from "./folder.ts";
 * import assert from "node:assert/strict";
 *
 * const workspace = Deno.realPathSync(Deno.makeTempDirSync());
 * assert.equal(workingFolder(workspace), workspace);
 * assert.throws(() => workingFolder(workspace, "build"), /"build" does not exist/);
 * ```
 */
export function workingFolder(workspace: string, cwd = ""): string {
  if (isAbsolute(cwd)) return requireFolder(cwd, cwd);
  const folder = requireFolder(cwd === "" ? workspace : `${workspace}/${cwd}`, cwd);
  if (!isWithin(folder, workspace)) throw leavesWorkspace(cwd);
  return folder;
}

/** The error for a relative folder that a link leads elsewhere. */
export function leavesWorkspace(cwd: string): SubmissionError {
  return new SubmissionError(`working folder "${cwd}" leaves the workspace through a link`);
}

/**
 * The folder's real path, if there is one. Asked of the system, which takes `link/..` for the
 * folder above the link's target; `Deno.Command` would take it for the folder above the link.
 *
 * @param shown How the message names it.
 * @throws {SubmissionError} If it is absent or no folder.
 */
export function requireFolder(folder: string, shown: string = folder): string {
  const name = shown === "" ? folder : shown;
  try {
    const real = Deno.realPathSync(folder);
    if (Deno.statSync(real).isDirectory) return real;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) throw unusableFolder(name, "absent", error);
    throw unusableFolder(name, error instanceof Error ? error.message : String(error), error);
  }
  throw unusableFolder(name, "no folder");
}

/** The error for a folder in which nothing can run. */
export function unusableFolder(
  name: string,
  reason: "absent" | "no folder" | string,
  cause?: unknown,
): SubmissionError {
  const problem = reason === "absent"
    ? "does not exist"
    : reason === "no folder"
    ? "is not a folder"
    : `cannot be used: ${reason}`;
  return new SubmissionError(`working folder "${name}" ${problem}`, { cause });
}
