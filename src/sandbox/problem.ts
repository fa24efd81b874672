// What was thrown in a Worker, as data for the coordinator.

import {
  CriterionError,
  PermissionNeededError,
  RewardKitError,
  SubmissionError,
} from "../errors.ts";
import type { Problem } from "./protocol.ts";

/** Tells whose fault it is: the graded work, the criterion's declaration, or the check. Never throws. */
export function problemOf(thrown: unknown): Problem {
  try {
    return readProblem(thrown);
  } catch {
    // Its properties are getters that throw, or it is a proxy that does.
    return { fault: "check", message: "threw an error that cannot be read" };
  }
}

function readProblem(thrown: unknown): Problem {
  if (thrown instanceof SubmissionError) return { fault: "submission", message: thrown.message };
  if (thrown instanceof PermissionNeededError) {
    const { message, hint } = thrown;
    return { fault: "permission", message, ...(hint !== undefined && { hint }) };
  }
  if (thrown instanceof Deno.errors.NotCapable) return permissionProblem(thrown);
  if (!(thrown instanceof Error)) {
    return { fault: "check", message: `threw ${describe(thrown)}, which is no Error` };
  }
  const message = onOneLine(String(thrown.message)) || "threw an empty error";
  // What Deno cannot parse is a TypeError whose message starts with the real kind of error.
  const isNamed = thrown.name && thrown.name !== "Error" && !message.startsWith("SyntaxError") &&
    !(thrown instanceof RewardKitError);
  return {
    fault: "check",
    message: isNamed ? `${thrown.name}: ${message}` : message,
    ...(thrown instanceof RewardKitError && thrown.hint !== undefined && { hint: thrown.hint }),
    ...(typeof thrown.stack === "string" && { stack: thrown.stack }),
  };
}

/**
 * As {@link problemOf}, for what was thrown while a check file loads: declaring a permission would
 * not help then, since which criteria there are must not depend on the graded work.
 */
export function problemOfLoading(thrown: unknown): Problem {
  const problem = problemOf(thrown);
  const refused = IMPORT_REGEXP.exec(problem.message);
  if (thrown instanceof TypeError && refused !== null) {
    const [, what, place = ""] = refused;
    return {
      ...problem,
      message: `imports from ${what}, which is out of its reach${place}`,
      hint:
        "A check file can import modules of its tests folder, Reward Kit and npm packages; copy " +
        "what else it needs into the folder",
    };
  }
  if (!(thrown instanceof Deno.errors.NotCapable)) return problem;
  return {
    ...problem,
    message: problem.message.replace(
      "which it does not declare",
      "which it has not while it loads",
    ),
    hint: "While it loads, a check file can read its tests folder and nothing else; " +
      "move this into a criterion",
  };
}

/** What Deno says of an import that the process may not make. */
const IMPORT_REGEXP =
  /^TypeError: Requires (?:read|import|net) access to (.*?), run again with the \S+ flag( \(at .*\))?$/;

/** Deno appends the place of a module that it cannot load as a line of a stack trace. */
function onOneLine(message: string): string {
  return message.replace(/\n\s+at (?:file:\/\/)?(\S+)$/, " (at $1)");
}

/** The reverse of {@link problemOf}, for a problem that the coordinator met on a Worker's behalf. */
export function thrownFor({ fault, message, hint }: Problem): RewardKitError {
  const options = hint === undefined ? {} : { hint };
  if (fault === "submission") return new SubmissionError(message, options);
  if (fault === "permission") return new PermissionNeededError(message, options);
  return new CriterionError(message, options);
}

/** Deno names the flag that would allow it; the author needs the option of `criterion()`. */
function permissionProblem(error: Error): Problem {
  const wanted = /^Requires (\w+) access(?: to (.*?))?(?:, run again.*)?$/s.exec(error.message);
  const [, kind, what] = wanted ?? [];
  const isDeclarable = kind !== undefined && ["read", "write", "net", "run", "env"].includes(kind);
  return {
    fault: "permission",
    message: kind === undefined
      ? error.message
      : `needs ${kind} access${what ? ` to ${what}` : ""}, which it does not declare`,
    ...(isDeclarable && {
      hint: what
        ? `Declare it: criterion({ ${kind}: [${what.startsWith('"') ? what : `"${what}"`}] }, …)`
        : `Declare it: criterion({ ${kind}: true }, …)`,
    }),
    ...(typeof error.stack === "string" && { stack: error.stack }),
  };
}

function describe(value: unknown): string {
  try {
    return typeof value === "string" ? JSON.stringify(value) : String(value);
  } catch {
    return "something";
  }
}
