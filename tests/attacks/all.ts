// All attacks, by what they are on; docs/security.md names them so.

import type { Subject } from "./attack.ts";
import type { Scenario } from "./scenario.ts";
import { commands } from "./scenarios_commands.ts";
import { destruction } from "./scenarios_destruction.ts";
import { gradedCode } from "./scenarios_graded_code.ts";
import { programs as strangersPrograms } from "./scenarios_programs.ts";
import { results } from "./scenarios_results.ts";
import { strangers } from "./scenarios_strangers.ts";
import { workspaceFiles } from "./scenarios_workspace.ts";
import { modules, node, workers } from "./subjects_code.ts";
import { reading, readingByDefault, writing } from "./subjects_files.ts";
import { descriptors, environment, network, process, programs } from "./subjects_machine.ts";

/** What a check file tries from within, many attacks a run. */
export const SUBJECTS: readonly Subject[] = [
  ...[reading, readingByDefault, writing, programs, network, environment, process, descriptors],
  ...[node, modules, workers],
];

/** What takes runs of its own. */
export const SCENARIOS: Readonly<Record<string, readonly Scenario[]>> = {
  destruction,
  strangers,
  "what strangers may start": strangersPrograms,
  "the graded work's code": gradedCode,
  commands,
  results,
  "the workspace's files": workspaceFiles,
};
