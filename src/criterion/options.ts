// The options that every criterion takes.

/** Options of every criterion, built-in or custom. */
export interface CriterionOptions {
  /** Weight in the score of the check file; at least 0 unless the file sums. Default 1. */
  weight?: number;
  /** Name in the results. Default: the criterion's name and its first argument. */
  name?: string;
  /** Run in a throw-away view of the workspace. Default false. */
  isolated?: boolean;
}
