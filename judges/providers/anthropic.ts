// Anthropic's Messages API.

import Anthropic from "@anthropic-ai/sdk";
import type { Block, Completion, ModelRequest } from "../model.ts";
import type { ModelFacts } from "./model_table.ts";
import { OptionalParts } from "./optional_parts.ts";
import type { Target } from "./resolve.ts";
import { boundedFetch, CALL_TIMEOUT_MS, strangeAnswer } from "./transport.ts";
import { tokenCount } from "../usage.ts";
import { type Answer, type Client, clientOf } from "./client.ts";

/** Largest output of a model that is not in the table. */
const DEFAULT_OUTPUT_TOKENS = 128_000;

/** Room for the answer beside the tokens of a thinking budget. */
const ANSWER_TOKENS = 4096;

/** Tokens to think with, for models that are told a number. */
const BUDGETS: Readonly<Record<string, number>> = {
  minimal: 1024,
  low: 1024,
  medium: 2048,
  high: 4096,
  xhigh: 8192,
  max: 16_384,
};

/** Makes a client; nothing is sent. */
export function anthropicClient(
  target: Target,
  facts: ModelFacts | null,
  secrets: readonly string[],
): Client {
  const { credential, baseUrl } = target;
  const sdk = new Anthropic({
    apiKey: credential !== null && "key" in credential ? credential.key : null,
    authToken: credential !== null && "token" in credential ? credential.token : null,
    baseURL: baseUrl,
    webhookKey: null,
    maxRetries: 0,
    timeout: CALL_TIMEOUT_MS,
    logLevel: "off",
    fetch: boundedFetch,
    defaultHeaders: headersFor(credential),
  });
  const parts = new OptionalParts([
    {
      name: "schema",
      refusal: /output_config\.format|json_schema|structured output|schema/i,
      note: "takes no schema for its answer",
    },
    { name: "effort", refusal: /effort/i, note: "takes no reasoning effort" },
    { name: "thinking", refusal: /thinking/i, note: "takes no thinking" },
  ]);
  return clientOf({
    target,
    secrets,
    parts,
    send: (request, options) =>
      sdk.messages.create(bodyOf(request, target.model, facts, parts), options),
    read: (answer) => completionOf(answer, target, secrets),
  });
}

/** A key goes where gateways in front of the service look for it: not where the SDK puts it. */
function headersFor(credential: Target["credential"]): Record<string, string | null> {
  if (credential === null) return {};
  if ("token" in credential) return { "anthropic-beta": "oauth-2025-04-20" };
  return { "x-api-key": credential.key, authorization: null };
}

function bodyOf(
  { system, blocks, schema, effort, roomier }: ModelRequest,
  model: string,
  facts: ModelFacts | null,
  parts: OptionalParts,
): Anthropic.MessageCreateParamsNonStreaming {
  const style = facts?.effort ?? "adaptive";
  const limit = facts?.outputTokens ?? DEFAULT_OUTPUT_TOKENS;
  const thinks = effort !== "none" && parts.takes("thinking");
  const budget = style === "budget" && thinks ? BUDGETS[effort] ?? 0 : 0;
  const room = budget === 0 ? limit : (budget + ANSWER_TOKENS) * 2 ** roomier;
  const output = {
    ...(style === "adaptive" && thinks && parts.takes("effort") && { effort: wordFor(effort) }),
    ...(parts.takes("schema") && { format: { type: "json_schema" as const, schema } }),
  };
  return {
    model,
    max_tokens: Math.min(room, limit),
    system: [{ type: "text", text: system }],
    messages: [{ role: "user", content: blocks.map(contentOf) }],
    ...(budget > 0 && { thinking: { type: "enabled" as const, budget_tokens: budget } }),
    ...(style === "adaptive" && thinks &&
      { thinking: { type: "adaptive" as const, display: "summarized" as const } }),
    ...(Object.keys(output).length > 0 && { output_config: output }),
  };
}

/** These models know no `minimal`. */
function wordFor(effort: string): "low" | "medium" | "high" | "xhigh" | "max" {
  return effort === "minimal" ? "low" : effort as "low" | "medium" | "high" | "xhigh" | "max";
}

function contentOf(block: Block): Anthropic.ContentBlockParam {
  if (block.type === "text") {
    // A text block must not be empty.
    return { type: "text", text: block.text === "" ? " " : block.text };
  }
  return {
    type: "image",
    source: { type: "base64", media_type: block.mediaType, data: block.bytes.toBase64() },
  };
}

function completionOf(
  answer: Anthropic.Message,
  target: Target,
  secrets: readonly string[],
): Omit<Answer, "notes"> {
  const usage = usageOf(answer);
  // What a service says need not be what its API promises.
  if (typeof answer !== "object" || answer === null || !Array.isArray(answer.content)) {
    throw strangeAnswer(target, secrets, answer, usage);
  }
  const texts = answer.content.flatMap((block) =>
    block?.type === "text" && typeof block.text === "string" ? [block.text] : []
  );
  const tools = answer.content.flatMap((block) =>
    block?.type === "tool_use" ? [JSON.stringify(block.input)] : []
  );
  const text = texts.join("");
  return {
    text: text.trim() === "" && tools.length > 0 ? tools.at(-1)! : text,
    stop: stopOf(answer.stop_reason),
    usage,
  };
}

function usageOf(answer: Anthropic.Message): Answer["usage"] {
  const usage = answer?.usage;
  const creation = tokenCount(usage?.cache_creation_input_tokens);
  const read = tokenCount(usage?.cache_read_input_tokens);
  return {
    input: tokenCount(usage?.input_tokens) + creation + read,
    output: tokenCount(usage?.output_tokens),
    cacheCreation: creation,
    cacheRead: read,
    reasoning: tokenCount(usage?.output_tokens_details?.thinking_tokens),
  };
}

function stopOf(reason: Anthropic.Message["stop_reason"]): Completion["stop"] {
  if (reason === "refusal") return "refusal";
  return reason === "max_tokens" ? "length" : "end";
}
