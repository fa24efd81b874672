// OpenAI's Chat Completions API, which most other services speak as well.

import type OpenAI from "openai";
import type { Block, Completion, ModelRequest } from "../model.ts";
import { tokenCount } from "../usage.ts";
import { type Answer, type Client, clientOf } from "./client.ts";
import type { ModelFacts } from "./model_table.ts";
import { OPENAI_PARTS, openaiSdk, SCHEMA_NAME, takesEffort } from "./openai_sdk.ts";
import { OptionalParts } from "./optional_parts.ts";
import type { Target } from "./resolve.ts";
import { strangeAnswer } from "./transport.ts";

type Body = OpenAI.ChatCompletionCreateParamsNonStreaming;

/** Output of a model that is not in the table, where its own limit turned out too small. */
const MORE_TOKENS = 16_384;

/** Makes a client; nothing is sent. */
export function chatClient(
  target: Target,
  facts: ModelFacts | null,
  secrets: readonly string[],
): Client {
  const sdk = openaiSdk(target);
  const parts = new OptionalParts(OPENAI_PARTS);
  return clientOf({
    target,
    secrets,
    parts,
    send: (request, options) =>
      sdk.chat.completions.create(bodyOf(request, target, facts, parts), options),
    read: (answer) => completionOf(answer, target, secrets),
  });
}

function bodyOf(
  { system, blocks, schema, effort, roomier }: ModelRequest,
  target: Target,
  facts: ModelFacts | null,
  parts: OptionalParts,
): Body {
  const { model } = target;
  // Reasoning models take their instructions from the developer.
  const role = /^o\d/.test(model) && parts.takes("developer") ? "developer" : "system";
  return {
    model,
    messages: [
      { role, content: system },
      { role: "user", content: blocks.map(contentOf) },
    ],
    ...(takesEffort(facts, target) && parts.takes("effort") &&
      { reasoning_effort: effort as Body["reasoning_effort"] }),
    ...(parts.takes("schema") && {
      response_format: {
        type: "json_schema" as const,
        json_schema: { name: SCHEMA_NAME, schema, strict: true },
      },
    }),
    ...(roomier > 0 && roomFor(target, facts)),
  };
}

/** The limit of a service can be far below what its model could write. */
function roomFor({ service }: Target, facts: ModelFacts | null): Partial<Body> {
  const tokens = facts?.outputTokens ?? MORE_TOKENS;
  return service === "OpenAI" ? { max_completion_tokens: tokens } : { max_tokens: tokens };
}

function contentOf(block: Block): OpenAI.ChatCompletionContentPart {
  if (block.type === "text") return { type: "text", text: block.text };
  const url = `data:${block.mediaType};base64,${block.bytes.toBase64()}`;
  return { type: "image_url", image_url: { url } };
}

function completionOf(
  answer: OpenAI.ChatCompletion,
  target: Target,
  secrets: readonly string[],
): Omit<Answer, "notes"> {
  const usage = usageOf(answer);
  // What a service says need not be what its API promises.
  const choice = answer?.choices?.[0];
  if (typeof choice?.message !== "object" || choice.message === null) {
    throw strangeAnswer(target, secrets, answer, usage);
  }
  const { content, refusal } = choice.message;
  return {
    text: textOf(content) || textOf(refusal),
    stop: stopOf(choice.finish_reason, refusal),
    usage,
  };
}

/** Some services answer in parts, such as thoughts and text. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const texts = content.flatMap((part) =>
    part?.type === "text" && typeof part.text === "string" ? [part.text] : []
  );
  return texts.join("");
}

function usageOf(answer: OpenAI.ChatCompletion): Answer["usage"] {
  const usage = answer?.usage;
  return {
    input: tokenCount(usage?.prompt_tokens),
    output: tokenCount(usage?.completion_tokens),
    cacheCreation: 0,
    cacheRead: tokenCount(usage?.prompt_tokens_details?.cached_tokens),
    reasoning: tokenCount(usage?.completion_tokens_details?.reasoning_tokens),
  };
}

function stopOf(reason: unknown, refusal: unknown): Completion["stop"] {
  if (reason === "content_filter" || (typeof refusal === "string" && refusal !== "")) {
    return "refusal";
  }
  return reason === "length" ? "length" : "end";
}
