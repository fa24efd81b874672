// Recorded Python calls become check files in TypeScript.

import { functionNameOf } from "../../src/criterion/builtin.ts";
import type { Recorded, RecordedCall, RecordedFiles } from "./recorded.ts";

/** What stands for `{workspace}`, `{http}` and `{dead}` in recorded texts. */
export type Places = Readonly<Record<string, string>>;

/** Parameters of the built-ins in the order of the original: required ones, optional ones. */
const PARAMETERS: Record<string, [required: string[], optional: string[]]> = {
  file_exists: [["path"], []],
  file_not_exists: [["path"], []],
  file_contains: [["path", "text"], []],
  file_contains_regex: [["path", "pattern"], []],
  file_matches: [["path", "expected"], []],
  files_equal: [["path1", "path2"], []],
  diff_ratio: [["path", "expected"], []],
  command_succeeds: [["cmd"], ["cwd", "timeout"]],
  command_output_contains: [["cmd", "text"], ["cwd", "timeout"]],
  command_output_matches: [["cmd", "expected"], ["cwd", "timeout"]],
  command_output_matches_regex: [["cmd", "pattern"], ["cwd", "timeout"]],
  json_key_equals: [["path", "key", "expected"], []],
  json_path_equals: [["path", "json_path", "expected"], []],
  csv_cell_equals: [["path", "row", "col", "expected"], []],
  xlsx_cell_equals: [["path", "cell", "expected"], ["sheet"]],
  sqlite_query_equals: [["db_path", "query", "expected"], []],
  http_status_equals: [["url"], ["status", "timeout"]],
  http_response_contains: [["url", "text"], ["timeout"]],
  image_size_equals: [["path", "width", "height"], []],
  image_similarity: [["path1", "path2"], []],
  trajectory_tool_used: [["tool_name"], ["min_count", "path"]],
  trajectory_tool_not_used: [["tool_name"], ["path"]],
  trajectory_turn_count: [["max_turns"], ["path"]],
};

/** The first line of a check file. */
export const HEADER = 'import * as rk from "@rewardkit/cli";\n';

/**
 * Source of a call of a built-in: required arguments by position, all others in one object.
 *
 * @param extra Options beside the recorded ones.
 */
export function builtinCall(
  { criterion, args = [], kwargs = {} }: RecordedCall,
  places: Places,
  extra: Readonly<Record<string, Recorded>> = {},
): string {
  const [required, optional] = PARAMETERS[criterion!] ?? [[], []];
  const positional = [...args.slice(0, required.length)];
  const options: Record<string, Recorded> = {};
  args.slice(required.length).forEach((argument, index) => {
    const name = optional[index];
    if (name === undefined) positional.push(argument);
    else options[functionNameOf(name)] = argument;
  });
  for (const [name, argument] of Object.entries(kwargs)) {
    const position = required.indexOf(name);
    if (position === -1) options[functionNameOf(name)] = argument;
    else positional[position] = argument;
  }
  return `rk.${functionNameOf(criterion!)}(${
    list(positional, { ...options, ...extra }, places)
  });\n`;
}

/** The recorded original has a criterion that returns its argument, or raises what it says. */
const CONSTANT = `const constant = rk.criterion(
  { name: "const", shared: true },
  function constant(_workspace, value) {
    if (value?.$raise !== undefined) throw new Error(value.$raise);
    return value;
  },
);
`;

/**
 * Source of a check file of a layout.
 *
 * @param name The file's path in the tests folder, without extension.
 * @param files All files of the tests folder: what the original finds by its name in another file,
 * a check file here imports.
 */
export function checkFile(
  name: string,
  calls: readonly RecordedCall[],
  files: RecordedFiles,
): string {
  const own = new Set(calls.map(({ define }) => define));
  const imports: string[] = [];
  const lines: string[] = [];
  for (const call of calls) {
    const { criterion, args = [], kwargs = {} } = call;
    if (call.raise !== undefined) lines.push(`throw new Error(${JSON.stringify(call.raise)});\n`);
    else if (call.define !== undefined) lines.push(definition(call));
    else if (criterion === "const") lines.push(`constant(${list(args, kwargs, {})});\n`);
    else if (own.has(criterion)) lines.push(`${criterion}(${list(args, kwargs, {})});\n`);
    else {
      const home = Object.keys(files).find((other) => defines(files[other], criterion!));
      if (home === undefined) lines.push(builtinCall(call, {}));
      else {
        const up = "../".repeat(name.split("/").length - 1) || "./";
        imports.push(`import { ${criterion} } from "${up}${home}.ts";\n`);
        lines.push(`${criterion}(${list(args, kwargs, {})});\n`);
      }
    }
  }
  const constant = calls.some(({ criterion }) => criterion === "const") ? CONSTANT : "";
  return [HEADER, ...imports, constant, ...lines].join("");
}

function defines(file: RecordedFiles[string] | undefined, criterion: string): boolean {
  return typeof file === "object" && (file.calls ?? []).some(({ define }) => define === criterion);
}

function definition({ define, params = 0, returns = null, shared = false }: RecordedCall): string {
  const parameters = Array.from({ length: params }, (_, index) => `, p${index}`).join("");
  return `export const ${define} = rk.criterion(
  { shared: ${shared} },
  function ${define}(_workspace${parameters}) {
    return ${literal(returns, {})};
  },
);
`;
}

function list(
  args: readonly Recorded[],
  options: Readonly<Record<string, Recorded>>,
  places: Places,
): string {
  const written = Array.from(args, (argument) => literal(argument ?? null, places));
  if (Object.keys(options).length > 0) written.push(literal(options, places));
  return written.join(", ");
}

/** TypeScript source of a recorded value. */
function literal(value: Recorded, places: Places): string {
  if (typeof value === "string") return JSON.stringify(filled(value, places));
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, places)).join(", ")}]`;
  const entries = Object.entries(value as Record<string, Recorded>);
  return tagged(entries[0]?.[0] ?? "", entries[0]?.[1], places) ??
    // Computed keys: `__proto__` is one like any other.
    `{ ${
      entries.map(([key, item]) => `[${literal(key, {})}]: ${literal(item, places)}`).join(", ")
    } }`;
}

function tagged(tag: string, content: Recorded | undefined, places: Places): string | undefined {
  switch (tag) {
    case "$int":
      return Number.isSafeInteger(Number(content)) ? String(content) : `${content}n`;
    case "$float":
      return String(content).replace("inf", "Infinity").replace("nan", "NaN");
    case "$bytes":
      return `Uint8Array.fromHex("${content}")`;
    case "$tuple":
      return literal(content!, places);
    case "$datetime":
      return `new Date("${content}Z")`;
    case "$time":
      return `Temporal.PlainTime.from("${content}")`;
    case "$seconds":
      return `Temporal.Duration.from({ seconds: ${content} })`;
    case "$repeat": {
      const [text, times] = content as [string, number];
      return `${literal(text, places)}.repeat(${times})`;
    }
  }
}

/** A text with its places filled in. */
export function filled(text: string, places: Places): string {
  return text.replace(/\{(\w+)\}/g, (whole, place: string) => places[place] ?? whole);
}
