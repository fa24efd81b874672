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

/** Most names in a message. */
const MAX_NAMES = 3;

function namesOf(criteria: readonly string[]): string {
  const named = criteria.slice(0, MAX_NAMES).join(", ");
  return criteria.length > MAX_NAMES ? `${named} and ${criteria.length - MAX_NAMES} more` : named;
}
