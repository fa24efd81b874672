// Parts of a request that not every model takes.

import { ModelCallError } from "../model.ts";

/** A part that can be left out, and how a service names it when it refuses it. */
export interface OptionalPart {
  name: string;
  refusal: RegExp;
  /** Says that it was left out, after the name of the judge. */
  note: string;
}

/** Sends requests, leaving out what the model has refused. */
export class OptionalParts {
  readonly #parts: readonly OptionalPart[];
  readonly #left = new Map<string, string>();

  constructor(parts: readonly OptionalPart[]) {
    this.#parts = parts;
  }

  /** Whether a part is to be sent. */
  takes(name: string): boolean {
    return !this.#left.has(name);
  }

  /** What is left out, for people. */
  get notes(): string[] {
    return [...this.#left.values()];
  }

  /**
   * Sends a request, and again without each part that is refused. Others learn from it: a judge
   * asks many times, and a refused call is one too many.
   */
  async send<Answer>(judge: string, send: () => Promise<Answer>): Promise<Answer> {
    while (true) {
      const without = new Set(this.#left.keys());
      try {
        return await send();
      } catch (error) {
        const refused = this.#parts.find(({ name, refusal }) =>
          !without.has(name) && isRefusal(error) && refusal.test(error.message)
        );
        if (refused === undefined) throw error;
        // Another call may have found it out in the meantime.
        this.#left.set(refused.name, `${judge} ${refused.note}`);
      }
    }
  }
}

function isRefusal(error: unknown): error is ModelCallError {
  return error instanceof ModelCallError && (error.status === 400 || error.status === 422);
}
