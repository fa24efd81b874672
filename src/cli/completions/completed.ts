// What can be completed on the command line, read from Commander's definition of it.

import type { Command, Option } from "commander";

/** What may follow a flag, or stand on its own. */
export type Value =
  | { kind: "words"; words: readonly string[] }
  | { kind: "file" | "folder" | "text" };

/** A flag with every spelling of it that is offered or understood. */
export interface CompletedFlag {
  names: readonly string[];
  /** Understood, but not offered: another spelling of the flag before it. */
  isHidden: boolean;
  help: string;
  /** `null`: it takes none. */
  value: Value | null;
  /** The value may be left out, and is given with "=" only. */
  isOptional: boolean;
}

/** A command, or a sub-command. */
export interface CompletedCommand {
  name: string;
  help: string;
  flags: readonly CompletedFlag[];
  /** `null`: it takes none. */
  operand: Value | null;
}

/** Everything that can be completed. */
export interface CompletedProgram extends CompletedCommand {
  subcommands: readonly CompletedCommand[];
}

/** Reads the definition. */
export function completedProgram(program: Command): CompletedProgram {
  return { ...completedCommand(program), subcommands: program.commands.map(completedCommand) };
}

function completedCommand(command: Command): CompletedCommand {
  const [argument] = command.registeredArguments;
  const help = command.createHelp().visibleOptions(command).filter(({ long }) => long === "--help");
  return {
    name: command.name(),
    help: command.description(),
    flags: [...command.options, ...help].map(completedFlag),
    operand: argument === undefined
      ? null
      : argument.argChoices === undefined
      ? { kind: "folder" }
      : { kind: "words", words: argument.argChoices },
  };
}

function completedFlag({ short, long, hidden, description, flags, optional }: Option) {
  const value = /[<[](.*)[>\]]$/.exec(flags)?.[1];
  return {
    names: [short, long].filter((name) => name !== undefined),
    isHidden: hidden,
    help: description,
    value: value === undefined ? null : valueOf(value),
    isOptional: optional,
  };
}

/** From what the help shows in its place: `<folder>`, `<file>`, `<path,…>` or `<one|other>`. */
function valueOf(shown: string): Value {
  if (shown.includes("|")) return { kind: "words", words: shown.split("|") };
  if (shown === "folder") return { kind: "folder" };
  return { kind: /^(file|path)\b/.test(shown) || /\.\w+$/.test(shown) ? "file" : "text" };
}
