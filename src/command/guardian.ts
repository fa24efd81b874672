// What cleans up after a run that was killed and can end nothing any more.

import { startProgram } from "../own_children.ts";

/**
 * Waits for the end of standard input, which means that the run is dead. Then every process that has
 * the run's mark in its environment or its folder in its arguments is killed, and the folder removed,
 * until three looks in a row have found nothing: a program that was being started shows its mark a
 * moment later.
 */
const SCRIPT = `
read -r _
looks=0 calm=0
while [ $looks -lt 100 ] && [ $calm -lt 3 ]; do
  looks=$((looks + 1)) calm=$((calm + 1))
  for file in $(
    grep -lzxF -e "$1" /proc/[0-9]*/environ 2>/dev/null
    grep -lzF -e "$2" /proc/[0-9]*/cmdline 2>/dev/null
  ); do
    pid=\${file#/proc/} pid=\${pid%/*}
    [ "$pid" = $$ ] || ! kill -9 "$pid" 2>/dev/null || calm=0
  done
  if [ $calm -gt 0 ] && [ -e "$2" ]; then rm -rf -- "$2"; calm=0; fi
  sleep 0.1
done
`;

/** Nothing of the workspace is on it. */
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** A process that outlives the run by the moment that it takes to clean up after it. */
export class Guardian {
  readonly #child: Deno.ChildProcess | null;

  /**
   * @param mark Variable and value that every process of the run has in its environment.
   * @param folder Absolute path of the run's own folder, which need not be there yet.
   */
  constructor(mark: string, folder: string) {
    this.#child = start(["/bin/sh", "-c", SCRIPT, "sh", mark, folder]);
  }

  /** Its process id; `undefined` where it could not be started. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Has it clean up, as if the run were dead, and waits for that. */
  async cleanUp(): Promise<void> {
    await this.#child?.stdin.close().catch(() => {});
    await this.#child?.status;
  }

  /** Ends it: the run has cleaned up itself. */
  async dismiss(): Promise<void> {
    if (this.#child === null) return;
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // It is gone: something has killed it.
    }
    await this.#child.status;
  }
}

/**
 * Starts it in a session of its own: what kills the run's group leaves it alive. By a program, where
 * there is one: that costs a fifth of what it costs to let Deno do it, which then really forks.
 *
 * @returns `null` where there is no shell; its absence will show in the first command.
 */
function start(argv: readonly string[]): Deno.ChildProcess | null {
  return spawn(["/usr/bin/setsid", ...argv], false) ?? spawn(argv, true);
}

function spawn([program, ...args]: readonly string[], detached: boolean): Deno.ChildProcess | null {
  try {
    return startProgram(program!, {
      args,
      cwd: "/",
      clearEnv: true,
      env: { PATH },
      stdin: "piped",
      stdout: "null",
      stderr: "null",
      detached,
    });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
