import assert from "node:assert/strict";
import { workingFolder } from "../src/command/folder.ts";
import { ProcessGroups } from "../src/command/groups.ts";
import { run } from "../src/command/run.ts";
import type { CheckContext, CommandResult } from "../src/criterion/builtin.ts";
import { WorkspaceReader } from "../src/criterion/reader.ts";
import { SubmissionError } from "../src/errors.ts";
import { beginLoading, endLoading } from "../src/criterion/registry.ts";
import {
  checks,
  commandOutputContains,
  commandOutputMatches,
  commandOutputMatchesRegex,
  commandSucceeds,
} from "./commands.ts";
import { recordedCases, recordedWorkspace } from "./conformance_workspace.ts";

/** How many recorded cases of each give a score here. */
const SCORED = {
  command_succeeds: 45,
  command_output_contains: 24,
  command_output_matches: 15,
  command_output_matches_regex: 16,
};

/** The original raises; here the call is refused before anything runs. */
const REFUSED: Record<string, () => void | Promise<void>> = {
  "command_succeeds-051": () => commandSucceeds("a\0b"),
  "command_output_contains-027": () => commandOutputContains("echo x", 5 as unknown as string),
  "command_output_matches-016": () => commandOutputMatches("echo 1", 1 as unknown as string),
};

/** The original raises over output that is not UTF-8; here it is read with U+FFFD (spec: §7). */
const DECODED: Record<string, number> = {
  "command_output_contains-018": 1,
  "command_output_matches-021": 0,
};

/** A pattern that cannot be used: found when the check file is loaded, by `validate`. */
const BAD_PATTERN = "command_output_matches_regex-016";

/** Looks at the name of the workspace's folder as it was when it was recorded. */
const OF_THE_RECORDING = "command_output_matches-017";

for (const [criterion, count] of Object.entries(SCORED)) {
  Deno.test(`${criterion} scores as recorded`, async () => {
    let agreed = 0;
    using shared = recordedWorkspace();
    for (const recorded of recordedCases(criterion)) {
      const { id, args, kwargs, value } = recorded;
      if (REFUSED[id]) {
        assert.throws(REFUSED[id], TypeError, id);
        continue;
      }
      if (id === OF_THE_RECORDING) continue;
      const [command, ...wanted] = args as [string, ...unknown[]];
      using fresh = command.includes("touch") ? recordedWorkspace() : null;
      const workspace = fresh ?? shared;
      Deno.chmodSync(`${workspace.path}/run.sh`, 0o755);
      const timeoutSec = (kwargs.timeout ?? 30) as number;
      const scored = score(workspace.path, criterion, command, wanted, {
        cwd: kwargs.cwd as string | undefined,
        timeoutSec,
      });
      if (id === BAD_PATTERN) {
        await assert.rejects(scored, (error: Error) => !(error instanceof SubmissionError));
        continue;
      }
      const { result, files } = await scored.catch(failed);
      assert.equal(Number(result), DECODED[id] ?? value, id);
      if (id === "command_succeeds-036") assert.deepEqual(files.slice(-1), ["made_later"]);
      if (id === "command_succeeds-037") assert.ok(files.includes("made_now"));
      agreed++;
    }
    assert.equal(agreed, count);
  });
}

Deno.test("command criteria fail with a warning when the command was killed", async () => {
  using workspace = recordedWorkspace();
  for (const criterion of Object.keys(SCORED)) {
    const limits: [string, object, RegExp][] = [
      ["echo x; sleep 30", { timeoutSec: 0.2 }, /time limit was reached/],
      ["yes x", { timeoutSec: 10, maxOutputBytes: 1000 }, /printed more than the limit/],
    ];
    for (const [command, limit, message] of limits) {
      const scored = score(workspace.path, criterion, command, ["x"], { timeoutSec: 1, ...limit });
      await assert.rejects(scored, (error: Error) => {
        assert.match(error.message, message);
        return error instanceof SubmissionError;
      });
    }
  }
});

