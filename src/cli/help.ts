// Help and mistakes of the command line, by Commander, from the same table of flags.

import { Argument, Command, CommanderError, Option } from "commander";
import { FLAGS } from "./flags.ts";
import { type Operand, SUBCOMMANDS, TESTS_DIRS } from "./subcommands.ts";
import { VERSION } from "../version.ts";

const EXAMPLES = `
Examples:
  rewardkit /tests                          grade /app, write /logs/verifier/reward.json
  rewardkit tests --workspace out -o r.json grade another folder
  rewardkit tests/v1 tests/v2               compare two tests folders
  rewardkit init                            write a first tests folder
  rewardkit discover tests                  list criteria and permissions, run nothing
  rewardkit check tests                     find mistakes, show what judges would be sent
  rewardkit permissions tests --untrusted   list what each criterion asks for, and what is too much

Exit codes:
  0  the reward was written
  1  errors while grading; reward-details.json tells which, no reward was written
  2  the command line, the tests folder or its configuration is wrong
  4  the reward is below --min-reward
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

/** The command line as Commander knows it. */
export function rewardkit(): Command {
  const program = withFlags(new Command("rewardkit"))
    .description("Grades a workspace with a folder of check files and judge TOMLs.")
    .addArgument(argument(TESTS_DIRS))
    .version(VERSION, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES)
    .showHelpAfterError("Run with --help for every option.")
    // What a sub-command does not take is not taken for it.
    .enablePositionalOptions()
    .exitOverride()
    .action(() => {});
  for (const { name, help, operand, flags } of SUBCOMMANDS) {
    const command = withFlags(program.command(name), flags)
      .description(help)
      .exitOverride()
      .action(() => {});
    if (operand !== null) command.addArgument(argument(operand));
  }
  return program;
}

function argument({ name, help, isOptional, isRepeated, values }: Operand): Argument {
  const spelling = isRepeated ? `${name}...` : name;
  const made = new Argument(isOptional ? `[${spelling}]` : `<${spelling}>`, help);
  return values === undefined ? made : made.choices([...values]);
}

/** @param only First spellings; absent: every flag. */
function withFlags(command: Command, only?: readonly string[]): Command {
  for (const { names, help, ...flag } of FLAGS) {
    if (only?.includes(names[0]!) === false) continue;
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
