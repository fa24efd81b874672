// What each API's client has in common.

import type { Completion, ModelRequest, TokenUsage } from "../model.ts";

/** An answer whose cost has not been added. */
export interface Answer extends Omit<Completion, "usage"> {
  usage: Omit<TokenUsage, "costUsd">;
}

/**
 * Makes one call.
 *
 * @throws {ModelCallError} If there is no answer.
 */
export type Client = (request: ModelRequest, signal: AbortSignal) => Promise<Answer>;

/** A number of tokens, whatever a service makes of it. */
export function tokenCount(count: unknown): number {
  return typeof count === "number" && Number.isFinite(count) && count > 0 ? count : 0;
}
