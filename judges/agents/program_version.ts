// Which version a program is, in its own words.

import { commandEnvironment } from "../../src/command/environment.ts";
import { ProcessGroups } from "../../src/command/groups.ts";
import { run } from "../../src/command/run.ts";
import { RewardKitError } from "../../src/errors.ts";
import type { Environment } from "./agent.ts";
import { trustedPath } from "./program_path.ts";

const VERSION_REGEXP = /(?<![\w.+-])[vV]?(\d+\.\d+\.\d+[\w.+-]*)/g;

/** Far more than any program says of its version. */
const MAX_OUTPUT_BYTES = 64 * 1024;

/** Most characters of what a program printed that are shown. */
const MAX_SHOWN = 100;

/** How a program is asked for its version. */
export interface VersionOptions {
  /** Every variable of the judges: the program gets none that looks like a secret. */
  environment: Environment;
  /** Real path of the graded work. */
  workspace: string;
  /** Default: 10. */
  timeoutSec?: number;
  signal?: AbortSignal;
}

/**
 * Whether a text names a version as a word of its own. Another version that begins or ends with it
 * does not count, nor one of its pre-releases or builds.
 *
 * @example
 * ```ts
 * import { namesVersion } from "./program_version.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(namesVersion("2.1.197 (Claude Code)", "2.1.197"), true);
 * assert.equal(namesVersion("2.1.197-beta.1", "2.1.197"), false);
 * ```
 */
export function namesVersion(text: string, version: string): boolean {
  const named = [...text.matchAll(VERSION_REGEXP)];
  // The end of a sentence is no part of it.
  return named.some(([, word]) => word!.replace(/\.+$/, "") === version);
}

/**
 * Runs `PROGRAM --version`, outside of the workspace, and ends whatever it leaves running.
 *
 * @returns Why the program is not known to be that version; `null` if it is.
 * @throws The signal's reason.
 */
export async function versionProblem(
  path: string,
  version: string,
  { environment, workspace, timeoutSec = 10, signal }: VersionOptions,
): Promise<string | null> {
  const groups = new ProcessGroups();
  try {
    const { code, stdout, stderr, timedOut } = await run([path, "--version"], {
      cwd: "/",
      timeoutSec,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      env: {
        ...commandEnvironment([], environment),
        PATH: trustedPath(environment.PATH, workspace),
      },
      groups,
      ...(signal !== undefined && { signal }),
    });
    if (timedOut) return `--version takes more than ${timeoutSec} s`;
    if (code !== 0) return `--version ends with exit code ${code}: ${shown(stderr || stdout)}`;
    return namesVersion(stdout, version) ? null : `--version prints ${shown(stdout)}`;
  } catch (error) {
    if (!(error instanceof RewardKitError)) throw error;
    // The file is there: what is not is what its first line names, or its own C library.
    const isAlone = error.cause instanceof Deno.errors.NotFound;
    return isAlone ? "the interpreter that it needs is not there" : error.message;
  } finally {
    await groups.endAll();
  }
}

function shown(text: string): string {
  const line = text.trim().split("\n", 1)[0]!;
  return `"${line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line}"`;
}
