// What judges found becomes what is scored.

import type { JudgeResult } from "../judges/result.ts";
import { settingsOf } from "./judge_config.ts";
import type { FileResult } from "./results.ts";
import type { JudgeFile } from "./suite/suite.ts";

/** Results of a judge, and its errors; one that several criteria share is told once. */
export function resultOfJudge(
  { id, shown, config }: JudgeFile,
  { criteria, errors, durationSec, ...notes }: JudgeResult,
): FileResult {
  // Those of criteria are with the criteria.
  const own = errors.filter((error) => error.criteria.length === 0);
  return {
    input: {
      judge: settingsOf(config),
      ...notes,
      criteria,
      ...(own.length > 0 && { errors: own.map(({ message }) => ({ file: id, message })) }),
      duration_sec: Math.round(durationSec * 1e4) / 1e4,
    },
    errors: errors.map(({ criteria, message, hint }) => ({
      file: shown,
      ...(criteria.length > 0 && { criterion: namesOf(criteria) }),
      message,
      ...(hint !== undefined && { hint }),
    })),
  };
}

/** Agent judges are validated, but not run yet: an error of each criterion, never a score. */
export function resultOfAgent({ shown, config }: JudgeFile): FileResult {
  const message = "agent judges cannot be run by this version of Reward Kit yet";
  return {
    input: {
      judge: settingsOf(config),
      criteria: config.criteria.map(({ name, weight }) => ({
        name,
        value: 0,
        raw: null,
        weight,
        error: message,
      })),
    },
    errors: [{ file: shown, message, hint: "Name a model as the judge for now" }],
  };
}

/** Most names in a message. */
const MAX_NAMES = 3;

function namesOf(criteria: readonly string[]): string {
  const named = criteria.slice(0, MAX_NAMES).join(", ");
  return criteria.length > MAX_NAMES ? `${named} and ${criteria.length - MAX_NAMES} more` : named;
}
