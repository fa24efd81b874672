// Recorded judges that end in another way here.

/** What is given instead. */
export interface GivenByJudge {
  exit: number;
  /** `null`: none is written. */
  reward: number | null;
  /** Calls to models. */
  calls: number;
}

/** Recorded judges that differ in one way. */
export interface JudgeDifference {
  /** Key of the row in docs/differences.md. */
  kind: string;
  /** Why that is better. */
  reason: string;
  cases: Readonly<Record<string, GivenByJudge>>;
}

export const judgeDifferences: readonly JudgeDifference[] = [
  {
    kind: "judge scales",
    reason:
      "an answer off the scale shows that the judge used another one: it is asked again, and never clamped",
    cases: {
      "norm-binary-strings": { exit: 1, reward: null, calls: 2 },
      "norm-binary-nonstrings": { exit: 1, reward: null, calls: 2 },
      "norm-likert": { exit: 1, reward: null, calls: 2 },
      "norm-likert-float-strings": { exit: 1, reward: null, calls: 2 },
      "norm-numeric": { exit: 1, reward: null, calls: 2 },
      "norm-rubric": { exit: 1, reward: null, calls: 2 },
      "norm-rubric-fraction": { exit: 1, reward: null, calls: 2 },
    },
  },
  {
    kind: "judge outages",
    reason:
      "an outage is not the agent's failure: a judge out of reach or time is an error, not a 0",
    cases: {
      "guard-timeout": { exit: 1, reward: null, calls: 1 },
      "http-408-openai": { exit: 1, reward: null, calls: 5 },
      "http-504-openai": { exit: 1, reward: null, calls: 5 },
      "individual-one-timeout": { exit: 1, reward: null, calls: 2 },
      "samples-2-all-timeout": { exit: 1, reward: null, calls: 2 },
      "timeout-after-malformed": { exit: 1, reward: null, calls: 2 },
      "timeout-batched": { exit: 1, reward: null, calls: 1 },
      "timeout-negate": { exit: 1, reward: null, calls: 1 },
      "timeout-openai": { exit: 1, reward: null, calls: 1 },
    },
  },
  {
    kind: "judge retries",
    reason: "a call that fails for a reason that passes is made again, whatever the service",
    cases: {
      "http-429-anthropic": { exit: 0, reward: 1, calls: 2 },
      "http-429-anthropic-retry-after": { exit: 0, reward: 1, calls: 2 },
      "http-429-openai-3": { exit: 1, reward: null, calls: 5 },
      "http-500-anthropic": { exit: 0, reward: 1, calls: 2 },
      "http-503-anthropic": { exit: 0, reward: 1, calls: 2 },
      "http-504-anthropic": { exit: 0, reward: 1, calls: 2 },
      "http-529-anthropic": { exit: 0, reward: 1, calls: 2 },
      "http-body-not-json": { exit: 0, reward: 1, calls: 2 },
      "http-body-not-json-openai": { exit: 0, reward: 1, calls: 2 },
      "two-judges-one-429": { exit: 1, reward: null, calls: 3 },
    },
  },
  {
    kind: "judge answers",
    reason: "the details keep every answer, those that could not be used included",
    cases: {
      "individual-retry-usage": { exit: 0, reward: 1, calls: 3 },
      "norm-likert-inf": { exit: 0, reward: 0.25, calls: 2 },
      "norm-likert-inf-string": { exit: 0, reward: 1, calls: 3 },
      "norm-likert-word-then-number": { exit: 0, reward: 0.75, calls: 2 },
      "reply-empty-openai-then-good": { exit: 0, reward: 1, calls: 2 },
      "reply-entry-not-object": { exit: 0, reward: 1, calls: 2 },
      "reply-malformed-then-good": { exit: 0, reward: 1, calls: 2 },
      "reply-malformed-twice-then-good": { exit: 0, reward: 1, calls: 3 },
      "reply-truncated-then-good": { exit: 0, reward: 1, calls: 2 },
      "usage-retry-summed": { exit: 0, reward: 1, calls: 2 },
    },
  },
  {
    kind: "judge replies",
    reason:
      "a verdict that can be found is used; what cannot be used is asked for again, and only that",
    cases: {
      "reply-prose-with-braces": { exit: 0, reward: 1, calls: 1 },
      "reply-missing-then-complete": { exit: 0, reward: 1, calls: 2 },
      "reply-null-reasoning": { exit: 0, reward: 1, calls: 1 },
      "reply-number-reasoning": { exit: 0, reward: 1, calls: 1 },
      "reply-empty": { exit: 1, reward: null, calls: 3 },
      "reply-empty-then-good": { exit: 0, reward: 1, calls: 2 },
      "reply-refusal-anthropic": { exit: 1, reward: null, calls: 3 },
      "norm-binary-list": { exit: 1, reward: null, calls: 3 },
      "norm-binary-null": { exit: 1, reward: null, calls: 3 },
      "norm-likert-null": { exit: 0, reward: 0.5, calls: 2 },
      "guard-reply-missing": { exit: 0, reward: 1, calls: 3 },
    },
  },
  {
    kind: "judge models",
    reason:
      "a model is a judge with whatever it takes: an effort or images that it refuses are left out",
    cases: {
      "effort-minimal-gpt": { exit: 0, reward: 1, calls: 1 },
      "model-gpt-4o-effort": { exit: 0, reward: 1, calls: 1 },
      "model-gpt-4o-effort-none": { exit: 0, reward: 1, calls: 1 },
      "files-image-no-vision": { exit: 0, reward: 1, calls: 1 },
      "files-image-unpriced-model": { exit: 0, reward: 1, calls: 1 },
    },
  },
  {
    kind: "judge costs",
    reason:
      "a cost that is not known is absent, not 0, and tokens are those that the service counts",
    cases: {
      "model-unpriced-claude": { exit: 0, reward: 1, calls: 1 },
      "model-unpriced-openai": { exit: 0, reward: 1, calls: 1 },
      "reply-tool-call-unpriced-claude": { exit: 0, reward: 1, calls: 1 },
      "reply-thinking-and-split-text": { exit: 0, reward: 1, calls: 1 },
    },
  },
  {
    kind: "judge keys",
    reason: "a key that this kind of judge does not take is told, not ignored",
    cases: {
      "env-model-ignored-for-llm": { exit: 2, reward: null, calls: 0 },
    },
  },
  {
    kind: "judge evidence",
    reason: "without anything to judge no model is asked: the agent's failure scores 0",
    cases: {
      "files-empty-dir": { exit: 0, reward: 0, calls: 0 },
      "files-missing-only": { exit: 0, reward: 0, calls: 0 },
      "reference-dir-openai": { exit: 0, reward: 0, calls: 0 },
      "trajectory-missing": { exit: 0, reward: 0, calls: 0 },
      "trajectory-bad-json": { exit: 0, reward: 0, calls: 0 },
      "trajectory-not-object": { exit: 0, reward: 0, calls: 0 },
    },
  },
  {
    kind: "judge files",
    reason: "a file that is named is shown, and a judge without files makes a valid request",
    cases: {
      "files-hidden-only": { exit: 0, reward: 1, calls: 1 },
      "files-none-anthropic": { exit: 0, reward: 1, calls: 1 },
    },
  },
  {
    kind: "judge warnings",
    reason: "what is not shown to a judge, speaks to it or was flagged is told",
    cases: {
      "files-mixed": { exit: 0, reward: 1, calls: 1 },
      "guard-fence": { exit: 0, reward: 1, calls: 1 },
      "guard-flag-flagged": { exit: 0, reward: 1, calls: 1 },
      "guard-individual": { exit: 0, reward: 0, calls: 3 },
      "guard-penalize-flagged": { exit: 0, reward: 0, calls: 1 },
      "guard-penalize-flagged-numeric-raw": { exit: 0, reward: 0, calls: 1 },
      "guard-samples-2-high": { exit: 0, reward: 0, calls: 2 },
      "guard-weights-sum": { exit: 0, reward: 2, calls: 1 },
      "reference-missing": { exit: 0, reward: 1, calls: 1 },
      "trajectory-empty-steps": { exit: 0, reward: 1, calls: 1 },
    },
  },
  {
    kind: "nothing to grade",
    reason: "an empty reward was taken for a result in practice",
    cases: {
      "config-toml-without-markers": { exit: 2, reward: null, calls: 0 },
    },
  },
];
