// One Worker that computes criteria of one check file, and who is to blame when it ends too soon.

import type { Cell } from "./cell.ts";
import type { CellWorker, WorkerListener, WorkerRequest } from "./cell_worker.ts";
import { type Deadline, deadline } from "../deadline.ts";
import type { BuiltinCheck, FromWorker, Problem, RunMessage } from "./protocol.ts";

/** How a criterion ended: with an encoded result or a problem. */
export interface Ended {
  result?: string;
  problem?: Problem;
  warnings: string[];
}

/** The Worker is gone, and perhaps not through this criterion's doing. */
export interface Lost {
  lost: string;
  /** It was still loading the check file. */
  isLoading: boolean;
  /** Nothing else was going on that could have done it. */
  isGuilty: boolean;
}

/** What a criterion of the Worker asks of the coordinator. */
export type ProgramRequest = Extract<FromWorker, { type: "program" }>;

/** What a session is made of. */
export interface SessionOptions extends WorkerRequest {
  /** Names that the check file declared when it was collected; a Worker must find the same. */
  criteria: readonly string[];
  /** Seconds for loading the check file. */
  loadTimeoutSec: number;
  /** Runs a program for a custom criterion and answers with `post`. */
  onProgram: (request: ProgramRequest, session: Session) => void;
}

type Settle = (ended: Ended | Lost) => void;

/** A Worker that has been prepared to compute criteria. */
export class Session implements WorkerListener {
  readonly #options: SessionOptions;
  readonly #worker: CellWorker;
  readonly #cell: Cell;
  /** Criteria that are being computed, and who waits for each. */
  readonly #running = new Map<number, Settle>();
  readonly #prepared: Promise<void>;
  #settlePrepared: { resolve(): void; reject(reason: Lost | Problem): void } | null;
  readonly #outbox: RunMessage[] = [];
  #lost: string | null = null;

  constructor(cell: Cell, options: SessionOptions) {
    this.#options = options;
    this.#cell = cell;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#prepared = promise;
    this.#settlePrepared = { resolve, reject };
    promise.catch(() => {});
    const { entry, permissions, setting } = options;
    this.#worker = cell.open({ entry, permissions, setting }, this);
  }

  get isLost(): boolean {
    return this.#lost !== null;
  }

  /**
   * Computes a criterion.
   *
   * @param timeoutSec Seconds from when the Worker is prepared; then the whole cell is killed, since
   * a busy Worker cannot be ended.
   */
  async run(index: number, check: BuiltinCheck | undefined, timeoutSec: number): Promise<
    Ended | Lost
  > {
    const { promise, resolve } = Promise.withResolvers<Ended | Lost>();
    let limit: Deadline | null = null;
    const ask = () => {
      this.#running.set(index, (ended) => {
        limit?.cancel();
        this.#running.delete(index);
        this.#cell.running.delete(resolve);
        resolve(ended);
      });
      this.#send({ type: "run", index, ...(check && { check }) });
    };
    // A Worker of built-ins cannot fail to be prepared: it need not say so before it is asked.
    const asksAtOnce = this.#options.entry === "builtins";
    if (asksAtOnce) ask();
    const unprepared = await this.#whenPrepared();
    if (unprepared !== null) {
      this.#running.delete(index);
      return unprepared;
    }
    if (!asksAtOnce) ask();
    if (this.#running.has(index)) {
      this.#cell.running.add(resolve);
      limit = deadline(timeoutSec, () => this.#timeOut(index, timeoutSec));
    }
    return await promise;
  }

  /** What is asked of a built-ins Worker at the same time goes to it, and comes back, together. */
  #send(message: RunMessage): void {
    if (this.#options.entry === "author") return this.#worker.post(message);
    this.#outbox.push(message);
    if (this.#outbox.length > 1) return;
    queueMicrotask(() => {
      const messages = this.#outbox.splice(0);
      this.#worker.post(messages.length === 1 ? messages[0]! : { type: "all", messages });
    });
  }

  /** Answers a program request. */
  answer(answer: Parameters<CellWorker["post"]>[0]): void {
    this.#worker.post(answer);
  }

  close(): void {
    this.#lost ??= "was closed";
    this.#worker.close();
  }

  onMessage(message: FromWorker): void {
    switch (message.type) {
      case "prepared":
        return this.#onPrepared(message.criteria);
      case "rejected":
        return this.#settlePreparing()?.reject(message.problem);
      case "scored":
        return this.#settle(message.index, { result: message.result, warnings: message.warnings });
      case "failed":
        return this.#settle(message.index, {
          problem: message.problem,
          warnings: message.warnings,
        });
      case "all":
        return message.messages.forEach((ended) => this.onMessage(ended));
      case "program":
        if (!this.#running.has(message.index)) return this.#breakProtocol();
        return this.#options.onProgram(message, this);
      case "exiting":
        // Only this Worker ends; the cell and the others in it live on.
        this.#worker.close();
        return this.#lose(`called ${message.how}`, this.#running.size === 1);
      case "collected":
        return this.#breakProtocol();
    }
  }

  onLost(reason: string, isAlone: boolean): void {
    this.#lose(reason, isAlone);
  }

  async #whenPrepared(): Promise<Ended | Lost | null> {
    const { loadTimeoutSec } = this.#options;
    const limit = deadline(loadTimeoutSec, () => {
      if (this.#settlePrepared !== null) this.#cell.kill(`took over ${loadTimeoutSec} s to load`);
    });
    try {
      await this.#prepared;
      return this.#lost === null ? null : { lost: this.#lost, isLoading: false, isGuilty: false };
    } catch (reason) {
      return "lost" in (reason as object)
        ? reason as Lost
        : { problem: reason as Problem, warnings: [] };
    } finally {
      limit.cancel();
    }
  }

  #onPrepared(criteria: readonly string[]): void {
    const preparing = this.#settlePreparing();
    const expected = this.#options.criteria;
    const isSame = this.#options.entry === "builtins" ||
      (criteria.length === expected.length && criteria.every((name, i) => name === expected[i]));
    if (isSame) preparing?.resolve();
    else {
      preparing?.reject({
        fault: "check",
        message: "the check file declared other criteria when it was loaded again to be run: " +
          `${criteria.length} in place of ${expected.length}, or in another order`,
        hint: "Make what it declares depend on the tests folder only, not on time or chance",
      });
    }
  }

  #settlePreparing() {
    const preparing = this.#settlePrepared;
    this.#settlePrepared = null;
    return preparing;
  }

  #settle(index: number, ended: Ended): void {
    const settle = this.#running.get(index);
    if (settle === undefined) this.#breakProtocol();
    else settle(ended);
  }

  #timeOut(index: number, timeoutSec: number): void {
    const reason = `took longer than ${timeoutSec} s`;
    const isGuilty = this.#running.size === 1;
    this.#running.get(index)?.({ lost: reason, isLoading: false, isGuilty });
    this.#cell.kill(reason);
  }

  #breakProtocol(): void {
    const reason = "sent what its protocol does not allow";
    this.#lose(reason, this.#running.size === 1);
    this.#cell.kill(reason);
  }

  /** @param isGuilty Nothing else ran that could have done it. */
  #lose(reason: string, isGuilty: boolean): void {
    if (this.#lost !== null) return;
    this.#lost = reason;
    this.#settlePreparing()?.reject({ lost: reason, isLoading: true, isGuilty: false });
    for (const settle of [...this.#running.values()]) {
      settle({ lost: reason, isLoading: false, isGuilty });
    }
  }
}
