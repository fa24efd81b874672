// Parameter names of a function, for the `{argument}` places of a description.

/** Names of the parameters, `null` where one is destructured; defaults and types left out. */
export function parameterNames(fn: (...args: never[]) => unknown): (string | null)[] {
  const source = String(fn).replace(COMMENT_OR_TEXT_REGEXP, "");
  const single = /^(?:async\s+)?([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*=>/u.exec(source);
  if (single !== null) return [single[1]!];
  const start = source.indexOf("(");
  return start === -1 ? [] : splitParameters(source.slice(start + 1)).map(nameOfParameter);
}

/** The text of a default may hold commas, brackets and what looks like a comment. */
const COMMENT_OR_TEXT_REGEXP =
  /\/\*[^]*?\*\/|\/\/[^\n]*|"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'|`(?:\\[^]|[^`\\])*`/g;

function splitParameters(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if ("([{".includes(character)) depth++;
    else if (depth === 0 && (character === "," || character === ")")) {
      parts.push(text.slice(from, at));
      from = at + 1;
      if (character === ")") break;
    } else if (")]}".includes(character)) depth--;
  }
  return parts.filter((part) => part.trim() !== "");
}

function nameOfParameter(part: string): string | null {
  return /^\s*(?:\.\.\.\s*)?([\p{ID_Start}$_][\p{ID_Continue}$]*)/u.exec(part)?.[1] ?? null;
}

/**
 * Fills `{name}` places with arguments; `{{` and `}}` are braces.
 *
 * @throws {RangeError} If a place names no parameter.
 */
export function fillDescription(
  template: string,
  names: readonly (string | null)[],
  show: (position: number) => string,
): string {
  return template.replace(/\{\{|\}\}|\{([^{}]*)\}/g, (match, name: string | undefined) => {
    if (name === undefined) return match[0]!;
    const position = names.indexOf(name);
    if (position === -1) {
      const known = names.filter((known) => known !== null).join(", ") || "none";
      throw new RangeError(`description has a place {${name}}; the parameters are: ${known}`);
    }
    return show(position);
  });
}
