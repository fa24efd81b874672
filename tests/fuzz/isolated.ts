// Tests in a process of their own, which can be killed: where the code under test does not yield,
// no timer of its own process ever fires.

import { PeakMemory } from "../cases/peak_memory.ts";
import { EFFORT } from "./runs.ts";

/** What a test may use. */
export interface Limits {
  /** Seconds of a processor, for each of its processes; more with more runs. */
  limitSec: number;
  /** MiB that its processes have together. */
  maxMib: number;
}

const CHILD = "REWARDKIT_FUZZ_CHILD";

/** Where a test of the child writes what it is about to try. */
const INPUT = Deno.env.get(CHILD);

const EVERY_MS = 100;

/** How much longer than on a processor of its own a test may take. */
const PATIENCE = 6;

/**
 * A test that must end in time and with the memory it is allowed. Of one that does not, what it was
 * trying is kept, as far as it was told with {@link trying}.
 *
 * @param module `import.meta.url` of the test's file.
 */
export function isolatedTest(
  module: string,
  name: string,
  limits: Limits,
  body: () => void | Promise<void>,
): void {
  Deno.test(name, async () => {
    if (INPUT !== undefined) return await body();
    const folder = await Deno.makeTempDir({ prefix: "rewardkit-fuzz-" });
    const problem = await run(module, name, limits, `${folder}/input`);
    if (problem !== null) throw new Error(`${problem}; the last input is ${folder}/input`);
    await Deno.remove(folder, { recursive: true });
  });
}

/** Tells which bytes are tried next. */
export function trying(bytes: Uint8Array): void {
  if (INPUT !== undefined) Deno.writeFileSync(INPUT, bytes);
}

async function run(
  module: string,
  name: string,
  { limitSec, maxMib }: Limits,
  input: string,
): Promise<string | null> {
  const seconds = Math.ceil(limitSec * Math.max(1, EFFORT));
  const config = new URL("../../deno.json", import.meta.url).pathname;
  const child = new Deno.Command("/bin/sh", {
    args: [
      // Holds even where nobody watches any more.
      ...["-c", 'ulimit -c 0; ulimit -t "$0"; exec "$@"', `${seconds}`],
      ...[Deno.execPath(), "test", "-A", "--no-check", "--quiet", "--config", config],
      ...["--filter", name, new URL(module).pathname],
    ],
    env: { [CHILD]: input, NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    // Killed with its children.
    detached: true,
  }).spawn();
  let problem: string | null = null;
  const stop = (reason: string) => {
    problem ??= reason;
    try {
      Deno.kill(-child.pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  };
  const limit = setTimeout(() => stop("it hangs"), PATIENCE * seconds * 1000);
  const watch = setInterval(() => {
    const mib = new PeakMemory(child.pid).end();
    if (mib > maxMib) stop(`took ${Math.round(mib)} MiB, the limit is ${maxMib} MiB`);
  }, EVERY_MS);
  try {
    const { success, signal, stdout, stderr } = await child.output();
    if (problem !== null || success) return problem;
    if (signal === "SIGKILL") return `not done after ${seconds} s of a processor`;
    return `failed:\n${[stdout, stderr].map((said) => new TextDecoder().decode(said)).join("")}\n`;
  } finally {
    clearTimeout(limit);
    clearInterval(watch);
  }
}
