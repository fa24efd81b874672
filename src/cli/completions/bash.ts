// Completion for bash.

import type { CompletedCommand, CompletedFlag, CompletedProgram, Value } from "./completed.ts";

/** A script to be sourced. Every word in it is one of ours: nothing needs quotes. */
export function bashCompletions(program: CompletedProgram): string {
  const { name, subcommands } = program;
  const cases = [...subcommands, { ...program, name: "*" }].map(caseOf);
  return `# Completion of ${name} for bash: source <(${name} completions bash)

_${name}() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} command= joined=
  # Bash makes words of their own of "=" and of what follows it.
  if [[ $word == = ]]; then word= joined=1
  elif [[ $before == = && $COMP_CWORD -gt 1 ]]; then before=\${COMP_WORDS[COMP_CWORD - 2]} joined=1
  fi
  ((COMP_CWORD > 1)) && command=\${COMP_WORDS[1]}
  COMPREPLY=()
  case $command in
${cases.join("\n")}
  esac
  if ((COMP_CWORD == 1)) && [[ $word != -* ]]; then
    COMPREPLY+=($(compgen -W "${subcommands.map(({ name }) => name).join(" ")}" -- "$word"))
  fi
}

_${name}_paths() {
  compopt -o filenames 2>/dev/null
  local IFS=$'\\n'
  COMPREPLY=($(compgen "$1" -- "$2"))
}

complete -F _${name} ${name}
`;

  function caseOf(command: CompletedCommand): string {
    const shown = command.flags.filter(({ isHidden }) => !isHidden).flatMap(({ names }) => names);
    const operand = command.operand === null ? ":" : reply(command.operand);
    return `    ${command.name})
      case $before in
${command.flags.flatMap(valueCase).join("\n")}
      esac
      if [[ $word == -* && -z $joined ]]; then COMPREPLY=($(compgen -W "${
      shown.join(" ")
    }" -- "$word"))
      else ${operand}
      fi ;;`;
  }

  function valueCase({ names, value, isOptional }: CompletedFlag): string[] {
    if (value === null) return [];
    const condition = isOptional ? "[[ -n $joined ]] && " : "";
    const then = isOptional ? `{ ${reply(value)}; return; }` : `${reply(value)}; return`;
    return [`        ${names.join("|")}) ${condition}${then} ;;`];
  }

  function reply(value: Value): string {
    if (value.kind === "words") {
      return `COMPREPLY=($(compgen -W "${value.words.join(" ")}" -- "$word"))`;
    }
    if (value.kind === "text") return ":";
    return `_${name}_paths ${value.kind === "file" ? "-f" : "-d"} "$word"`;
  }
}
