// What a run tells of itself while it goes on.

import type { Place } from "./errors.ts";
import type { RunError } from "./results.ts";
import type { InputKind } from "./score/plan.ts";

/** How far a judge is. A judgement is one question asked once. */
export interface JudgeProgress {
  /** Judgements that have ended, with a verdict or without. */
  done: number;
  /** Judgements in all. */
  total: number;
  /** Calls to the model so far, those that failed included. */
  calls: number;
  /** US dollars so far; absent where a price is not known. */
  costUsd?: number;
}

/** A check file or a judge, as events name it. */
export interface EventFile {
  /** As a person would type it: the tests folder as it was given, and the path from there. */
  file: string;
  kind: InputKind;
}

/** How a criterion ended. */
export interface CriterionOutcome {
  /** Position in its file, from 0. */
  index: number;
  /** Its name in the results. */
  criterion: string;
  /** Usually in [0, 1], not rounded; 0 where there is an `error`. */
  score: number;
  reasoning?: string;
  /** What it wanted to find, and what it found instead. */
  expected?: string;
  found?: string;
  /** Why there is no score. */
  error?: string;
}

/**
 * Something that happened in a run. With several tests folders, each goes from `discovered` to its
 * last `fileFinished` before the next one's `discovered`; `done` comes once.
 */
export type RunEvent =
  /** A tests folder has been read; its check files are loaded next. */
  | { type: "discovered"; testsDir: string; files: EventFile[] }
  /** What will be computed is known. Files without a criterion are left out. */
  | { type: "planned"; testsDir: string; files: (EventFile & { criteria: string[] })[] }
  | { type: "fileStarted"; file: string }
  /** Everything of a check file or a judge has ended. */
  | { type: "fileFinished"; file: string; durationSec: number }
  /** A criterion of a check file is being computed. */
  | { type: "criterionStarted"; file: string; index: number; criterion: string }
  /** Of a judge all criteria finish at once, when it is done. */
  | ({ type: "criterionFinished"; file: string } & CriterionOutcome)
  /** How far a judge is. */
  | { type: "judgeProgress"; file: string; progress: JudgeProgress }
  /** `file` is absent where it is about the run as a whole. */
  | ({ type: "warning" } & Partial<Place> & { message: string })
  /** What takes a while, and is as it should be. */
  | { type: "info"; message: string }
  /** What check files print. */
  | { type: "output"; text: string }
  /**
   * The run is over and its files are written. `rewards` is `null` when errors allow none; a run that
   * is refused or interrupted has no such event.
   */
  | { type: "done"; rewards: Record<string, number> | null; errors: RunError[] };
