// Every recorded case of the original through the command line: it agrees, or it is on the list of
// differences and gives exactly what that says.

import assert from "node:assert/strict";
import { roundScore } from "../src/score/round.ts";
import { type CriterionOutcome, gradeCriteria } from "./conformance/criteria.ts";
import { type Difference, differences } from "./conformance/differences.ts";
import { gradeLayouts, type LayoutOutcome } from "./conformance/layouts.ts";
import {
  type CriterionCase,
  criterionCases,
  type LayoutCase,
  layoutCases,
} from "./conformance/recorded.ts";

const byCase: ReadonlyMap<string, Difference> = new Map(
  differences.flatMap((difference) => difference.cases.map((id) => [id, difference] as const)),
);
