// What a difference from the original is.

/** What is given instead; what is absent is as recorded. */
export interface Given {
  /** The call, or the whole tests folder, is refused before anything runs. */
  refused?: RegExp;
  /** There is no reward, for this error. */
  failed?: RegExp;
  /** Value of the criterion. */
  score?: number;
  /** As in reward-details.json; otherwise whether the score is above 0. */
  raw?: unknown;
  /** There is a warning like this. */
  warning?: RegExp;
  /** The criterion's name by default. */
  name?: string;
  /** Of what is discovered: names of the criteria, kinds of the inputs. */
  names?: readonly string[];
  kinds?: readonly string[];
}

/** Cases that differ in one way. */
export interface Difference {
  /** Key of the row in docs/differences.md. */
  kind: string;
  /** Why that is better. */
  reason: string;
  gives: Given;
  cases: readonly string[];
}

/** A reason that calls and tests folders share. */
export const IS_SLIP = "a slip of the author's is told before anything runs, not scored";
