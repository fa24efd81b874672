// Help and mistakes of the command line, by Commander, from the same table of flags.

import { Command, CommanderError, Option } from "commander";
import { FLAGS } from "./flags.ts";
import { VERSION } from "../version.ts";

const EXAMPLES = `
Examples:
  rewardkit /tests                          grade /app, write /logs/verifier/reward.json
  rewardkit tests --workspace out -o r.json grade another folder
  rewardkit tests/v1 tests/v2               compare two tests folders
  rewardkit discover tests                  list criteria and permissions, run nothing
  rewardkit check tests                     find mistakes, show what judges would be sent
  rewardkit permissions tests --untrusted   list what each criterion asks for, and what is too much

Exit codes:
  0  the reward was written
  1  errors while grading; reward-details.json tells which, no reward was written
  2  the command line, the tests folder or its configuration is wrong
  130  interrupted`;

/**
 * Prints help, the version, or what is wrong with the arguments and what was probably meant.
 *
 * @returns The exit code.
 */
export function explain(args: readonly string[]): number {
  const program = rewardkit();
  try {
    program.parse(args, { from: "user" });
    // Commander takes these, the parser that reads every other command line does not.
    program.error("error: short options stand alone: -q -w folder, not -qw folder or -wfolder");
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
  return 2;
}

function rewardkit(): Command {
  const program = withFlags(new Command("rewardkit"))
    .description("Grades a workspace with a folder of check files and judge TOMLs.")
    .argument("<tests_dirs...>", "tests folders; several are graded one by one and compared")
    .version(VERSION, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES)
    .showHelpAfterError("Run with --help for every option.")
    .exitOverride()
    .action(() => {});
  withFlags(program.command("discover"))
    .description("list rewards, criteria and permissions; nothing is run")
    .argument("<tests_dirs...>", "tests folders")
    .exitOverride()
    .action(() => {});
  withFlags(program.command("permissions"))
    .description("list what every criterion would be allowed; nothing is run")
    .argument("<tests_dirs...>", "tests folders")
    .exitOverride()
    .action(() => {});
  withFlags(program.command("check"))
    .description("find mistakes and show what judges would be sent; nothing is run or called")
    .argument("<tests_dirs...>", "tests folders")
    .exitOverride()
    .action(() => {});
  return program;
}

function withFlags(command: Command): Command {
  for (const { names, help, ...flag } of FLAGS) {
    const value = flag.isOptional ? flag.value?.replace("<", "[").replace(">", "]") : flag.value;
    const [long, ...others] = names;
    const short = others.find((name) => !name.startsWith("--"));
    const spelling = [short, long].filter((name) => name !== undefined).join(", ");
    const aliases = others.filter((name) => name.startsWith("--"));
    const also = aliases.length === 0 ? "" : ` (also ${aliases.join(", ")})`;
    command.addOption(
      new Option(value === undefined ? spelling : `${spelling} ${value}`, `${help}${also}`),
    );
    for (const alias of aliases) {
      command.addOption(new Option(value === undefined ? alias : `${alias} ${value}`).hideHelp());
    }
  }
  return command;
}
