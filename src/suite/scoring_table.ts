// The keys that say how scores are combined; the same in [scoring], [scoring.…] and [[reward]].

import {
  type Aggregation,
  AGGREGATIONS,
  DEFAULT_THRESHOLD,
  parseAggregation,
  type Scoring,
} from "../score/aggregate.ts";
import type { Place } from "../errors.ts";
import type { Table } from "./table.ts";

/** How scores are combined, as an author wrote it. */
export interface ScoringTable {
  aggregation: Aggregation;
  /** The aggregation in the author's spelling (`all_pass`). */
  spelling: string;
  /** What the weighted mean has to reach. */
  threshold?: number;
  /** Least score that counts as passed, in (0, 1]. */
  pass?: number;
  /** Where its table stands. */
  place?: Place;
}

/** How scores are combined where nobody says so. */
export const DEFAULT_SCORING: ScoringTable = {
  aggregation: "weighted-mean",
  spelling: "weighted-mean",
};

/** Reads `aggregation`, `threshold` and `pass`; warns of a number that the aggregation ignores. */
export function readScoring(table: Table): ScoringTable {
  const spelling = table.text("aggregation") ?? DEFAULT_SCORING.spelling;
  const aggregation = parseAggregation(spelling);
  const threshold = table.number("threshold");
  const pass = table.number("pass", { above: 0, most: 1 });
  if (aggregation === undefined) {
    table.problemAt(
      ["aggregation"],
      `"aggregation" is ${JSON.stringify(spelling)}, expected one of ${AGGREGATIONS.join(", ")}`,
    );
    return DEFAULT_SCORING;
  }
  if (threshold !== undefined && aggregation !== "threshold") {
    table.warn(`"threshold" has no effect with ${spelling}; it needs aggregation = "threshold"`, [
      "threshold",
    ]);
  }
  if (pass !== undefined && !aggregation.endsWith("-pass")) {
    table.warn(`"pass" has no effect with ${spelling}; it is for all-, any- and required-pass`, [
      "pass",
    ]);
  }
  return { aggregation, spelling, threshold, pass, place: table.place() };
}

/**
 * The numbers that scoring uses.
 *
 * @param passMark Where the table sets no `pass`; absent: everything greater than 0 passes.
 */
export function resolveScoring(
  { aggregation, threshold = DEFAULT_THRESHOLD, pass }: ScoringTable,
  passMark: number | undefined,
): Scoring {
  const mark = pass ?? passMark;
  return mark === undefined ? { aggregation, threshold } : { aggregation, threshold, pass: mark };
}
