// OpenAI's SDK, for OpenAI and every service that speaks its API.

// Only the client: the package as a whole brings the clients of other clouds along.
import { OpenAI } from "openai/client";
import type { ModelFacts } from "./model_table.ts";
import type { OptionalPart } from "./optional_parts.ts";
import type { Target } from "./resolve.ts";
import { boundedFetch, CALL_TIMEOUT_MS } from "./transport.ts";

/** The name of the schema in requests; the services want one. */
export const SCHEMA_NAME = "judge_response";

/** The SDK with nothing left to the environment. */
export function openaiSdk({ credential, baseUrl }: Target): OpenAI {
  const key = credential === null
    ? "none"
    : "key" in credential
    ? credential.key
    : credential.token;
  return new OpenAI({
    apiKey: key,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: baseUrl,
    maxRetries: 0,
    timeout: CALL_TIMEOUT_MS,
    logLevel: "off",
    fetch: boundedFetch,
  });
}

/** Whether to send a reasoning effort: unknown models of OpenAI itself may take one. */
export function takesEffort(facts: ModelFacts | null, target: Target): boolean {
  return facts === null ? target.service === "OpenAI" : facts.effort === "word";
}

/** What models and services are known to refuse. */
export const OPENAI_PARTS: readonly OptionalPart[] = [
  {
    name: "effort",
    refusal: /reasoning/i,
    note: "takes no reasoning effort",
  },
  {
    name: "schema",
    refusal: /response_format|json_schema|text\.format|structured output|schema/i,
    note: "takes no schema for its answer",
  },
  {
    name: "developer",
    refusal: /developer|role/i,
    note: "takes no developer message",
  },
];
