// Watches how much memory a process and its descendants have at their peaks.

const EVERY_MS = 50;

/** Peak resident memory of a tree of processes, as Linux counts it. */
export class PeakMemory {
  readonly #root: number;
  /** In KiB, by process. */
  readonly #peaks = new Map<number, number>();
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(root: number) {
    this.#root = root;
    this.#timer = setInterval(() => this.#look(root), EVERY_MS);
  }

  /** Stops watching. Returns the sum of the peaks, which is not less than the peak of the sum. */
  end(): number {
    clearInterval(this.#timer);
    this.#look(this.#root);
    return this.#peaks.values().reduce((sum, peak) => sum + peak, 0) / 1024;
  }

  #look(process: number): void {
    const peak = /^VmHWM:\s*(\d+) kB/m.exec(read(`/proc/${process}/status`));
    if (peak !== null) this.#peaks.set(process, Number(peak[1]));
    for (const thread of threads(process)) {
      const children = read(`/proc/${process}/task/${thread}/children`).split(" ");
      for (const child of children) if (child !== "") this.#look(Number(child));
    }
  }
}

function threads(process: number): string[] {
  try {
    return Array.from(Deno.readDirSync(`/proc/${process}/task`), ({ name }) => name);
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
