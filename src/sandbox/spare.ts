// A Worker that is opened before anybody needs it, and keeps what it says until somebody does.

import type { WorkerListener } from "./cell_worker.ts";
import type { FromWorker } from "./protocol.ts";

/** Listens to a Worker in place of who will take it over. */
export class Spare implements WorkerListener {
  readonly #heard: FromWorker[] = [];
  #lost: string | null = null;
  #owner: WorkerListener | null = null;

  /** Hands over the Worker, and all that it has said, after the caller is done. */
  handTo(owner: WorkerListener): void {
    queueMicrotask(() => {
      this.#owner = owner;
      for (const message of this.#heard.splice(0)) owner.onMessage(message);
      if (this.#lost !== null) owner.onLost(this.#lost, false);
    });
  }

  onMessage(message: FromWorker): void {
    if (this.#owner === null) this.#heard.push(message);
    else this.#owner.onMessage(message);
  }

  onLost(reason: string, isAlone: boolean): void {
    this.#lost = reason;
    this.#owner?.onLost(reason, isAlone);
  }
}
