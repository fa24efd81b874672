// When a criterion by itself counts as passed in reports.

/**
 * Whether a score passes.
 *
 * @param passMark Least score that does, in (0, 1]; absent: anything above 0.
 */
export function isPassed(score: number, passMark?: number): boolean {
  return score > 0 && (passMark === undefined || score >= passMark);
}
