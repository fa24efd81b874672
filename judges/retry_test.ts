import assert from "node:assert/strict";
import { type Completion, type Model, ModelCallError, type ModelRequest } from "./model.ts";
import { type CallOptions, callWithRetries } from "./retry.ts";

const USAGE = { input: 1, output: 1, cacheCreation: 0, cacheRead: 0, reasoning: 0 };
const ANSWER: Completion = { text: "{}", stop: "end", usage: USAGE, notes: [] };
const REQUEST: ModelRequest = { system: "", blocks: [], schema: {}, effort: "none", roomier: 0 };

/** Calls a model that gives these in turn, the last one for good; no time passes. */
async function calling(
  turns: readonly (Completion | ModelCallError)[],
  options: Partial<CallOptions> = {},
) {
  const waits: number[] = [];
  let calls = 0;
  const model: Model = {
    name: "m",
    contextTokens: 1000,
    takesImages: true,
    warnings: [],
    load: () => Promise.resolve(),
    call: () => {
      const turn = turns[Math.min(calls++, turns.length - 1)]!;
      return turn instanceof ModelCallError ? Promise.reject(turn) : Promise.resolve(turn);
    },
  };
  const result = await callWithRetries(model, REQUEST, {
    signal: new AbortController().signal,
    deadlineAt: () => Infinity,
    limit: (work) => work(),
    random: () => 0,
    sleep: (seconds) => Promise.resolve(void waits.push(seconds)),
    ...options,
  }).catch((error) => error);
  return { result, calls, waits };
}

function failing(kind: ModelCallError["kind"], retryAfterSec?: number): ModelCallError {
  return new ModelCallError("no luck", {
    kind,
    ...(retryAfterSec !== undefined && { retryAfterSec }),
  });
}

Deno.test("what is broken is called six times, with waits that double", async () => {
  const { result, calls, waits } = await calling([failing("unavailable")]);
  assert.match(result.message, /no luck \(after 6 calls\)/);
  assert.equal(calls, 6);
  assert.deepEqual(waits, [0.25, 0.5, 1, 2, 4]);
});

Deno.test("what is throttled is called until it answers, as late as it asks for", async () => {
  const throttled = failing("throttled", 7);
  const { result, calls, waits } = await calling([...Array(40).fill(throttled), ANSWER]);
  assert.equal(result, ANSWER);
  assert.equal(calls, 41);
  assert.ok(waits.every((wait) => wait === 7));
  const eager = await calling([failing("throttled", 0), ANSWER]);
  assert.deepEqual(eager.waits, [0.5]);
});

Deno.test("waits without a request for one are never longer than half a minute", async () => {
  const { waits } = await calling([...Array(20).fill(failing("throttled")), ANSWER], {
    random: () => 1,
  });
  assert.equal(Math.max(...waits), 30);
});

Deno.test("what is rejected is not called again", async () => {
  const rejected = failing("rejected");
  const { result, calls } = await calling([rejected]);
  assert.deepEqual([result, calls], [rejected, 1]);
});

Deno.test("a wait that would end too late is not begun", async () => {
  const { result, calls, waits } = await calling([failing("throttled", 90)], {
    deadlineAt: () => performance.now() + 60_000,
  });
  assert.deepEqual([calls, waits], [1, []]);
  assert.match(result.message, /after 1 call; no time is left to wait the 90\.0 s/);
});

Deno.test("a slot is held for a call and not for the waits; a second call jumps the queue", async () => {
  let held = 0;
  const jumps: boolean[] = [];
  await calling([failing("unavailable"), ANSWER], {
    limit: async (work, options) => {
      held++;
      jumps.push(options?.jumps === true);
      try {
        return await work();
      } finally {
        held--;
      }
    },
    sleep: () => Promise.resolve(assert.equal(held, 0)),
  });
  assert.deepEqual(jumps, [false, true]);
});

Deno.test("an abort ends a wait at once, with its reason", async () => {
  const stop = new AbortController();
  const { sleep: _, ...real } = { sleep: undefined };
  const reason = new Error("stopped");
  setTimeout(() => stop.abort(reason), 5);
  const waiting = callWithRetries(
    { name: "m", call: () => Promise.reject(failing("throttled", 3600)) },
    REQUEST,
    { signal: stop.signal, deadlineAt: () => Infinity, limit: (work) => work(), ...real },
  );
  await assert.rejects(waiting, reason);
});
