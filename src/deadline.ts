// Time limits.

/** A timer of more milliseconds fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A time limit that can be lifted. */
export interface Deadline {
  /** From now on it does not call back. */
  cancel(): void;
}

/**
 * Calls back when the time is up. A limit of more than 24 days is one of 24 days. Does not keep a
 * process alive: something else must be going on that is limited.
 *
 * A signal's time-out rather than `setTimeout`, whose first call loads the Node half of Deno's
 * timers, in 8 to 20 ms.
 *
 * @example
 * ```ts
 * import { deadline } from "./deadline.ts";
 *
 * const limit = deadline(30, () => console.log("too late"));
 * limit.cancel();
 * ```
 */
export function deadline(seconds: number, onPassed: () => void): Deadline {
  const signal = AbortSignal.timeout(Math.min(seconds * 1000, MAX_TIMER_MS));
  signal.addEventListener("abort", onPassed);
  return { cancel: () => signal.removeEventListener("abort", onPassed) };
}
