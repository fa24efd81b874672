// Where versions of agents are installed, beside each other.

import { ConfigError } from "../../src/errors.ts";
import { isAbsolute, isWithin, nameOf, parentOf, resolvePath } from "../../src/path.ts";
import type { Environment } from "./agent.ts";
import { isExecutable } from "./program_path.ts";

/** Link to the program, from the root of an installation. Made last: without it nothing counts. */
export const PROGRAM_LINK = "program";

/**
 * The folder of an installation, which need not be there:
 * `${XDG_CACHE_HOME:-$HOME/.cache}/rewardkit/agents/<name>-<version>/<system>`. The system is a
 * part of it because containers share the cache of a host that may be another one.
 *
 * @param name Of the agent.
 * @param workspace Real path of the graded work.
 * @throws {ConfigError} If there is no cache folder, or one inside the workspace: whatever is
 * installed there may be planted.
 */
export function installationFolder(
  name: string,
  version: string,
  { environment, workspace }: { environment: Environment; workspace: string },
): string {
  const { XDG_CACHE_HOME: cache = "", HOME: home = "" } = environment;
  const base = isAbsolute(cache) ? cache : isAbsolute(home) ? `${home}/.cache` : null;
  if (base === null) {
    throw new ConfigError(
      `${name} ${version} cannot be installed: neither XDG_CACHE_HOME nor HOME names a folder`,
      { hint: "Set XDG_CACHE_HOME to a folder outside of the workspace" },
    );
  }
  const { os, arch } = Deno.build;
  const path = resolvePath(base, `rewardkit/agents/${name}-${version}/${os}-${arch}`);
  const folder = realOf(path);
  if (isWithin(path, workspace) || isWithin(folder, workspace)) {
    throw new ConfigError(
      `${name} ${version} cannot be installed into ${folder}: that lies in the graded work`,
      { hint: "Set XDG_CACHE_HOME to a folder outside of the workspace" },
    );
  }
  return folder;
}

/** Absolute path of the program of an installation; `null` if it is not there or not complete. */
export function installedProgram(folder: string): string | null {
  try {
    const program = Deno.realPathSync(`${folder}/${PROGRAM_LINK}`);
    return isWithin(program, folder) && isExecutable(program) ? program : null;
  } catch {
    return null;
  }
}

/** Follows the links of the part of a path that is there. */
function realOf(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound) || path === "/") return path;
    return resolvePath(realOf(parentOf(path)), nameOf(path));
  }
}
