// A limit on how many things happen at once.

/** Hands out a fixed number of slots, first come first served. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  /** @param count How many at once; 0 is without limit. */
  constructor(count: number) {
    this.#free = count === 0 ? Infinity : count;
  }

  /**
   * Waits for a slot. Give it back with {@link release}.
   *
   * @param jumps Whether it goes before everything that waits.
   */
  async acquire(jumps = false): Promise<void> {
    if (this.#free > 0) this.#free--;
    else {
      await new Promise<void>((resolve) => {
        if (jumps) this.#waiting.unshift(resolve);
        else this.#waiting.push(resolve);
      });
    }
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }

  /** Does something in a slot. */
  async use<T>(work: () => Promise<T>, { jumps = false }: { jumps?: boolean } = {}): Promise<T> {
    await this.acquire(jumps);
    try {
      return await work();
    } finally {
      this.release();
    }
  }
}
