// What the stand-in for model services answers, in the shape of each API.

import { messageEvents, responseEvents } from "./model_stream.ts";

/** One scripted answer. Without `status`, `raw` or a fault, it is a success with `text`. */
export interface Reply {
  /** Only for requests whose JSON holds this. */
  match?: string;
  /** Answers any number of requests; otherwise one. */
  repeat?: boolean;
  /** What the model says. */
  text?: string;
  /** Anthropic only: content blocks in place of `text`. */
  content?: unknown[];
  /** A call of a tool in place of `text`; not of the Chat Completions. */
  tool?: { name: string; input: unknown };
  /** The model declines. */
  refusal?: boolean;
  stop_reason?: string;
  finish_reason?: string;
  /** In the shape of the API that is asked. */
  usage?: Record<string, unknown>;
  /** Anything but 200 is an error in the shape of the API. */
  status?: number;
  message?: string;
  error_type?: string;
  headers?: Record<string, string | number>;
  /** The body as it is sent. */
  raw?: string;
  /** Seconds before the answer. */
  delay?: number;
  /** `hang`: never answers. `close`: breaks off within the body. `flood`: sends without end. */
  fault?: "hang" | "close" | "flood";
}

const USAGE = {
  messages: { input_tokens: 100, output_tokens: 20 },
  chat: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  responses: { input_tokens: 100, output_tokens: 20, total_tokens: 120 },
};

/** An API that the stand-in speaks. */
export type Api = "messages" | "chat" | "responses";

/** The API of a path; `null` if it is none. */
export function apiOf(path: string): Api | null {
  if (path.endsWith("/messages")) return "messages";
  if (path.endsWith("/chat/completions")) return "chat";
  return path.endsWith("/responses") ? "responses" : null;
}

/** A success as events. */
// deno-lint-ignore no-explicit-any -- in the shape of each API
export function streamed(api: Api, body: any): Response {
  const events = api === "messages" ? messageEvents(body) : responseEvents(body);
  return new Response(events, { headers: { "content-type": "text/event-stream" } });
}

/** An answer in the shape of the API. */
export function success(api: Api, body: { model?: unknown }, reply: Reply): unknown {
  const id = crypto.randomUUID().slice(0, 12);
  const usage = reply.usage ?? USAGE[api];
  const text = reply.text ?? "";
  switch (api) {
    case "messages": {
      const tool = reply.tool && { type: "tool_use", id: `toolu_${id}`, ...reply.tool };
      return {
        id: `msg_${id}`,
        type: "message",
        role: "assistant",
        model: body.model,
        content: reply.refusal ? [] : reply.content ?? [tool ?? { type: "text", text }],
        stop_reason: reply.stop_reason ??
          (reply.refusal ? "refusal" : tool ? "tool_use" : "end_turn"),
        stop_sequence: null,
        usage,
      };
    }
    case "chat":
      return {
        id: `chatcmpl-${id}`,
        object: "chat.completion",
        created: 1_800_000_000,
        model: body.model,
        choices: [{
          index: 0,
          message: reply.refusal
            ? { role: "assistant", content: null, refusal: "declined" }
            : { role: "assistant", content: text },
          finish_reason: reply.finish_reason ?? "stop",
        }],
        usage,
      };
    case "responses": {
      const part = reply.refusal
        ? { type: "refusal", refusal: "declined" }
        : { type: "output_text", text, annotations: [] };
      const isCut = reply.finish_reason === "length";
      return {
        id: `resp_${id}`,
        object: "response",
        created_at: 1_800_000_000,
        status: isCut ? "incomplete" : "completed",
        model: body.model,
        output: [
          reply.tool === undefined
            ? {
              type: "message",
              id: `msg_${id}`,
              status: "completed",
              role: "assistant",
              content: [part],
            }
            : toolCall(id, reply.tool),
        ],
        incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
        error: null,
        usage,
      };
    }
  }
}

/** A tool that takes JSON, or one that takes text as it is. */
function toolCall(id: string, { name, input }: NonNullable<Reply["tool"]>): unknown {
  const call = { call_id: `call_${id}`, status: "completed", name };
  return typeof input === "string"
    ? { type: "custom_tool_call", id: `ctc_${id}`, ...call, input }
    : { type: "function_call", id: `fc_${id}`, ...call, arguments: JSON.stringify(input) };
}

/** An error in the shape of the API. */
export function failure(api: Api, status: number, reply: Reply): unknown {
  const message = reply.message ?? `scripted ${status}`;
  const type = reply.error_type ?? (status >= 500 ? "server_error" : "invalid_request_error");
  const error = { type, message };
  return api === "messages" ? { type: "error", error } : { error: { ...error, param: null } };
}
