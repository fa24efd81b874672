// `rewardkit completions SHELL`: what a shell needs to complete the command line.

import { rewardkit } from "../help.ts";
import { bashCompletions } from "./bash.ts";
import { completedProgram } from "./completed.ts";
import { fishCompletions } from "./fish.ts";
import { zshCompletions } from "./zsh.ts";

const SCRIPTS = { bash: bashCompletions, zsh: zshCompletions, fish: fishCompletions };

/** The script for a shell. It is made from what parses and explains the command line. */
export function completions(shell: string): string {
  return SCRIPTS[shell as keyof typeof SCRIPTS](completedProgram(rewardkit()));
}
