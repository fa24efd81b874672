// Time limits of Workers.

/** A timer of more milliseconds fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls back when the time is up. A limit of more than 24 days is one of 24 days.
 *
 * @returns What `clearTimeout` takes.
 */
export function deadline(seconds: number, onPassed: () => void): ReturnType<typeof setTimeout> {
  return setTimeout(onPassed, Math.min(seconds * 1000, MAX_TIMER_MS));
}
