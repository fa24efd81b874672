// What a run of Codex cost, by its own record: its output tells tokens, but neither model nor price.

import type { TokenUsage } from "../model.ts";
import { costOf, factsOf } from "../providers/model_table.ts";
import { tokenCount } from "../usage.ts";
import { readRegular } from "./judge_logs.ts";
import { isObject, objectLines } from "./output_json.ts";

/**
 * Adds a cost to what a run used: every request of the record is priced for the model that stands
 * before it. Only if the record's sums are those of the run, and every model has a known price.
 *
 * @returns `null` if it cannot be priced.
 */
export async function pricedByLog(usage: TokenUsage, path: string): Promise<TokenUsage | null> {
  let text: string;
  try {
    text = await readRegular(path);
  } catch {
    return null;
  }
  const requests = requestsOf(text);
  const byModel: Record<string, TokenUsage> = {};
  for (const { model, ...request } of requests) {
    const facts = factsOf(model);
    if (facts === null) return null;
    const costUsd = costOf(facts.prices, request);
    const known = byModel[model];
    byModel[model] = known === undefined
      ? { ...request, costUsd }
      : { ...added(known, request), costUsd: known.costUsd! + costUsd };
  }
  const parts = Object.values(byModel);
  if (parts.length === 0 || !isSame(parts.reduce(added), usage)) return null;
  const costUsd = parts.reduce((sum, part) => sum + part.costUsd!, 0);
  return { ...usage, costUsd, isEstimate: true, byModel };
}

interface Request extends TokenUsage {
  model: string;
}

/** A count that stands after something the model said is a request's. */
function requestsOf(log: string): Request[] {
  const requests: Request[] = [];
  let model: string | null = null;
  let hasAnswered = false;
  for (const { type, payload } of objectLines(log)) {
    if (!isObject(payload)) continue;
    if (type === "turn_context" && typeof payload.model === "string") model = payload.model;
    if (type === "response_item") hasAnswered ||= isAnswer(payload);
    if (type !== "event_msg" || payload.type !== "token_count" || !hasAnswered) continue;
    const usage = isObject(payload.info) ? payload.info.last_token_usage : null;
    if (!isObject(usage) || model === null) continue;
    hasAnswered = false;
    requests.push({
      model,
      input: tokenCount(usage.input_tokens),
      output: tokenCount(usage.output_tokens),
      cacheCreation: tokenCount(usage.cache_write_input_tokens),
      cacheRead: tokenCount(usage.cached_input_tokens),
      reasoning: tokenCount(usage.reasoning_output_tokens),
    });
  }
  return requests;
}

/** Everything but what the model was told. */
function isAnswer({ type, role }: Record<string, unknown>): boolean {
  if (type === "message") return role === "assistant";
  return typeof type === "string" && !type.endsWith("_output");
}

function added(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheCreation: a.cacheCreation + b.cacheCreation,
    cacheRead: a.cacheRead + b.cacheRead,
    reasoning: a.reasoning + b.reasoning,
  };
}

function isSame(a: TokenUsage, b: TokenUsage): boolean {
  return a.input === b.input && a.output === b.output && a.cacheCreation === b.cacheCreation &&
    a.cacheRead === b.cacheRead && a.reasoning === b.reasoning;
}
