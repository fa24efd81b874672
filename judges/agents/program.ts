// Where an agent's program is: on PATH, or in an installation of a version of its own.

import { ConfigError } from "../../src/errors.ts";
import { lazily } from "../../src/lazy.ts";
import { isAbsolute } from "../../src/path.ts";
import type { Agent, Environment } from "./agent.ts";
import { installationFolder, installedProgram } from "./program_cache.ts";
import { findOnPath, isExecutable, type OnPath } from "./program_path.ts";
import { versionProblem } from "./program_version.ts";

/** A program that is there. */
export interface Program {
  /** Absolute. */
  path: string;
}

/** A program that would have to be installed. */
export interface ProgramToInstall {
  /** For people. */
  toInstall: string;
}

/** What there is to know for finding a program. */
export interface ProgramOptions {
  /** As the judge is configured: `2.1.197`, `0.5.0-beta.1`. Default: any that is on PATH. */
  version?: string;
  /** Every variable of the judges. */
  environment: Environment;
  /** Real path of the graded work; nothing that lies in it is run. */
  workspace: string;
  /** Whether a version that is not there is installed from npm. */
  install: boolean;
  onNotice: (message: string) => void;
  signal?: AbortSignal;
}

/** A version as npm spells it, and nothing that would lead to another folder. */
const VERSION_REGEXP = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/**
 * Finds the program of an agent. Without a version, the one on PATH; with one, the program on PATH
 * if it says that it is that version, else the installation of that version in the cache folder,
 * which is made if it is not there.
 *
 * @throws {ConfigError} If there is none, and none can be installed.
 * @throws The signal's reason.
 */
export async function findProgram(
  agent: Agent,
  options: ProgramOptions,
): Promise<Program | ProgramToInstall> {
  const { version, install } = options;
  const onPath = lookUp(agent, options);
  if (version === undefined) return { path: onPath.path ?? missing(agent, onPath) };
  if (!VERSION_REGEXP.test(version)) {
    throw new ConfigError(`"${version}" is no version of ${agent.name}`, {
      hint: 'Give "version" as three numbers, such as "2.1.197"',
    });
  }
  const { path } = onPath;
  if (path !== undefined && await versionProblem(path, version, options) === null) return { path };

  const { name, program, npmPackage } = agent;
  if (npmPackage === undefined) {
    throw new ConfigError(
      `${name} ${version} is not on PATH, and ${name} names no npm package to install it from`,
      { hint: `Put that version of ${program} on PATH, or take "version" out of [judge]` },
    );
  }
  const folder = installationFolder(name, version, options);
  const installed = installedProgram(folder);
  if (installed !== null) return { path: installed };
  if (!install) return { toInstall: `${npmPackage}@${version} from npm` };
  const { installProgram } = await lazily<typeof import("./installation.ts")>(
    "./installation.ts",
    import.meta.url,
  );
  return {
    path: await installProgram({ ...options, agent: { ...agent, npmPackage }, version, folder }),
  };
}

function lookUp({ program }: Agent, { environment, workspace }: ProgramOptions): OnPath {
  // The author of the agent has chosen it.
  if (isAbsolute(program)) return { refused: [], ...(isExecutable(program) && { path: program }) };
  return findOnPath(program, environment.PATH, workspace);
}

function missing({ name, program, npmPackage }: Agent, { refused }: OnPath): never {
  const problem = isAbsolute(program) ? "is not there, or is not executable" : "is not on PATH";
  const planted = refused.length === 0
    ? ""
    : `; ${refused[0]} lies in the graded work and is not run`;
  throw new ConfigError(`the program of ${name}, "${program}", ${problem}${planted}`, {
    hint: npmPackage === undefined
      ? "Install it where the judges run, or check its spelling and PATH"
      : `Install it with \`npm install -g ${npmPackage}\`, or set "version" in [judge] and that ` +
        "version is installed from npm",
  });
}
