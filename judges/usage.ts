// What the calls of a judge used, added up.

import type { JsonValue } from "../src/score/criterion_score.ts";
import type { TokenUsage } from "./model.ts";

/** Digits after the point of a cost: fractions of a token's price, but no noise of the addition. */
const COST_DIGITS = 12;

/** Tokens and costs by model. */
export class UsageTotals {
  readonly #byModel = new Map<string, TokenUsage>();

  /** Adds one call. */
  add(model: string, usage: TokenUsage): void {
    const known = this.#byModel.get(model);
    this.#byModel.set(model, known === undefined ? usage : sum(known, usage));
  }

  /** US dollars so far; no key where a price is not known or nothing was used. */
  cost(): { costUsd?: number } {
    const total = this.#total();
    return total?.costUsd === undefined ? {} : { costUsd: total.costUsd };
  }

  /** As `reward-details.json` shows it, under the original's names. */
  toJson(): { [key: string]: JsonValue } {
    const models = [...this.#byModel].map(([model, usage]) => [model, usageJson(usage)] as const);
    return { ...usageJson(this.#total() ?? NOTHING), models: Object.fromEntries(models) };
  }

  #total(): TokenUsage | undefined {
    const [first, ...others] = this.#byModel.values();
    return first && others.reduce(sum, first);
  }
}

const NOTHING: TokenUsage = { input: 0, output: 0, cacheCreation: 0, cacheRead: 0, reasoning: 0 };

function sum(a: TokenUsage, b: TokenUsage): TokenUsage {
  // A sum that leaves out what has no price would look like the whole.
  const hasCost = a.costUsd !== undefined && b.costUsd !== undefined;
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheCreation: a.cacheCreation + b.cacheCreation,
    cacheRead: a.cacheRead + b.cacheRead,
    reasoning: a.reasoning + b.reasoning,
    ...(hasCost && { costUsd: a.costUsd! + b.costUsd! }),
  };
}

function usageJson(usage: TokenUsage): { [key: string]: JsonValue } {
  const { input, output, cacheCreation, cacheRead, reasoning, costUsd } = usage;
  return {
    input_tokens: input,
    ...(cacheCreation > 0 && { cache_creation_input_tokens: cacheCreation }),
    ...(cacheRead > 0 && { cache_read_input_tokens: cacheRead }),
    output_tokens: output,
    ...(reasoning > 0 && { reasoning_output_tokens: reasoning }),
    total_tokens: input + output,
    ...(costUsd !== undefined && { cost_usd: Number(costUsd.toFixed(COST_DIGITS)) }),
  };
}
