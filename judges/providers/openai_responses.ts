// OpenAI's Responses API, for the models that only it serves.

import type OpenAI from "openai";
import type { Block, Completion, ModelRequest } from "../model.ts";
import { tokenCount } from "../usage.ts";
import { type Answer, type Client, clientOf } from "./client.ts";
import type { ModelFacts } from "./model_table.ts";
import { OPENAI_PARTS, openaiSdk, SCHEMA_NAME, takesEffort } from "./openai_sdk.ts";
import { OptionalParts } from "./optional_parts.ts";
import type { Target } from "./resolve.ts";
import { strangeAnswer } from "./transport.ts";

type Body = OpenAI.Responses.ResponseCreateParamsNonStreaming;

/** Makes a client; nothing is sent. */
export function responsesClient(
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
      sdk.responses.create(bodyOf(request, target, facts, parts), options),
    read: (answer) => completionOf(answer, target, secrets),
  });
}

function bodyOf(
  { system, blocks, schema, effort, roomier }: ModelRequest,
  target: Target,
  facts: ModelFacts | null,
  parts: OptionalParts,
): Body {
  return {
    model: target.model,
    input: [
      { type: "message", role: "system", content: [{ type: "input_text", text: system }] },
      { type: "message", role: "user", content: blocks.map(contentOf) },
    ],
    // Verdicts are nobody's to keep.
    store: false,
    ...(takesEffort(facts, target) && parts.takes("effort") &&
      { reasoning: { effort: effort as OpenAI.ReasoningEffort } }),
    ...(parts.takes("schema") && {
      text: { format: { type: "json_schema" as const, name: SCHEMA_NAME, schema, strict: true } },
    }),
    ...(roomier > 0 && facts !== null && { max_output_tokens: facts.outputTokens }),
  };
}

function contentOf(block: Block): OpenAI.Responses.ResponseInputContent {
  if (block.type === "text") return { type: "input_text", text: block.text };
  const url = `data:${block.mediaType};base64,${block.bytes.toBase64()}`;
  return { type: "input_image", image_url: url, detail: "auto" };
}

function completionOf(
  answer: OpenAI.Responses.Response,
  target: Target,
  secrets: readonly string[],
): Omit<Answer, "notes"> {
  const usage = usageOf(answer);
  // What a service says need not be what its API promises.
  if (!Array.isArray(answer?.output)) throw strangeAnswer(target, secrets, answer, usage);
  const parts = answer.output.flatMap((item) =>
    item?.type === "message" && Array.isArray(item.content) ? item.content : []
  );
  const texts = parts.flatMap((part) => part?.type === "output_text" ? [part.text] : []);
  const refusals = parts.flatMap((part) => part?.type === "refusal" ? [part.refusal] : []);
  return {
    text: [...texts, ...refusals].join(""),
    stop: stopOf(answer, refusals.length > 0),
    usage,
  };
}

function usageOf(answer: OpenAI.Responses.Response): Answer["usage"] {
  const usage = answer?.usage;
  return {
    input: tokenCount(usage?.input_tokens),
    output: tokenCount(usage?.output_tokens),
    cacheCreation: 0,
    cacheRead: tokenCount(usage?.input_tokens_details?.cached_tokens),
    reasoning: tokenCount(usage?.output_tokens_details?.reasoning_tokens),
  };
}

function stopOf(
  { incomplete_details }: OpenAI.Responses.Response,
  isRefused: boolean,
): Completion["stop"] {
  const reason = incomplete_details?.reason;
  if (isRefused || reason === "content_filter") return "refusal";
  return reason === "max_output_tokens" ? "length" : "end";
}
