// Error classes, named by who has to act on them.

/** Common base: a message for people, and optionally the way out of the problem. */
export class RewardKitError extends Error {
  /** What the reader can do about it, as one sentence; shown on a line of its own. */
  readonly hint?: string;

  constructor(message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    if (options.hint !== undefined) this.hint = options.hint;
  }
}

/** The command line or the arguments of an API call are wrong. Exit code 2. */
export class UsageError extends RewardKitError {}

/** Where in the tests folder a problem lies. */
export interface Place {
  /** Path of the file, as a person would type it. */
  file: string;
  /** First line is 1. */
  line?: number;
  /** First column is 1. */
  column?: number;
}

/** What is probably not meant, and keeps nothing from being graded. */
export interface Warning extends Place {
  message: string;
}

/** The tests folder or its configuration is wrong. Exit code 2. */
export class ConfigError extends RewardKitError {
  readonly place?: Place;

  constructor(message: string, options: { hint?: string; cause?: unknown; place?: Place } = {}) {
    super(message, options);
    if (options.place !== undefined) this.place = options.place;
  }

  /** The same problem, for whoever found it without knowing its place. */
  at(place: Place): ConfigError {
    const { message, hint, cause } = this;
    return new ConfigError(message, { place, cause, ...(hint !== undefined && { hint }) });
  }
}

/** Everything that discovery found wrong, at once. Exit code 2. */
export class DiscoveryError extends RewardKitError {
  readonly problems: readonly RewardKitError[];

  constructor(problems: readonly RewardKitError[]) {
    super(problems.map((problem) => problem.message).join("\n"));
    this.problems = problems;
  }
}

/**
 * The graded work is at fault: what a criterion asked the workspace for is absent or unusable.
 * Not caught, it scores the criterion 0 and becomes a warning.
 */
export class SubmissionError extends RewardKitError {}

/** The check is at fault: it threw, returned nonsense or ran out of time. No reward. */
export class CriterionError extends RewardKitError {}

/** A criterion used what it did not declare. No reward. */
export class PermissionNeededError extends CriterionError {}

/** A process of the run broke, or said something that its protocol does not allow. */
export class SandboxError extends RewardKitError {}
