// Watches the memory of a process and of everything that it starts, as Linux counts it.

/** Peaks of a tree of processes, in MiB. */
export interface MemoryPeaks {
  /** The most that all processes held at the same time, shared pages divided (PSS). */
  tree: number;
  /** The resident set (RSS) of the process with the largest one, at its peak. */
  largest: number;
}

/** Looking at big processes takes long; at most this share of the time is spent on it. */
const SHARE_OF_TIME = 0.2;
const SHORTEST_PAUSE_MS = 3;

/**
 * Samples a tree of processes from `/proc` until it is told to end. A page that processes share
 * counts in parts: also processes outside the tree take their part, so that other programs with the
 * same binary (the bench itself is one) make the sum of a tree a few MiB smaller.
 */
export class TreeMemory {
  readonly #root: number;
  readonly #peaks: MemoryPeaks = { tree: 0, largest: 0 };
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(root: number) {
    this.#root = root;
    this.#sample();
  }

  /** Stops watching. */
  end(): MemoryPeaks {
    clearTimeout(this.#timer);
    return this.#peaks;
  }

  #sample(): void {
    const start = performance.now();
    let tree = 0;
    for (const process of processesBelow(this.#root)) {
      tree += mebibytes(read(`/proc/${process}/smaps_rollup`), /^Pss:\s*(\d+) kB/m);
      const largest = mebibytes(read(`/proc/${process}/status`), /^VmHWM:\s*(\d+) kB/m);
      this.#peaks.largest = Math.max(this.#peaks.largest, largest);
    }
    this.#peaks.tree = Math.max(this.#peaks.tree, tree);
    const pauseMs = Math.max(SHORTEST_PAUSE_MS, (performance.now() - start) / SHARE_OF_TIME);
    this.#timer = setTimeout(() => this.#sample(), pauseMs);
  }
}

function* processesBelow(process: string | number): Generator<string | number> {
  yield process;
  for (const thread of names(`/proc/${process}/task`)) {
    const children = read(`/proc/${process}/task/${thread}/children`).split(" ");
    for (const child of children) if (child !== "") yield* processesBelow(child);
  }
}

function mebibytes(text: string, pattern: RegExp): number {
  return Number(pattern.exec(text)?.[1] ?? 0) / 1024;
}

/** Nothing, if the process has ended. */
function names(folder: string): string[] {
  try {
    return Array.from(Deno.readDirSync(folder), ({ name }) => name);
  } catch {
    return [];
  }
}

/** Nothing, if the process has ended. */
function read(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}
