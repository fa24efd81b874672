// The sub-commands: one table for parsing, for help and for completion.

/** Those that look at tests folders; they take every flag. */
export type FolderCommand = "discover" | "check" | "permissions";

/** A sub-command. */
export interface Subcommand {
  name: FolderCommand | "init" | "list" | "completions";
  help: string;
  /** What it takes beside flags. */
  operand: Operand | null;
  /** First spellings of the flags that it takes; absent: all of them. */
  flags?: readonly string[];
}

/** What stands on the command line without a dash. */
export interface Operand {
  name: string;
  help: string;
  isOptional?: true;
  isRepeated?: true;
  /** The only values; absent: a folder. */
  values?: readonly string[];
}

/** What grading and those that look at tests folders take. */
export const TESTS_DIRS: Operand = {
  name: "tests_dirs",
  help: "tests folders; several are graded one by one and compared",
  isRepeated: true,
};

const FOLDERS: Operand = { ...TESTS_DIRS, help: "tests folders" };

/** Every sub-command, in the order of the help. A tests folder of such a name is `./check`. */
export const SUBCOMMANDS: readonly Subcommand[] = [
  {
    name: "init",
    help: "write a first check, a judge, reward.toml and test.sh; nothing is overwritten",
    operand: { name: "tests_dir", help: "tests folder (default tests)", isOptional: true },
    flags: ["--verbose"],
  },
  {
    name: "check",
    help: "find mistakes and show what judges would be sent; nothing is run or called",
    operand: FOLDERS,
  },
  {
    name: "discover",
    help: "list rewards, criteria and permissions; nothing is run",
    operand: FOLDERS,
  },
  {
    name: "permissions",
    help: "list what every criterion would be allowed; nothing is run",
    operand: FOLDERS,
  },
  {
    name: "list",
    help: "list the built-in criteria with their signatures",
    operand: null,
    flags: ["--json", "--verbose"],
  },
  {
    name: "completions",
    help: "print what a shell needs to complete this command line",
    operand: { name: "shell", help: "the shell", values: ["bash", "zsh", "fish"] },
    flags: ["--verbose"],
  },
];

/** Whether as many operands were given as the sub-command takes, each of them one that it knows. */
export function takes(operand: Operand | null, given: readonly string[]): boolean {
  if (operand === null) return given.length === 0;
  if (given.length === 0) return operand.isOptional === true;
  if (given.length > 1 && operand.isRepeated !== true) return false;
  return operand.values === undefined || given.every((value) => operand.values!.includes(value));
}
