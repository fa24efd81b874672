// What a program prints: read as it comes, kept up to a limit, as text.

import { deadline } from "../deadline.ts";

/** How long a pipe must be silent, after the program has ended, to count as read to its end. */
const QUIET_MS = 20;
/** How often the silence is waited for while somebody prints a little now and then. */
const QUIET_ROUNDS = 4;
/** A full pipe of Linux's default size: there may be more behind it. */
const PIPE_BYTES = 64 * 1024;
/** Largest pipe that a program without privileges can have on Linux. */
const MAX_PIPE_BYTES = 1024 * 1024;

/**
 * Reads a program's output from the start, so that the program never waits for us, and keeps its
 * first `limit` bytes.
 */
export class Output {
  /** Resolves when the last holder of the other end has closed it, or {@link close} was called. */
  readonly ended: Promise<void>;

  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #limit: number;
  readonly #onOverflow: () => void;
  #kept: Uint8Array = new Uint8Array(0);
  #received = 0;
  #taken = false;
  #over = false;

  /** @param onOverflow Called once, when the program has printed more than `limit` bytes. */
  constructor(stream: ReadableStream<Uint8Array>, limit: number, onOverflow: () => void) {
    this.#reader = stream.getReader();
    this.#limit = limit;
    this.#onOverflow = onOverflow;
    this.ended = this.#read();
  }

  /**
   * Waits, once the program has ended, until all that it had printed is here. Does not wait for
   * what it left in the background, which may hold the pipe open for ever: at most about 100 ms.
   */
  async settle(): Promise<void> {
    let ended = false;
    const end = this.ended.then(() => void (ended = true));
    const start = this.#received;
    for (let round = 1;; round++) {
      const before = this.#received;
      await within(end, QUIET_MS);
      // On a busy machine the timer may be served before data that has been there all along.
      if (!ended) await within(end, 0);
      const more = this.#received - before;
      if (ended || more === 0 || this.#received - start >= MAX_PIPE_BYTES) return;
      if (round >= QUIET_ROUNDS && more < PIPE_BYTES) return;
    }
  }

  /**
   * What was printed so far, and whether that is only the beginning. UTF-8 with U+FFFD for what is
   * none, CRLF and CR read as LF (Python's `text=True`). From now on output is thrown away, but
   * still read: a server in the background must be able to write its log.
   */
  take(): { text: string; truncated: boolean } {
    const bytes = this.#kept.subarray(0, Math.min(this.#received, this.#limit));
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    const truncated = this.#over;
    this.#taken = true;
    this.#kept = new Uint8Array(0);
    this.#received = 0;
    return { text: text.replace(/\r\n?/g, "\n"), truncated };
  }

  /** Stops reading and closes our end of the pipe. */
  close(): void {
    this.#reader.cancel().catch(() => {});
  }

  async #read(): Promise<void> {
    try {
      while (true) {
        const { done, value } = await this.#reader.read();
        if (done) return;
        if (!this.#taken) this.#keep(value);
        this.#received += value.length;
        if (this.#received > this.#limit) return this.#overflow();
      }
    } catch {
      // The pipe broke: as good as its end.
    }
  }

  /** In one buffer: a list of chunks would cost a hostile program's every byte a chunk of its own. */
  #keep(chunk: Uint8Array): void {
    const from = this.#received;
    const wanted = Math.min(from + chunk.length, this.#limit);
    if (wanted > this.#kept.length) {
      const grown = new Uint8Array(Math.min(this.#limit, Math.max(wanted, 2 * this.#kept.length)));
      grown.set(this.#kept);
      this.#kept = grown;
    }
    this.#kept.set(chunk.subarray(0, wanted - from), from);
  }

  #overflow(): void {
    if (!this.#taken) {
      this.#over = true;
      // Before the pipe is closed, which would end the program in its own way.
      this.#onOverflow();
    }
    this.close();
  }
}

/** Resolves with `promise` or after `ms` milliseconds, and leaves no timer behind. */
async function within(promise: Promise<void>, ms: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const limit = deadline(ms / 1000, resolve);
  await Promise.race([promise, late]);
  limit.cancel();
}
