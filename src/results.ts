// How criteria ended becomes what is scored: values, warnings and errors.

import type { Declaration } from "./criterion/declaration.ts";
import { decodeValue } from "./criterion/values.ts";
import type { CriterionOutcome } from "./events.ts";
import type { Graded } from "./sandbox/file_run.ts";
import type { Problem, WorkerPermissions } from "./sandbox/protocol.ts";
import type { Ended } from "./sandbox/session.ts";
import { type CriterionScore, type JsonValue, scoreOf } from "./score/criterion_score.ts";
import type { InputResult } from "./score/tree.ts";

/** An error of a run: what a check is to blame for, or the run itself. */
export interface RunError {
  /** As a person would type it. */
  file: string;
  criterion?: string;
  message: string;
  hint?: string;
  /** Only for those who ask for it. */
  stack?: string;
}

/** Results of a check file, and its errors with all there is to say of them. */
export interface FileResult {
  input: InputResult;
  errors: RunError[];
}

/** Results of a check file that was graded. */
export function resultOf(
  shown: string,
  declarations: readonly Declaration[],
  warnings: readonly string[],
  graded: Graded,
  sandbox: string | null = null,
): FileResult {
  const result: FileResult & { input: { criteria: CriterionScore[]; warnings: string[] } } = {
    input: {
      criteria: [],
      warnings: [...warnings],
      permissions: permissionsJson(graded.permissions),
      ...(graded.isolation !== undefined && { isolation: graded.isolation }),
      ...(sandbox !== null && { sandbox }),
      duration_sec: Math.round(graded.durationSec * 1e4) / 1e4,
    },
    errors: [],
  };
  for (const declaration of declarations) {
    const { name, weight, description } = declaration;
    const { score, problem, notes } = readEnded(
      graded.ended[declaration.index] ?? UNENDED,
    );
    result.input.warnings.push(...notes.map((note) => `${name}: ${note}`));
    result.input.criteria.push({
      name,
      weight,
      description,
      ...(score ?? { value: 0, raw: problem?.fault === "submission" ? false : null }),
      ...(problem !== null && problem.fault !== "submission" && { error: problem.message }),
    });
    if (problem !== null && problem.fault !== "submission") {
      result.errors.push(runError(shown, problem, name));
    }
  }
  return result;
}

/** A file that could not be loaded: one criterion that stands for all that it may have declared. */
export function resultOfUnloadable(shown: string, stem: string, problem: Problem): FileResult {
  return {
    input: {
      criteria: [{ name: stem, value: 0, raw: null, weight: 1, error: problem.message }],
    },
    errors: [runError(shown, problem)],
  };
}

function runError(file: string, { message, hint, stack }: Problem, criterion?: string): RunError {
  return {
    file,
    ...(criterion !== undefined && { criterion }),
    message,
    ...(hint !== undefined && { hint }),
    ...(stack !== undefined && { stack }),
  };
}

/**
 * Most characters of an encoded result, its reasoning included: a stranger's cell may make one up
 * that takes gigabytes, or a minute, to decode.
 */
const MAX_RESULT = 4 * 1024 * 1024;

/** What an event says of a criterion that has ended. */
export function outcomeOfEnded(ended: Ended): Omit<CriterionOutcome, "index" | "criterion"> {
  const { score, problem } = readEnded(ended);
  if (score !== null) return explained(score.value, score);
  if (problem?.fault === "submission") return { score: 0, reasoning: problem.message };
  return { score: 0, ...(problem !== null && { error: problem.message }) };
}

/** A score with what is said of it. */
export function explained(
  score: number,
  { reasoning, expected, found }: Pick<CriterionScore, "reasoning" | "expected" | "found">,
): Omit<CriterionOutcome, "index" | "criterion" | "error"> {
  return {
    score,
    ...(reasoning !== undefined && { reasoning }),
    ...(expected !== undefined && { expected }),
    ...(found !== undefined && { found }),
  };
}

const UNENDED: Ended = {
  warnings: [],
  problem: { fault: "check", message: "ended without a result" },
};

/** What is known of how a criterion ended. */
interface Outcome {
  score: ReturnType<typeof scoreOf> | null;
  problem: Problem | null;
  notes: readonly string[];
}

/** An event tells of each first; what is large takes its time to be decoded. */
const known = new WeakMap<Ended, Outcome>();

function readEnded(ended: Ended): Outcome {
  const found = known.get(ended) ?? readAnew(ended);
  known.set(ended, found);
  return found;
}

/** A cell's word on a result is checked like an author's. */
function readAnew({ result, problem, warnings }: Ended): Outcome {
  if (problem !== undefined) {
    const notes = problem.fault === "submission" ? [...warnings, problem.message] : warnings;
    return { score: null, problem, notes };
  }
  if (result!.length > MAX_RESULT) {
    const message = "returned a result of more than 4 MiB; shorten its reasoning";
    return { score: null, problem: { fault: "check", message }, notes: warnings };
  }
  try {
    return { score: scoreOf(decodeValue(result!)), problem: null, notes: warnings };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { score: null, problem: { fault: "check", message }, notes: warnings };
  }
}

function permissionsJson(permissions: Graded["permissions"]): JsonValue {
  return Object.fromEntries(
    Object.entries(permissions).map(([worker, granted]) => [worker, grantedJson(granted)]),
  );
}

/** Only what was granted: an empty list says nothing. */
function grantedJson(granted: WorkerPermissions): JsonValue {
  const kinds = ["read", "write", "net", "run", "env"] as const;
  return Object.fromEntries(
    kinds.map((kind) => [kind, granted[kind]] as const)
      .filter(([, value]) => value === true || (Array.isArray(value) && value.length > 0)),
  );
}
