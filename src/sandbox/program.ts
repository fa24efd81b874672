// Runs a program for a custom criterion, if the criterion has declared it.

import { workingFolder } from "../command/folder.ts";
import type { ProcessGroups } from "../command/groups.ts";
import { run } from "../command/run.ts";
import { commandEnvironment } from "../command/environment.ts";
import type { CommandResult } from "../criterion/builtin.ts";
import type { Declaration } from "../criterion/declaration.ts";
import { CriterionError, PermissionNeededError } from "../errors.ts";
import type { View } from "../view/view.ts";
import type { Confine } from "./grade.ts";
import { problemOf } from "./problem.ts";
import type { ProgramOptions } from "./protocol.ts";
import type { ProgramRequest, Session } from "./session.ts";

/** Seconds that a program may take when the criterion does not say. */
const DEFAULT_TIMEOUT_SEC = 30;

/** On whose behalf the program runs. */
export interface ProgramSetting {
  declaration: Declaration;
  workspace: string;
  view: View | undefined;
  groups: ProcessGroups;
  /** Confines it; `null`: it runs as it is. */
  confine: Confine | null;
}

/** Runs what the criterion asks for and sends it the result, or why there is none. */
export async function answerProgram(
  { call, argv, options }: ProgramRequest,
  session: Session,
  setting: ProgramSetting,
): Promise<void> {
  try {
    requireDeclared(argv, setting.declaration);
    const result = await runDeclared(argv, options, setting);
    session.answer({ type: "program", call, result });
  } catch (error) {
    session.answer({ type: "program", call, problem: problemOf(error) });
  }
}

function requireDeclared([program]: readonly string[], { needs }: Declaration): void {
  if (program === undefined) {
    throw new CriterionError("workspace.run() got no program", {
      hint: 'Hand over the program and its arguments: workspace.run(["ls", "-l"])',
    });
  }
  const declared = needs.flatMap((need) => "run" in need ? [need.run] : []);
  if (declared.includes(true) || declared.includes(program)) return;
  throw new PermissionNeededError(
    `workspace.run() was asked for "${program}", which the criterion does not declare`,
    { hint: `Declare it: criterion({ run: ["${program}"] }, …)` },
  );
}

async function runDeclared(
  argv: readonly string[],
  { cwd, timeout = DEFAULT_TIMEOUT_SEC, stdin }: ProgramOptions,
  { declaration, workspace, view, groups, confine }: ProgramSetting,
): Promise<CommandResult> {
  const declaredVariables = declaration.needs.flatMap((need) =>
    "env" in need && need.env !== true ? [need.env] : []
  );
  const folder = await view?.workingFolder(cwd) ?? workingFolder(workspace, cwd);
  const confined = confine?.(argv, { workspace, cwd: folder }) ?? argv;
  return await run(view?.wrap(confined, folder) ?? [...confined], {
    cwd: view === undefined ? folder : "/",
    workspace,
    timeoutSec: timeout,
    env: commandEnvironment(declaredVariables),
    groups,
    ...(stdin !== undefined && {
      stdin: "text" in stdin ? stdin.text : Uint8Array.fromBase64(stdin.base64),
    }),
  });
}
