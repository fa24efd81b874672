// What ends the programs of a run when the run itself was killed and can end nothing any more.

/**
 * Waits for a word on standard input. Its end without one means that the run is dead: then every
 * process that has the run's mark in its environment is killed, and the run's folder removed.
 */
const SCRIPT = `
read -r _ && exit
for round in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  found=
  for file in /proc/[0-9]*/environ; do
    grep -qzxF -e "$1" "$file" 2>/dev/null || continue
    pid=\${file#/proc/}
    kill -9 "\${pid%/environ}" 2>/dev/null && found=1
  done
  [ -n "$found" ] || break
done
rm -rf -- "$2"
`;

/** Nothing of the workspace is on it. */
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** A process that outlives the run by the moment that it takes to clean up after it. */
export class Guardian {
  readonly #child: Deno.ChildProcess | null;

  /**
   * @param mark Variable and value that every process of the run has in its environment.
   * @param folder Absolute path of the run's own folder.
   */
  constructor(mark: string, folder: string) {
    this.#child = start([mark, folder]);
  }

  /** Sends it home: the run has cleaned up itself. */
  async dismiss(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    try {
      const writer = child.stdin.getWriter();
      await writer.write(new TextEncoder().encode("\n"));
      await writer.close();
    } catch {
      // It is gone: something has killed it.
    }
    await child.status;
  }
}

/** `null` where there is no shell; its absence will show in the first command. */
function start(args: readonly string[]): Deno.ChildProcess | null {
  try {
    return new Deno.Command("/bin/sh", {
      args: ["-c", SCRIPT, "sh", ...args],
      cwd: "/",
      clearEnv: true,
      env: { PATH },
      stdin: "piped",
      stdout: "null",
      stderr: "null",
      // A session of its own: what kills the run's group leaves it alive.
      detached: true,
    }).spawn();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
