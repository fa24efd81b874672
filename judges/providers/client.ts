// What each API's client has in common.

import type { Completion, ModelRequest, TokenUsage } from "../model.ts";
import type { OptionalParts } from "./optional_parts.ts";
import type { Target } from "./resolve.ts";
import { CALL_TIMEOUT_MS, callError } from "./transport.ts";

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

/** How an SDK is called. */
export interface CallOptions {
  signal: AbortSignal;
  /** Milliseconds. */
  timeout: number;
}

/** What is particular to an API. */
export interface Speech<Said> {
  target: Target;
  secrets: readonly string[];
  parts: OptionalParts;
  /** Calls the SDK, without the parts that the model has refused. */
  send(request: ModelRequest, options: CallOptions): Promise<Said>;
  /** Reads what the service said. */
  read(said: Said): Omit<Answer, "notes">;
}

/** A client that speaks so. */
export function clientOf<Said>({ target, secrets, parts, send, read }: Speech<Said>): Client {
  return async (request, signal) => {
    const said = await parts.send(target.judge, async () => {
      try {
        return await send(request, { signal, timeout: CALL_TIMEOUT_MS });
      } catch (error) {
        signal.throwIfAborted();
        throw callError(error, target, secrets);
      }
    });
    return { ...read(said), notes: parts.notes };
  };
}
