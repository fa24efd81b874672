// From the name of a judge to the service that runs its model, its address and its key.

import { ConfigError } from "../../src/errors.ts";
import { type Api, type Provider, PROVIDERS } from "./provider_table.ts";

/** A model at a service, ready to be called. */
export interface Target {
  /** As the judge names it. */
  judge: string;
  /** For messages. */
  service: string;
  api: Api;
  /** As the service knows the model. */
  model: string;
  /** Without a slash at its end. */
  baseUrl: string;
  /** A key, a token of a subscription, or nothing where the service needs none. */
  credential: { key: string } | { token: string } | null;
  /** Variables of the credential, for messages. */
  keyVariables: readonly string[];
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string>>;

/** Models that only the Responses API serves. */
const RESPONSES_REGEXP =
  /^(?:gpt-5(?:\.\d)?-(?:pro|codex)|o[13]-pro|o[34](?:-mini)?-deep-research|codex-)/;

/**
 * Finds where a judge's model runs. Nothing is loaded or sent.
 *
 * @param judge A service and a model, such as `openai/gpt-5`, or a well-known model alone.
 * @throws {ConfigError} If the service is unknown, or its address or key is missing.
 *
 * @example
 * ```ts
 * import { resolveTarget } from "./resolve.ts";
 * import assert from "node:assert/strict";
 *
 * const target = resolveTarget("claude-opus-5-5", { ANTHROPIC_API_KEY: "k" });
 * assert.equal(target.baseUrl, "https://api.anthropic.com");
 * assert.throws(() => resolveTarget("groq/llama", {}), /GROQ_API_KEY/);
 * ```
 */
export function resolveTarget(judge: string, environment: Environment): Target {
  const { provider, model } = providerOf(judge);
  const isResponses = provider.prefix === "openai" &&
    (model.startsWith("responses/") || RESPONSES_REGEXP.test(model));
  return {
    judge,
    service: provider.title,
    api: isResponses ? "openai-responses" : provider.api,
    model: isResponses ? model.replace(/^responses\//, "") : model,
    baseUrl: baseOf(provider, judge, environment),
    credential: credentialOf(provider, judge, environment),
    keyVariables: provider.keyVariables,
  };
}

function providerOf(judge: string): { provider: Provider; model: string } {
  const slash = judge.indexOf("/");
  const prefix = judge.slice(0, Math.max(0, slash));
  const named = PROVIDERS.find((provider) => provider.prefix === prefix);
  if (named !== undefined && slash < judge.length - 1) {
    return { provider: named, model: judge.slice(slash + 1) };
  }
  const bare = slash === -1
    ? PROVIDERS.find(({ bareModels }) => bareModels?.test(judge))
    : undefined;
  if (bare !== undefined) return { provider: bare, model: judge };
  const known = PROVIDERS.map(({ prefix }) => `${prefix}/`).join(", ");
  throw new ConfigError(
    slash === -1
      ? `the judge "${judge}" is no agent, and no known service has a model of that name`
      : named === undefined
      ? `the judge "${judge}" names the service "${prefix}", which is not known`
      : `the judge "${judge}" names no model`,
    { hint: `Write it as service/model; the services are ${known}` },
  );
}

function baseOf(
  { prefix, title, base, baseVariables }: Provider,
  judge: string,
  environment: Environment,
): string {
  const [variable, given] = firstSet(baseVariables, environment) ?? [];
  const url = given ?? base;
  if (url === undefined) {
    throw new ConfigError(`the judge "${judge}" needs the address of ${title}`, {
      hint: `Set ${baseVariables[0]}` +
        (prefix === "azure" ? ", such as https://NAME.openai.azure.com/openai/v1" : ""),
    });
  }
  if (!/^https?:\/\/[^/]/.test(url)) {
    throw new ConfigError(
      `${variable} is not the address of a service: it has to start with http`,
      {
        hint: "Give a URL such as https://gateway.example.org/v1",
      },
    );
  }
  const plain = url.replace(/\/+$/, "");
  // The SDK appends all of the path itself; people give any part of it.
  return prefix === "anthropic" ? plain.replace(/\/v1(?:\/messages)?$/, "") : plain;
}

function credentialOf(
  { prefix, title, keyVariables, isKeyOptional }: Provider,
  judge: string,
  environment: Environment,
): Target["credential"] {
  const [variable, key] = firstSet(keyVariables, environment) ?? [];
  const token = prefix === "anthropic" ? subscriptionToken(environment) : undefined;
  if (token !== undefined && (key === undefined || wantsSubscription(environment))) {
    return { token: sendable("CLAUDE_CODE_OAUTH_TOKEN", token) };
  }
  if (key !== undefined) sendable(variable!, key);
  if (key !== undefined) return key.startsWith(TOKEN_START) ? { token: key } : { key };
  if (isKeyOptional === true) return null;
  throw new ConfigError(
    `the judge "${judge}" needs a key of ${title}: ${keyVariables[0]} is not set`,
    {
      hint: prefix === "anthropic"
        ? "Set it in the environment or with --judge-env, or set CLAUDE_CODE_OAUTH_TOKEN"
        : "Set it in the environment or with --judge-env",
    },
  );
}

/** Whether a subscription is to be used although there is a key. */
export function wantsSubscription({ REWARDKIT_FORCE_SUBSCRIPTION }: Environment): boolean {
  return /^(?:1|true|yes)$/i.test(REWARDKIT_FORCE_SUBSCRIPTION?.trim() ?? "");
}

/** What is no part of any key would only be found out call by call. */
function sendable(variable: string, credential: string): string {
  if (/^[\x21-\x7e]+$/.test(credential)) return credential;
  throw new ConfigError(
    `${variable} is no key: it holds spaces, line breaks or letters that a header cannot hold`,
    { hint: "Set the key alone, on one line" },
  );
}

/** Marks a token of a subscription, which is sent in another header than a key. */
const TOKEN_START = "sk-ant-oat";

function subscriptionToken({ CLAUDE_CODE_OAUTH_TOKEN }: Environment): string | undefined {
  return CLAUDE_CODE_OAUTH_TOKEN?.trim() || undefined;
}

function firstSet(
  names: readonly string[],
  environment: Environment,
): [string, string] | undefined {
  for (const name of names) {
    const value = environment[name]?.trim();
    if (value !== undefined && value !== "") return [name, value];
  }
  return undefined;
}