Deno.test("command criteria score 0 when the working folder was not made", async () => {
  using workspace = recordedWorkspace();
  const scored = score(workspace.path, "command_succeeds", "true", [], {
    cwd: "build",
    timeoutSec: 5,
  });
  await assert.rejects(
    scored,
    (error: Error) =>
      error instanceof SubmissionError && /"build" does not exist/.test(error.message),
  );
});

Deno.test("command criteria refuse arguments that cannot be meant", () => {
  const refused: [() => void, typeof TypeError | typeof RangeError, RegExp][] = [
    [
      () => commandSucceeds(5 as unknown as string),
      TypeError,
      /commandSucceeds\(\) got 5 for "cmd"/,
    ],
    [() => commandSucceeds("true", { timeout: 0 }), TypeError, /"timeout"/],
    [() => commandSucceeds("true", { timeout: Infinity }), TypeError, /"timeout"/],
    [() => commandSucceeds("true", { cwd: ".." }), RangeError, /"..", which is above/],
    [() => commandSucceeds("true", { cwd: "a/../../b" }), RangeError, /above the workspace/],
    [() => commandSucceeds("true", { cwd: "a\0" }), TypeError, /"cwd"/],
    [
      () => commandOutputMatchesRegex("true", 5 as unknown as string),
      TypeError,
      /got 5 for "pattern"/,
    ],
  ];
  for (const [call, kind, message] of refused) {
    assert.throws(call, (error: Error) => {
      assert.match(error.message, message);
      return error instanceof kind;
    });
  }
});

Deno.test("command criteria declare the command, where it runs and for how long", async () => {
  beginLoading();
  commandSucceeds("make");
  commandOutputContains("./app", "ok", { cwd: "x/..", timeout: 120, isolated: true });
  commandOutputMatches("./app", "ok", { cwd: "..x" });
  commandOutputMatchesRegex("./app", "^ok$", { cwd: "/srv" });
  commandOutputMatchesRegex("./app", "(");
  const [plain, full, ...others] = endLoading().registrations;
  assert.equal(plain?.criterion, "command_succeeds");
  assert.deepEqual(plain.args, ["make"]);
  assert.deepEqual(plain.command, { command: "make", cwd: undefined, timeoutSec: 30 });
  assert.equal(plain.timeoutSec, 90);
  assert.equal(plain.description, 'command "make" succeeds');
  assert.equal(plain.needs, undefined);
  assert.deepEqual(full?.args, ["./app", "ok"]);
  assert.deepEqual(full.command, { command: "./app", cwd: "x/..", timeoutSec: 120 });
  assert.equal(full.timeoutSec, 180);
  assert.equal(full.options?.isolated, true);
  assert.deepEqual(others.map((other) => other.command?.cwd), ["..x", "/srv", undefined]);
  await others[1]?.validate?.();
  await assert.rejects(async () => await others[2]?.validate?.(), SyntaxError);
});

/** What a check that throws comes to. */
function failed(error: unknown): { result: number; files: string[] } {
  if (error instanceof SubmissionError) return { result: 0, files: [] };
  throw error;
}

interface Limits {
  cwd?: string;
  timeoutSec: number;
  maxOutputBytes?: number;
}

/** Scores as the coordinator and the built-ins Worker do together; lists the files it left. */
async function score(
  workspace: string,
  criterion: string,
  command: string,
  wanted: unknown[],
  { cwd, ...limits }: Limits,
): Promise<{ result: number | boolean; files: string[] }> {
  const groups = new ProcessGroups();
  const runCommand = (): Promise<CommandResult> =>
    run(["sh", "-c", command], { cwd: workingFolder(workspace, cwd), groups, ...limits });
  const context: CheckContext = {
    files: new WorkspaceReader({ workspace, maxFileBytes: 2 ** 28 }),
    warn: () => {},
    mismatch: () => false,
    command: runCommand,
  };
  try {
    const result = await checks[criterion]!(context, command, ...wanted);
    if (command.includes("made_later")) await new Promise((resolve) => setTimeout(resolve, 2000));
    const names = [...Deno.readDirSync(workspace)].map((entry) => entry.name);
    return { result, files: names.filter((name) => name.startsWith("made_")) };
  } finally {
    await groups.endAll();
  }
}
