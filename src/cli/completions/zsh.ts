// Completion for zsh.

import type { CompletedCommand, CompletedFlag, CompletedProgram, Value } from "./completed.ts";

/** A script to be sourced, or to lie as `_rewardkit` in a folder of `fpath`. */
export function zshCompletions(program: CompletedProgram): string {
  const { name, subcommands } = program;
  const described = subcommands.map(({ name, help }) => quoted(`${name}:${help}`));
  return `#compdef ${name}
# Completion of ${name} for zsh: source <(${name} completions zsh)

_${name}() {
  if (( CURRENT > 2 )); then
    case $words[2] in
${subcommands.map(caseOf).join("\n")}
    esac
  fi
  _arguments \\
${[...specs(program.flags), quoted("1: :_" + name + "_first"), operand(program)].join(" \\\n")}
}

_${name}_first() {
  local -a commands=(
    ${described.join("\n    ")}
  )
  _describe -t commands command commands
  _files -/
}

if [[ $funcstack[1] == _${name} ]]; then _${name} "$@"; else compdef _${name} ${name}; fi
`;
}

function caseOf(command: CompletedCommand): string {
  const all = [...specs(command.flags), ...(command.operand === null ? [] : [operand(command)])];
  return `      ${command.name})
        shift words; (( CURRENT-- ))
        _arguments \\
${all.join(" \\\n")}
        return ;;`;
}

function specs(flags: readonly CompletedFlag[]): string[] {
  return flags.flatMap(({ names, isHidden, help, value, isOptional }) =>
    names.map((name) => {
      const equals = value === null || !name.startsWith("--") ? "" : isOptional ? "=-" : "=";
      const shown = isHidden ? "!" : "";
      const action = value === null ? "" : `:value:${actionOf(value)}`;
      return quoted(`${shown}*${name}${equals}[${escaped(help)}]${action}`);
    })
  );
}

function operand({ operand }: CompletedCommand): string {
  return quoted(`*: :${actionOf(operand ?? { kind: "text" })}`);
}

function actionOf(value: Value): string {
  switch (value.kind) {
    case "words":
      return `(${value.words.join(" ")})`;
    case "file":
      return "_files";
    case "folder":
      return "_files -/";
    case "text":
      return " ";
  }
}

function escaped(help: string): string {
  return help.replace(/[[\]:\\]/g, "\\$&");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
