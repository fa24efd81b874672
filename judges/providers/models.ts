// The model of a judge.

import { lazily } from "../../src/lazy.ts";
import {
  type Completion,
  type Model,
  ModelCallError,
  type ModelRequest,
  type TokenUsage,
} from "../model.ts";
import type { Client } from "./client.ts";
import { costOf, factsOf, type ModelFacts, TABLE_DATE } from "./model_table.ts";
import { redact, secretsOf } from "./redact.ts";
import { type Environment, resolveTarget, type Target } from "./resolve.ts";

/** Largest input of a model that is not in the table. */
const DEFAULT_CONTEXT_TOKENS = 128_000;

/** Services that sell the models of the table under the table's prices. */
const OWN_MODELS = new Set(["Anthropic", "OpenAI", "Google Gemini", "DeepSeek", "Mistral"]);

/**
 * Finds the model of a judge. Its SDK is loaded with {@link Model.load}, or with the first call.
 *
 * @throws {ConfigError} If the service is unknown, or its address or key is missing.
 */
export function resolveModel(judge: string, environment: Environment): Model {
  const target = resolveTarget(judge, environment);
  const facts = factsOf(target.model.slice(target.model.lastIndexOf("/") + 1));
  const secrets = secretsOf(environment);
  let client: Promise<Client> | null = null;
  const load = () => client ??= loadClient(target, facts, secrets);
  const priced = (usage: TokenUsage): TokenUsage =>
    facts === null || !OWN_MODELS.has(target.service)
      ? usage
      : { ...usage, costUsd: costOf(facts.prices, usage) };
  return {
    name: judge,
    contextTokens: facts?.contextTokens ?? DEFAULT_CONTEXT_TOKENS,
    takesImages: facts?.takesImages ?? null,
    warnings: facts === null ? [unknownModel(judge)] : [],
    load: async () => void await load(),
    call: async (request: ModelRequest, signal: AbortSignal): Promise<Completion> => {
      const call = await load();
      signal.throwIfAborted();
      const answer = await call(request, signal).catch((error) => {
        if (!(error instanceof ModelCallError) || error.usage === undefined) throw error;
        throw new ModelCallError(error.message, { ...error, usage: priced(error.usage) });
      });
      const usage = priced(answer.usage);
      // A service that echoes a request must not bring the key into the details.
      return { ...answer, text: redact(answer.text, secrets), usage };
    },
  };
}

async function loadClient(
  target: Target,
  facts: ModelFacts | null,
  secrets: readonly string[],
): Promise<Client> {
  switch (target.api) {
    case "anthropic": {
      const module = await lazily<typeof import("./anthropic.ts")>(
        "./anthropic.ts",
        import.meta.url,
      );
      return module.anthropicClient(target, facts, secrets);
    }
    case "openai-chat": {
      const module = await lazily<typeof import("./openai_chat.ts")>(
        "./openai_chat.ts",
        import.meta.url,
      );
      return module.chatClient(target, facts, secrets);
    }
    case "openai-responses": {
      const module = await lazily<typeof import("./openai_responses.ts")>(
        "./openai_responses.ts",
        import.meta.url,
      );
      return module.responsesClient(target, facts, secrets);
    }
  }
}

function unknownModel(judge: string): string {
  return `${judge} is not in the table of models of ${TABLE_DATE}: its cost is not known, and a ` +
    `context of ${DEFAULT_CONTEXT_TOKENS} tokens is assumed`;
}
