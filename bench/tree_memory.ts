// Watches the memory of a process and of everything that it starts, as Linux counts it.

/** Peaks of a tree of processes, in MiB. */
export interface MemoryPeaks {
  /** The most that all processes held at the same time, pages that they share counted once. */
  tree: number;
  /** The resident set (RSS) of the process with the largest one, at its peak. */
  largest: number;
}

/** Looking at big processes takes long; at most this share of the time is spent on it. */
const SHARE_OF_TIME = 0.2;
const SHORTEST_PAUSE_MS = 3;

/**
 * Samples a tree of processes from `/proc` until it is told to end.
 *
 * The sum over the tree is the processes' shares (PSS) of anonymous and shared memory. The shares of
 * programs and libraries would be too small: every other process with the same binary, the bench
 * itself for one, takes its part of them. So these count as the tree's largest holder has them.
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
    // The kernel knows a process's peak; of the sum only samples are known.
    const { tree, largest } = this.#peaks;
    return { tree: Math.max(tree, largest), largest };
  }

  #sample(): void {
    const start = performance.now();
    let own = 0;
    let fromFiles = 0;
    for (const process of processesBelow(this.#root)) {
      const rollup = read(`/proc/${process}/smaps_rollup`);
      own += mebibytes(rollup, "Pss_Anon") + mebibytes(rollup, "Pss_Shmem");
      const status = read(`/proc/${process}/status`);
      fromFiles = Math.max(fromFiles, mebibytes(status, "RssFile"));
      this.#peaks.largest = Math.max(this.#peaks.largest, mebibytes(status, "VmHWM"));
    }
    this.#peaks.tree = Math.max(this.#peaks.tree, own + fromFiles);
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

/** A line such as `VmHWM:     51200 kB`; 0 if it is not there. */
function mebibytes(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s*(\\d+) kB`, "m").exec(text)?.[1] ?? 0) / 1024;
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
