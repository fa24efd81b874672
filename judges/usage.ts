// What the calls of a judge used, added up.

import type { JsonValue } from "../src/score/criterion_score.ts";
import type { TokenUsage } from "./model.ts";

/** Digits after the point of a cost: fractions of a token's price, but no noise of the addition. */
const COST_DIGITS = 12;

/** Tokens and costs by model. */
export class UsageTotals {
  #total: TokenUsage | null = null;
  readonly #byModel = new Map<string, TokenUsage>();

  /** Adds one call. */
  add(model: string, usage: TokenUsage): void {
    this.#total = sum(this.#total, usage);
    for (const [name, part] of Object.entries(usage.byModel ?? { [model]: usage })) {
      this.#byModel.set(name, sum(this.#byModel.get(name) ?? null, part));
    }
  }

  /** US dollars so far; no key where a price is not known or nothing was used. */
  cost(): { costUsd?: number } {
    const costUsd = this.#total?.costUsd;
    return costUsd === undefined ? {} : { costUsd };
  }

  /** As `reward-details.json` shows it, under the original's names; empty where nothing is known. */
  toJson(): { [key: string]: JsonValue } {
    if (this.#total === null) return {};
    const models = [...this.#byModel].map(([model, usage]) => [model, usageJson(usage)] as const);
    return { ...usageJson(this.#total), models: Object.fromEntries(models) };
  }
}

function sum(a: TokenUsage | null, b: TokenUsage): TokenUsage {
  if (a === null) return b;
  // A sum that leaves out what has no price would look like the whole.
  const costUsd = (a.costUsd ?? NaN) + (b.costUsd ?? NaN);
  const isEstimate = a.isEstimate === true || b.isEstimate === true;
  const limits = { ...a.limits, ...b.limits };
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheCreation: a.cacheCreation + b.cacheCreation,
    cacheRead: a.cacheRead + b.cacheRead,
    reasoning: a.reasoning + b.reasoning,
    ...(Number.isFinite(costUsd) && { costUsd, isEstimate }),
    toolRequests: sumOfRequests(a.toolRequests ?? {}, b.toolRequests ?? {}),
    limits,
  };
}

function sumOfRequests(
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): Record<string, number> {
  const added = Object.entries(b).map(([tool, count]) => [tool, (a[tool] ?? 0) + count]);
  return { ...a, ...Object.fromEntries(added) };
}

function usageJson(usage: TokenUsage): { [key: string]: JsonValue } {
  const { input, output, cacheCreation, cacheRead, reasoning, costUsd, limits } = usage;
  const requests = Object.entries(usage.toolRequests ?? {}).filter(([, count]) => count > 0);
  return {
    input_tokens: input,
    ...(cacheCreation > 0 && { cache_creation_input_tokens: cacheCreation }),
    ...(cacheRead > 0 && { cache_read_input_tokens: cacheRead }),
    output_tokens: output,
    ...(reasoning > 0 && { reasoning_output_tokens: reasoning }),
    total_tokens: input + output,
    ...(limits?.context !== undefined && { context_window_tokens: limits.context }),
    ...(limits?.output !== undefined && { max_output_tokens: limits.output }),
    ...(requests.length > 0 && { tool_requests: Object.fromEntries(requests) }),
    ...(costUsd !== undefined && { cost_usd: Number(costUsd.toFixed(COST_DIGITS)) }),
    ...(costUsd !== undefined && usage.isEstimate === true && { cost_source: "estimate" }),
  };
}

/** A number of tokens, whatever a service or a program makes of it. */
export function tokenCount(count: unknown): number {
  return typeof count === "number" && Number.isFinite(count) && count > 0 ? count : 0;
}
