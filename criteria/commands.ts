// Criteria on shell commands: the coordinator runs them, the check looks at the result.

import { requireNumber, requireText, wrong } from "../src/criterion/arguments.ts";
import {
  type Check,
  type CheckContext,
  type CommandResult,
  registerBuiltin,
} from "../src/criterion/builtin.ts";
import type { CriterionOptions } from "../src/criterion/options.ts";
import { SubmissionError } from "../src/errors.ts";
import { lazily } from "../src/lazy.ts";
import { isAbsolute, normalize } from "../src/path.ts";
import { strip } from "./python/text.ts";

/** Options of the criteria that run a command. */
export interface CommandOptions extends CriterionOptions {
  /** Folder it runs in: below the workspace, or absolute. Default: the workspace. */
  cwd?: string;
  /** Seconds, more than 0, after which it is killed and the check fails. Default 30. */
  timeout?: number;
}

const DEFAULT_TIMEOUT_SEC = 30;

/** What the check itself may take on top of its command: starting up, searching the output. */
const ROOM_SEC = 60;

/**
 * Scores 1 when the command ends with exit code 0. The coordinator runs it with `sh -c`; stdin is
 * empty, and variables that look like secrets are not in its environment. A command that is killed
 * because its time is up or because it prints more than 16 MiB fails.
 *
 * It starts in the workspace, and what the graded work left there may stand in for what the command
 * means: a `json.py` for Python's `json`, a `conftest.py`, a `deno.json`. Keep it out with
 * `python3 -I` or `--no-config`, or run hidden tests from a folder of their own.
 *
 * @throws {TypeError | RangeError} If an argument is of no use, such as a `cwd` above the workspace.
 *
 * @example
 * ```ts ignore
 * import * as rk from "@rewardkit/cli";
 *
 * rk.commandSucceeds("python main.py");
 * rk.commandSucceeds("make test", { cwd: "backend", timeout: 120, weight: 3 });
 * ```
 */
export function commandSucceeds(cmd: string, options: CommandOptions = {}): void {
  declare("command_succeeds", "commandSucceeds", cmd, [], options, "succeeds");
}

/**
 * Scores 1 when `text` is part of the command's stdout, whatever its exit code. CRLF and CR are
 * read as LF. See {@link commandSucceeds} for how the command is run and what is thrown.
 *
 * @example
 * ```ts ignore
 * import * as rk from "@rewardkit/cli";
 *
 * rk.commandOutputContains("./app --version", "1.2");
 * ```
 */
export function commandOutputContains(
  cmd: string,
  text: string,
  options: CommandOptions = {},
): void {
  requireText("commandOutputContains", "text", text);
  const outcome = `prints ${JSON.stringify(text)}`;
  declare("command_output_contains", "commandOutputContains", cmd, [text], options, outcome);
}

/**
 * Scores 1 when the command's stdout equals `expected`, white space at both ends of either left
 * out, whatever its exit code. CRLF and CR are read as LF. See {@link commandSucceeds} for how the
 * command is run and what is thrown.
 *
 * @example
 * ```ts ignore
 * import * as rk from "@rewardkit/cli";
 *
 * rk.commandOutputMatches("wc -l < out.txt", "42");
 * ```
 */
export function commandOutputMatches(
  cmd: string,
  expected: string,
  options: CommandOptions = {},
): void {
  requireText("commandOutputMatches", "expected", expected);
  const outcome = `prints exactly ${JSON.stringify(expected)}`;
  declare("command_output_matches", "commandOutputMatches", cmd, [expected], options, outcome);
}

/**
 * Scores 1 when the pattern is found somewhere in the command's stdout, whatever its exit code. A
 * string is a regular expression of Python's `re`. See {@link commandSucceeds} for how the command
 * is run and what is thrown; a pattern that cannot be used is found before anything runs.
 *
 * @example
 * ```ts ignore
 * import * as rk from "@rewardkit/cli";
 *
 * rk.commandOutputMatchesRegex("./app --version", String.raw`^v\d+\.\d+`);
 * ```
 */
