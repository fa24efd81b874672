import assert from "node:assert/strict";
import { UsageTotals } from "./usage.ts";

const CALL = { input: 100, output: 20, cacheCreation: 0, cacheRead: 0, reasoning: 0 };

Deno.test("usage is added up by model, without noise", () => {
  const usage = new UsageTotals();
  assert.deepEqual(usage.cost(), {});
  for (let i = 0; i < 3; i++) usage.add("m", { ...CALL, costUsd: 0.1 });
  const sum = { input_tokens: 300, output_tokens: 60, total_tokens: 360, cost_usd: 0.3 };
  assert.deepEqual(usage.toJson(), { ...sum, models: { m: sum } });
});

Deno.test("a cost is absent where a part of it is not known", () => {
  const usage = new UsageTotals();
  usage.add("priced", { ...CALL, costUsd: 0.1 });
  usage.add("free", CALL);
  const json = usage.toJson() as { cost_usd?: number; models: Record<string, object> };
  assert.equal(json.cost_usd, undefined);
  assert.ok("cost_usd" in json.models.priced! && !("cost_usd" in json.models.free!));
});

Deno.test("cached and reasoning tokens are shown where there are any", () => {
  const usage = new UsageTotals();
  usage.add("m", { input: 10, output: 5, cacheCreation: 2, cacheRead: 3, reasoning: 4 });
  const { models: _, ...json } = usage.toJson();
  assert.deepEqual(json, {
    input_tokens: 10,
    cache_creation_input_tokens: 2,
    cache_read_input_tokens: 3,
    output_tokens: 5,
    reasoning_output_tokens: 4,
    total_tokens: 15,
  });
});
