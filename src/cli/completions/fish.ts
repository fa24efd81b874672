// Completion for fish.

import type { CompletedCommand, CompletedFlag, CompletedProgram, Value } from "./completed.ts";

/** A script to be sourced, or to lie as `rewardkit.fish` in fish's folder of completions. */
export function fishCompletions(program: CompletedProgram): string {
  const { name, subcommands } = program;
  const all = subcommands.map((command) => command.name).join(" ");
  const isFirst = "test (count (commandline -opc)) -eq 1";
  return [
    `# Completion of ${name} for fish: ${name} completions fish | source`,
    "",
    `function __${name}_command`,
    "    set -l words (commandline -opc)",
    `    if contains -- "$words[2]" ${all}`,
    '        test "$words[2]" = "$argv[1]"',
    "    else",
    '        test -z "$argv[1]"',
    "    end",
    "end",
    "",
    `complete -c ${name} -f`,
    ...subcommands.map((command) =>
      `complete -c ${name} -n ${quoted(isFirst)} -a ${command.name} -d ${quoted(command.help)}`
    ),
    ...lines({ ...program, name: "" }),
    ...subcommands.flatMap(lines),
    "",
  ].join("\n");

  function lines(command: CompletedCommand): string[] {
    const condition = `-n ${quoted(`__${name}_command ${command.name || "''"}`)}`;
    const operand = command.operand === null ? [] : [`-a ${argumentsOf(command.operand)}`];
    return [...command.flags.filter(({ isHidden }) => !isHidden).map(flagOf), ...operand]
      .map((rest) => `complete -c ${name} ${condition} ${rest}`);
  }
}

function flagOf({ names, help, value, isOptional }: CompletedFlag): string {
  const spellings = names.map((name) =>
    name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`
  );
  const takes = value === null ? [] : [
    ...(isOptional ? [] : ["-x"]),
    ...(value.kind === "text" ? [] : [`-a ${argumentsOf(value)}`]),
  ];
  return [...spellings, ...takes, `-d ${quoted(help)}`].join(" ");
}

function argumentsOf(value: Value): string {
  switch (value.kind) {
    case "words":
      return quoted(value.words.join(" "));
    case "file":
      return "'(__fish_complete_path (commandline -ct))'";
    case "folder":
      return "'(__fish_complete_directories (commandline -ct))'";
    case "text":
      return "''";
  }
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
