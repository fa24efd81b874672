// Recorded agent judges that end in another way here.

/** What is given instead. */
export interface GivenByAgent {
  exit: number;
  /** `null`: none is written. */
  reward: number | null;
  /** Starts of agents to judge. */
  runs: number;
}

/** Recorded agent judges that differ in one way. */
export interface AgentDifference {
  /** Key of the row in docs/differences.md. */
  kind: string;
  /** Why that is better. */
  reason: string;
  cases: Readonly<Record<string, GivenByAgent>>;
}

export const agentDifferences: readonly AgentDifference[] = [
  {
    kind: "judge outages",
    reason: "an agent that does not answer in time is an error, not a 0",
    cases: {
      "claude-timeout": { exit: 1, reward: null, runs: 1 },
      "claude-timeout-usage-kept": { exit: 1, reward: null, runs: 1 },
      "codex-timeout": { exit: 1, reward: null, runs: 1 },
    },
  },
  {
    kind: "judge answers",
    reason: "the details keep every answer, those that could not be used included",
    cases: {
      "claude-structured-null": { exit: 0, reward: 1, runs: 2 },
      "claude-structured-wrong-shape-then-good": { exit: 0, reward: 0.75, runs: 2 },
      "codex-malformed-file-then-good": { exit: 0, reward: 1, runs: 2 },
    },
  },
  {
    kind: "judge keys",
    reason: "a key that this kind of judge does not take is told, not ignored",
    cases: {
      "claude-files-and-reference-ignored": { exit: 2, reward: null, runs: 0 },
    },
  },
  {
    kind: "judge evidence",
    reason: "an agent is not paid to look for a trajectory that is not there",
    cases: {
      "claude-trajectory-path": { exit: 0, reward: 0, runs: 0 },
    },
  },
  {
    kind: "agent answers",
    reason: "a verdict in the last words of claude is used, not thrown away three times",
    cases: {
      "claude-result-text-only": { exit: 0, reward: 1, runs: 1 },
    },
  },
  {
    kind: "agent tool servers",
    reason: "they are in a configuration of the run's own, so that none has to be registered",
    cases: {
      "claude-mcp-fails": { exit: 0, reward: 1, runs: 1 },
    },
  },
  {
    kind: "agent logs",
    reason: "what an agent did is kept beside the reward where no folder is named",
    cases: {
      "claude-no-log-dir": { exit: 0, reward: 1, runs: 1 },
    },
  },
];
