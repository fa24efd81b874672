// What a judge says to a model and hears from it, whoever runs the model. Plain data.

import type { JsonValue } from "../src/score/criterion_score.ts";

/** Kinds of images that models take. */
export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

/** A part of what a model is shown. */
export type Block =
  | { type: "text"; text: string }
  | { type: "image"; mediaType: ImageType; bytes: Uint8Array };

/** A JSON Schema. */
export type JsonSchema = { [key: string]: JsonValue };

/** One call. */
export interface ModelRequest {
  /** The system prompt. */
  system: string;
  /** The user message; at least one block. */
  blocks: readonly Block[];
  /** What the answer has to look like. */
  schema: JsonSchema;
  /** One of `none`, `minimal`, `low`, `medium`, `high`, `xhigh`, `max`. */
  effort: string;
  /** Times 2 to this power: more tokens for an answer than the call before had. 0 at first. */
  roomier: number;
}

/** Tokens of one call, or of one run of an agent. A cost is absent where no price is known. */
export interface TokenUsage {
  /** All of the input, cached parts included. */
  input: number;
  output: number;
  cacheCreation: number;
  cacheRead: number;
  /** Part of `output`. */
  reasoning: number;
  /** US dollars. */
  costUsd?: number;
  /** The cost is not the service's word, but ours by a table of prices. */
  isEstimate?: boolean;
  /** Requests to tools of the service itself, by tool: `web_search`. */
  toolRequests?: Readonly<Record<string, number>>;
  /** Largest input and output of the model in tokens, where an agent tells. */
  limits?: { context?: number; output?: number };
  /** What each model used, where it was not the one that was asked for. */
  byModel?: Readonly<Record<string, TokenUsage>>;
}

/** A model's answer to one call. */
export interface Completion {
  text: string;
  /** `length`: it was cut off; `refusal`: the model or its provider declined. */
  stop: "end" | "length" | "refusal";
  /** Absent: not known. */
  usage?: TokenUsage;
  /** What was left out of the request because the model does not take it, for people. */
  notes: readonly string[];
}

/** What can be asked: a model, or an agent as if it were one. */
export interface Callable {
  /** As the judge is configured: `anthropic/claude-opus-5-5`. */
  readonly name: string;
  /**
   * Asks once.
   *
   * @throws {ModelCallError} If there is no answer.
   */
  call(request: ModelRequest, signal: AbortSignal): Promise<Completion>;
}

/** A model. A call makes one HTTP request; more only to leave out what the model refuses. */
export interface Model extends Callable {
  /** What fits into a call, in tokens. */
  readonly contextTokens: number;
  /** Whether it takes images; `null`: not known. */
  readonly takesImages: boolean | null;
  /** What is not known of it, for people: that it has no entry in the tables. */
  readonly warnings: readonly string[];
  /** Loads what calls need, so that the first one does not wait for it. */
  load(): Promise<void>;
}

/** Why a call gave no answer. */
export class ModelCallError extends Error {
  /**
   * `throttled`: too many requests, or overloaded. `unavailable`: the service or the way to it is
   * broken. `rejected`: the request can only fail again, as with a wrong key or model.
   */
  readonly kind: "throttled" | "unavailable" | "rejected";
  /** HTTP status, where there was an answer. */
  readonly status?: number;
  /** Seconds that the service asks to wait. */
  readonly retryAfterSec?: number;
  /** The way out. */
  readonly hint?: string;
  /** What was spent all the same: an answer that cannot be read is charged for. */
  readonly usage?: TokenUsage;

  constructor(
    message: string,
    options: {
      kind: ModelCallError["kind"];
      status?: number;
      retryAfterSec?: number;
      hint?: string;
      usage?: TokenUsage;
      cause?: unknown;
    },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.kind = options.kind;
    if (options.status !== undefined) this.status = options.status;
    if (options.retryAfterSec !== undefined) this.retryAfterSec = options.retryAfterSec;
    if (options.hint !== undefined) this.hint = options.hint;
    if (options.usage !== undefined) this.usage = options.usage;
  }
}
