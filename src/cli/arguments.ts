// The command line, parsed. Commander, which knows how to explain a mistake, loads only for one.

import { lazily } from "../lazy.ts";
import { type CliSettings, type Flag, FLAGS } from "./flags.ts";
import {
  type FolderCommand,
  type Subcommand,
  SUBCOMMANDS,
  takes,
  TESTS_DIRS,
} from "./subcommands.ts";

/** What to do. */
export type Command =
  | { command: "grade" | FolderCommand; testsDirs: string[]; settings: CliSettings }
  | {
    command: Exclude<Subcommand["name"], FolderCommand>;
    operands: string[];
    settings: CliSettings;
  }
  | { command: "explained"; exitCode: number };

/**
 * Parses arguments. Prints help, the version or what is wrong with an argument, if that is asked
 * for, and says so.
 *
 * @throws {UsageError} If the value of a flag is no good.
 */
export async function parseArguments(args: readonly string[]): Promise<Command> {
  const parsed = args[0] === "help" ? null : parsePlain(args);
  if (parsed !== null) return parsed;
  const { explain } = await lazily<typeof import("./help.ts")>("./help.ts", import.meta.url);
  return { command: "explained", exitCode: explain(forCommander(args)) };
}

/** `help check` is `check --help`; of an unknown flag, only its name is compared with others. */
function forCommander(args: readonly string[]): string[] {
  if (args[0] === "help") return [...args.slice(1), "--help"];
  return args.map((argument) => {
    const [name] = argument.split("=", 1);
    return argument.startsWith("--") && !BY_NAME.has(name!) ? name! : argument;
  });
}

const BY_NAME = new Map(FLAGS.flatMap((flag) => flag.names.map((name) => [name, flag] as const)));

/** `null` if anything is not plainly right. */
function parsePlain(args: readonly string[]): Command | null {
  const settings: CliSettings = { options: {}, verbose: false, quiet: false, json: false };
  const subcommand = SUBCOMMANDS.find(({ name }) => name === args[0]);
  const operands: string[] = [];
  const given: [Flag, string][] = [];
  for (let at = subcommand === undefined ? 0 : 1; at < args.length; at++) {
    const argument = args[at]!;
    if (argument === "--") {
      operands.push(...args.slice(at + 1));
      break;
    }
    if (!argument.startsWith("-") || argument === "-") {
      operands.push(argument);
      continue;
    }
    const equals = argument.startsWith("--") ? argument.indexOf("=") : -1;
    const flag = BY_NAME.get(equals === -1 ? argument : argument.slice(0, equals));
    if (flag === undefined || (flag.value === undefined && equals !== -1)) return null;
    if (subcommand?.flags?.includes(flag.names[0]!) === false) return null;
    const value = equals !== -1
      ? argument.slice(equals + 1)
      : flag.value === undefined || flag.isOptional
      ? ""
      : args[++at];
    if (value === undefined) return null;
    given.push([flag, value]);
  }
  if (!takes(subcommand === undefined ? TESTS_DIRS : subcommand.operand, operands)) return null;
  for (const [flag, value] of given) flag.set(settings, value);
  const command = subcommand?.name ?? "grade";
  if (command === "init" || command === "list" || command === "completions") {
    return { command, operands, settings };
  }
  return { command, testsDirs: operands, settings };
}