export function commandOutputMatchesRegex(
  cmd: string,
  pattern: string | RegExp,
  options: CommandOptions = {},
): void {
  if (!(pattern instanceof RegExp)) requireText("commandOutputMatchesRegex", "pattern", pattern);
  const outcome = `prints something that matches ${JSON.stringify(String(pattern))}`;
  declare(
    "command_output_matches_regex",
    "commandOutputMatchesRegex",
    cmd,
    [pattern],
    options,
    outcome,
    async () => {
      const { compile } = await lazily<typeof import("./python/regex.ts")>(
        "./python/regex.ts",
        import.meta.url,
      );
      compile(pattern);
    },
  );
}

/** How each criterion of this file is computed. */
export const checks: Record<string, Check> = {
  command_succeeds: async (context) => {
    const { code, stdout, stderr } = await finished(context);
    if (code === 0) return true;
    const said = lastLines(stderr) || lastLines(stdout);
    return context.mismatch("within", "exit code 0", `exit code ${code}${said && `\n${said}`}`);
  },
  command_output_contains: async (context, _cmd: string, text: string) => {
    const { stdout } = await finished(context);
    return stdout.includes(text) || context.mismatch("within", text, stdout);
  },
  command_output_matches: async (context, _cmd: string, text: string) => {
    const found = strip((await finished(context)).stdout);
    const expected = strip(text);
    return found === expected || context.mismatch("equal", expected, found);
  },
  command_output_matches_regex: async (context, _cmd: string, pattern: string | RegExp) => {
    const { compile, search } = await lazily<typeof import("./python/regex.ts")>(
      "./python/regex.ts",
      import.meta.url,
    );
    const { stdout } = await finished(context);
    return search(compile(pattern), stdout) || context.mismatch("within", String(pattern), stdout);
  },
};

/** The result of the command, unless it was killed before it was done. */
/** The end of what a program said: where it fails, the reason stands there. */
function lastLines(text: string): string {
  return text.slice(-500).trim().split("\n").slice(-8).join("\n");
}

async function finished(context: CheckContext): Promise<CommandResult> {
  const result = await context.command();
  if (result.timedOut) {
    throw new SubmissionError("the command was killed: its time limit was reached");
  }
  if (result.truncated) {
    throw new SubmissionError("the command was killed: it printed more than the limit");
  }
  return result;
}

function declare(
  criterion: string,
  author: string,
  cmd: string,
  args: readonly unknown[],
  options: CommandOptions,
  outcome: string,
  validate?: () => Promise<void>,
): void {
  requireText(author, "cmd", cmd);
  if (cmd.includes("\0")) throw wrong(author, "cmd", cmd, "a command without NUL characters");
  const { cwd, timeout = DEFAULT_TIMEOUT_SEC } = options;
  if (cwd !== undefined) requireFolder(author, cwd);
  requireNumber(author, "timeout", timeout);
  if (timeout <= 0) throw wrong(author, "timeout", timeout, "a number of seconds above 0");
  registerBuiltin({
    criterion,
    args: [cmd, ...args],
    options,
    ownOptions: ["cwd", "timeout"],
    description: `command ${JSON.stringify(cmd)} ${outcome}`,
    command: { command: cmd, cwd, timeoutSec: timeout },
    timeoutSec: timeout + ROOM_SEC,
    validate,
  });
}

/** Above the workspace there is nothing to grade, so `..` that leads there is a slip. */
function requireFolder(author: string, cwd: unknown): void {
  requireText(author, "cwd", cwd);
  if (cwd.includes("\0")) throw wrong(author, "cwd", cwd, "a path without NUL characters");
  if (!isAbsolute(cwd) && `${normalize(cwd)}/`.startsWith("../")) {
    throw new RangeError(
      `${author}() got the cwd ${JSON.stringify(cwd)}, which is above the workspace; ` +
        "expected a folder below it, or an absolute path",
    );
  }
}
