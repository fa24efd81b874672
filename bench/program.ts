// Runs a program and measures it.

import { type MemoryPeaks, TreeMemory } from "./tree_memory.ts";

/** How to run a program. */
export interface ProgramOptions {
  env?: Record<string, string>;
  cwd?: string;
  /** Seconds after which it is ended, with its process group. Default 120. */
  timeoutSec?: number;
  /** Watches its memory, which makes it a little slower. Default false. */
  watchMemory?: boolean;
}

/** What a program did. */
export interface ProgramRun {
  code: number;
  /** From its start to its end. */
  seconds: number;
  /** The end of what it printed, on standard output and standard error. */
  printed: string;
  /** `null` if it was not watched. */
  memory: MemoryPeaks | null;
}

/** A run that gave nothing to measure. */
export class BenchError extends Error {
  override name = "BenchError";
}

/** The user has asked the bench to end. */
export class Interrupted extends Error {
  override name = "Interrupted";
}

/** Time that a program gets to clean up when it is ended. */
const GRACE_MS = 3000;
/** Time for what was printed to arrive when the program has ended. */
const DRAIN_MS = 300;
const MAX_PRINTED_BYTES = 4000;

/**
 * Runs a program to its end.
 *
 * @throws {BenchError} If it is not done in time.
 * @throws {Interrupted} If the bench gets SIGINT or SIGTERM meanwhile.
 *
 * @example
 * ```ts
 * import { runProgram } from "./program.ts";
 * import assert from "node:assert/strict";
 *
 * const { code, printed } = await runProgram(["sh", "-c", "echo hello; exit 3"]);
 * assert.equal(code, 3);
 * assert.equal(printed, "hello\n");
 * ```
 */
export async function runProgram(
  argv: readonly string[],
  { env, cwd, timeoutSec = 120, watchMemory = false }: ProgramOptions = {},
): Promise<ProgramRun> {
  const start = performance.now();
  const child = new Deno.Command(argv[0]!, {
    args: argv.slice(1),
    env: { NO_COLOR: "1", ...env },
    ...(cwd !== undefined && { cwd }),
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    detached: true,
  }).spawn();
  const memory = watchMemory ? new TreeMemory(child.pid) : null;
  const printed = new Tail(MAX_PRINTED_BYTES);
  const drained = Promise.all([printed.take(child.stdout), printed.take(child.stderr)]);

  let ending: Error | null = null;
  let killer: ReturnType<typeof setTimeout> | undefined;
  const end = (reason: Error) => {
    if (ending !== null) return;
    ending = reason;
    signalGroup(child.pid, "SIGTERM");
    killer = setTimeout(() => signalGroup(child.pid, "SIGKILL"), GRACE_MS);
  };
  const timer = setTimeout(
    () => end(new BenchError(`${argv.join(" ")} took more than ${timeoutSec} s and was ended`)),
    timeoutSec * 1000,
  );
  const interrupt = () => end(new Interrupted("interrupted"));
  for (const signal of SIGNALS) Deno.addSignalListener(signal, interrupt);
  try {
    const { code } = await child.status;
    const seconds = (performance.now() - start) / 1000;
    const peaks = memory?.end() ?? null;
    await settledWithin(drained, DRAIN_MS);
    if (ending !== null) throw ending;
    return { code, seconds, printed: printed.text, memory: peaks };
  } finally {
    for (const signal of SIGNALS) Deno.removeSignalListener(signal, interrupt);
    clearTimeout(timer);
    clearTimeout(killer);
    memory?.end();
    signalGroup(child.pid, "SIGKILL");
  }
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

function signalGroup(leader: number, signal: Deno.Signal): void {
  try {
    Deno.kill(-leader, signal);
  } catch {
    // Nobody is left in it.
  }
}

/** Waits, but not for a background process that holds the output open. */
async function settledWithin(promise: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise((resolve) => timer = setTimeout(resolve, milliseconds));
  await Promise.race([promise, timeout]);
  clearTimeout(timer);
}

/** The end of what a program prints. */
class Tail {
  readonly #limit: number;
  #bytes: Uint8Array = new Uint8Array();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get text(): string {
    return new TextDecoder().decode(this.#bytes);
  }

  async take(stream: ReadableStream<Uint8Array>): Promise<void> {
    for await (const chunk of stream) {
      const joined = new Uint8Array(this.#bytes.length + chunk.length);
      joined.set(this.#bytes);
      joined.set(chunk, this.#bytes.length);
      this.#bytes = joined.slice(-this.#limit);
    }
  }
}
