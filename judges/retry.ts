// Calls that fail for reasons that pass are made again.

import { type Callable, type Completion, ModelCallError, type ModelRequest } from "./model.ts";

/** Does something in one of a limited number of slots. */
export type Limit = <T>(work: () => Promise<T>, options?: { jumps?: boolean }) => Promise<T>;

/** How calls are made. */
export interface CallOptions {
  /** Ends everything at once. */
  signal: AbortSignal;
  /** When it will be too late, in milliseconds of `performance.now()`; known with the first call. */
  deadlineAt: () => number;
  /** Held for the time of each call, not for the waits between them. */
  limit: Limit;
  /** In [0, 1); for tests. */
  random?: () => number;
  /** Waits; for tests. */
  sleep?: (seconds: number, signal: AbortSignal) => Promise<void>;
}

/** Most calls while a service or the way to it is broken. */
const MAX_CALLS = 6;

/** Most calls while a service asks for patience: a judgement's time limit ends it earlier. */
const MAX_THROTTLED_CALLS = 1000;

/** Seconds of the first and of the longest wait that a service does not ask for itself. */
const FIRST_WAIT_SEC = 0.5;
const LONGEST_WAIT_SEC = 30;

/**
 * Calls a model until it answers. A service that is overloaded or allows no more requests is asked
 * until the time is up, one that is broken or cannot be reached {@link MAX_CALLS} times. A wait is as
 * long as the service asks for; where it does not, waits double, each with a random part.
 *
 * @throws {ModelCallError} The last one, if there is no hope or not enough time.
 * @throws What the signal was aborted with.
 */
export async function callWithRetries(
  model: Callable,
  request: ModelRequest,
  { signal, deadlineAt, limit, random = Math.random, sleep = sleepFor }: CallOptions,
): Promise<Completion> {
  for (let calls = 1;; calls++) {
    let failure: ModelCallError;
    try {
      return await limit(async () => {
        signal.throwIfAborted();
        return await model.call(request, signal);
      }, { jumps: calls > 1 });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ModelCallError)) throw error;
      failure = error;
    }
    const most = failure.kind === "throttled" ? MAX_THROTTLED_CALLS : MAX_CALLS;
    if (failure.kind === "rejected" || calls >= most) throw givenUp(failure, calls);
    const wait = failure.retryAfterSec === undefined
      ? backOff(calls, random)
      : asAsked(failure.retryAfterSec, random);
    if (performance.now() + wait * 1000 >= deadlineAt()) {
      throw givenUp(
        failure,
        calls,
        `no time is left to wait the ${wait.toFixed(1)} s before another`,
      );
    }
    await sleep(wait, signal);
  }
}

/** Seconds before the next call: between half of a doubling step and all of it. */
function backOff(calls: number, random: () => number): number {
  const step = Math.min(FIRST_WAIT_SEC * 2 ** (calls - 1), LONGEST_WAIT_SEC);
  return step * (0.5 + random() / 2);
}

/** A little later than the service asks for: others were told the same. */
function asAsked(seconds: number, random: () => number): number {
  return Math.max(seconds, FIRST_WAIT_SEC) + random() * Math.min(FIRST_WAIT_SEC, seconds / 4);
}

function givenUp(failure: ModelCallError, calls: number, why?: string): ModelCallError {
  if (calls === 1 && why === undefined) return failure;
  const times = `after ${calls} ${calls === 1 ? "call" : "calls"}`;
  const { kind, status, retryAfterSec, hint } = failure;
  return new ModelCallError(`${failure.message} (${times}${why === undefined ? "" : `; ${why}`})`, {
    kind,
    cause: failure,
    ...(status !== undefined && { status }),
    ...(retryAfterSec !== undefined && { retryAfterSec }),
    ...(hint !== undefined && { hint }),
  });
}

/** Keeps the program alive, as nothing else may while a judge waits. */
function sleepFor(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, seconds * 1000);
    signal.addEventListener("abort", stop, { once: true });
  });
}
