// Which sandbox this system has.

import { UsageError } from "../errors.ts";
import { bubblewrap } from "./bubblewrap.ts";
import type { Confinement, OsSandbox } from "./confinement.ts";
import { unshare } from "./unshare.ts";
import { outputOf } from "../own_children.ts";

/** Where an installed bubblewrap lies; nothing of the workspace is asked. */
const BUBBLEWRAP_PLACES = ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"];

/** Seconds for a probe. */
const PROBE_TIMEOUT_SEC = 20;

const PROBE: Confinement = { read: [], write: [], net: false, cwd: "/", memoryMiB: 512 };

/**
 * Finds a sandbox that works here: bubblewrap where it is installed, else namespaces made with
 * `unshare`.
 *
 * @throws {UsageError} If there is none; says what each lacks and how to get it.
 */
export async function findOsSandbox(): Promise<OsSandbox> {
  const reasons: string[] = [];
  const installed = BUBBLEWRAP_PLACES.find(isThere);
  if (installed === undefined) reasons.push("bubblewrap is not installed");
  const candidates = [...(installed === undefined ? [] : [bubblewrap(installed)]), unshare];
  for (const sandbox of candidates) {
    const problem = await problemOf(sandbox);
    if (problem === null) return sandbox;
    reasons.push(`${sandbox.name} does not work here: ${problem}`);
  }
  throw new UsageError(`No sandbox for untrusted check files: ${reasons.join("; ")}`, {
    hint: "Install bubblewrap (Debian: apt-get install bubblewrap) and allow user namespaces, or " +
      "accept less with --sandbox=deno",
  });
}

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** `null` if a program runs in it. */
async function problemOf(sandbox: OsSandbox): Promise<string | null> {
  const [program, ...args] = sandbox.wrap(["true"], PROBE);
  try {
    const { success, stderr } = await outputOf(program!, {
      args,
      stdin: "null",
      stdout: "null",
      stderr: "piped",
      signal: AbortSignal.timeout(PROBE_TIMEOUT_SEC * 1000),
    });
    return success ? null : lastLine(new TextDecoder().decode(stderr));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) || "it ended with an error";
}
