// What the built-in criteria take. Written by `deno task signatures`; not to be edited.

import type { BuiltinSignature, SignedOption } from "./builtin_list.ts";

/** In the order of the documentation. */
export const BUILTIN_SIGNATURES: readonly BuiltinSignature[] = [{
  name: "fileExists",
  criterion: "file_exists",
  signature: "(path: string, options?: CriterionOptions) => void",
  summary:
    "Scores 1 when something exists at `path`: a file, a folder, or a link that leads to one.",
  options: [],
}, {
  name: "fileNotExists",
  criterion: "file_not_exists",
  signature: "(path: string, options?: CriterionOptions) => void",
  summary: "Scores 1 when nothing exists at `path`; a link that leads nowhere counts as nothing.",
  options: [],
}, {
  name: "fileContains",
  criterion: "file_contains",
  signature: "(path: string, text: string, options?: TextOptions) => void",
  summary: "Scores 1 when the text file at `path` contains `text`.",
  options: [{
    name: "normalize",
    type: '"NFC" | "NFD" | "NFKC" | "NFKD"',
    summary:
      "Bring both texts to this Unicode normal form first, so that a composed é equals a decomposed one.",
  }],
}, {
  name: "fileContainsRegex",
  criterion: "file_contains_regex",
  signature: "(path: string, pattern: string | RegExp, options?: CriterionOptions) => void",
  summary: "Scores 1 when `pattern` matches anywhere in the text file at `path`.",
  options: [],
}, {
  name: "fileMatches",
  criterion: "file_matches",
  signature: "(path: string, expected: string, options?: TextOptions) => void",
  summary:
    "Scores 1 when the text of the file at `path` equals `expected`, white space around both left out.",
  options: [{
    name: "normalize",
    type: '"NFC" | "NFD" | "NFKC" | "NFKD"',
    summary:
      "Bring both texts to this Unicode normal form first, so that a composed é equals a decomposed one.",
  }],
}, {
  name: "filesEqual",
  criterion: "files_equal",
  signature: "(path1: string, path2: string, options?: TextOptions) => void",
  summary:
    "Scores 1 when two text files are equal, white space around both left out and line ends read as LF.",
  options: [{
    name: "normalize",
    type: '"NFC" | "NFD" | "NFKC" | "NFKD"',
    summary:
      "Bring both texts to this Unicode normal form first, so that a composed é equals a decomposed one.",
  }],
}, {
  name: "diffRatio",
  criterion: "diff_ratio",
  signature: "(path: string, expected: string, options?: DiffRatioOptions) => void",
  summary:
    "Scores how alike the file at `path` and `expected` are, from 0 to 1: Python's `SequenceMatcher(None, text, expected).ratio()` on code points, white space around both left out.",
  options: [{
    name: "autojunk",
    type: "boolean",
    summary:
      "From 200 characters of expected text on, do not start a match at characters that make up more than 1 % of it, as Python's `SequenceMatcher` does.",
  }, {
    name: "normalize",
    type: '"NFC" | "NFD" | "NFKC" | "NFKD"',
    summary:
      "Bring both texts to this Unicode normal form first, so that a composed é equals a decomposed one.",
  }],
}, {
  name: "commandSucceeds",
  criterion: "command_succeeds",
  signature: "(cmd: string, options?: CommandOptions) => void",
  summary: "Scores 1 when the command ends with exit code 0.",
  options: [{
    name: "cwd",
    type: "string",
    summary: "Folder it runs in: below the workspace, or absolute.",
  }, {
    name: "timeout",
    type: "number",
    summary: "Seconds, more than 0, after which it is killed and the check fails.",
  }],
}, {
  name: "commandOutputContains",
  criterion: "command_output_contains",
  signature: "(cmd: string, text: string, options?: CommandOptions) => void",
  summary: "Scores 1 when `text` is part of the command's stdout, whatever its exit code.",
  options: [{
    name: "cwd",
    type: "string",
    summary: "Folder it runs in: below the workspace, or absolute.",
  }, {
    name: "timeout",
    type: "number",
    summary: "Seconds, more than 0, after which it is killed and the check fails.",
  }],
}, {
  name: "commandOutputMatches",
  criterion: "command_output_matches",
  signature: "(cmd: string, expected: string, options?: CommandOptions) => void",
  summary:
    "Scores 1 when the command's stdout equals `expected`, white space at both ends of either left out, whatever its exit code.",
  options: [{
    name: "cwd",
    type: "string",
    summary: "Folder it runs in: below the workspace, or absolute.",
  }, {
    name: "timeout",
    type: "number",
    summary: "Seconds, more than 0, after which it is killed and the check fails.",
  }],
}, {
  name: "commandOutputMatchesRegex",
  criterion: "command_output_matches_regex",
  signature: "(cmd: string, pattern: string | RegExp, options?: CommandOptions) => void",
  summary:
    "Scores 1 when the pattern is found somewhere in the command's stdout, whatever its exit code.",
  options: [{
    name: "cwd",
    type: "string",
    summary: "Folder it runs in: below the workspace, or absolute.",
  }, {
    name: "timeout",
    type: "number",
    summary: "Seconds, more than 0, after which it is killed and the check fails.",
  }],
}, {
  name: "jsonKeyEquals",
  criterion: "json_key_equals",
  signature: "(path: string, key: string, expected: unknown, options?: JsonEqualsOptions) => void",
  summary:
    "Scores 1 when the JSON file at `path` holds an object whose `key` has the value `expected`.",
  options: [{
    name: "tolerance",
    type: "number | { abs?: number; rel?: number }",
    summary:
      "How far numbers may lie apart, at any depth: an absolute distance, or `abs` and `rel` (a fraction of the larger magnitude), of which the wider one counts.",
  }, {
    name: "strict",
    type: "boolean",
    summary: "Fail a file in which an object states a key twice.",
  }],
}, {
  name: "jsonPathEquals",
  criterion: "json_path_equals",
  signature:
    "(path: string, jsonPath: string, expected: unknown, options?: JsonEqualsOptions) => void",
  summary:
    "Scores 1 when the value at `jsonPath` in the JSON file at `path` equals `expected`, compared as in jsonKeyEquals.",
  options: [{
    name: "tolerance",
    type: "number | { abs?: number; rel?: number }",
    summary:
      "How far numbers may lie apart, at any depth: an absolute distance, or `abs` and `rel` (a fraction of the larger magnitude), of which the wider one counts.",
  }, {
    name: "strict",
    type: "boolean",
    summary: "Fail a file in which an object states a key twice.",
  }],
}, {
  name: "csvCellEquals",
  criterion: "csv_cell_equals",
  signature:
    "(path: string, row: number, col: number | string, expected: string | number | bigint | boolean | null, options?: CsvCellOptions) => void",
  summary: "Scores 1 when a cell of a CSV file equals `expected`.",
  options: [{
    name: "tolerance",
    type: "number | { abs?: number; rel?: number }",
    summary: "How far a number may be off.",
  }],
}, {
  name: "xlsxCellEquals",
  criterion: "xlsx_cell_equals",
  signature: "(path: string, cell: string, expected: XlsxValue, options?: XlsxCellOptions) => void",
  summary: "Scores 1 when a cell of a workbook equals `expected`.",
  options: [{ name: "sheet", type: "string", summary: "Name of the sheet, in its exact case." }, {
    name: "tolerance",
    type: "number | { abs?: number; rel?: number }",
    summary: "How far a number may be off.",
  }],
}, {
  name: "sqliteQueryEquals",
  criterion: "sqlite_query_equals",
  signature:
    "(dbPath: string, query: string, expected: SqliteValue, options?: CriterionOptions) => void",
  summary:
    "Scores 1 when the first column of the first row that `query` gives equals `expected`; a query that gives no row scores 0.",
  options: [],
}, {
  name: "httpStatusEquals",
  criterion: "http_status_equals",
  signature: "(url: string, options?: HttpStatusOptions) => void",
  summary: "Scores 1 when a GET request is answered with the wanted status.",
  options: [{
    name: "status",
    type: "number",
    summary: "The status that is wanted, from 100 to 999.",
  }, {
    name: "timeout",
    type: "number",
    summary: "Seconds, more than 0, for the whole request with its redirects.",
  }, {
    name: "net",
    type: "readonly string[]",
    summary: "Hosts, each `host` or `host:port`, that a redirect may lead to beside the URL's own.",
  }],
}, {
  name: "httpResponseContains",
  criterion: "http_response_contains",
  signature: "(url: string, text: string, options?: HttpOptions) => void",
  summary:
    "Scores 1 when a GET request is answered with success (a status of 200 to 299) and `text` is part of the body: UTF-8 with U+FFFD for what is none, at most 16 MiB, line ends as they are.",
  options: [{
    name: "timeout",
    type: "number",
    summary: "Seconds, more than 0, for the whole request with its redirects.",
  }, {
    name: "net",
    type: "readonly string[]",
    summary: "Hosts, each `host` or `host:port`, that a redirect may lead to beside the URL's own.",
  }],
}, {
  name: "imageSizeEquals",
  criterion: "image_size_equals",
  signature: "(path: string, width: number, height: number, options?: CriterionOptions) => void",
  summary: "Scores 1 when an image is of this size.",
  options: [],
}, {
  name: "imageSimilarity",
  criterion: "image_similarity",
  signature: "(path1: string, path2: string, options?: CriterionOptions) => void",
  summary:
    "Scores the fraction of pixels that are the same in two images, in red, green, blue and alpha; 0 when their sizes differ.",
  options: [],
}, {
  name: "trajectoryToolUsed",
  criterion: "trajectory_tool_used",
  signature: "(toolName: string | RegExp, options?: ToolUsedOptions) => void",
  summary: "Scores 1 when the agent called a tool often enough.",
  options: [{
    name: "minCount",
    type: "number",
    summary: "How many calls it takes: a whole number of at least 0.",
  }, {
    name: "args",
    type: "string | RegExp",
    summary:
      'Count only calls whose arguments, written as compact JSON (`{"command":"git push"}`), contain this text or match this expression: for agents that do everything through one tool.',
  }, { name: "path", type: "string", summary: "The trajectory; from the workspace, or absolute." }],
}, {
  name: "trajectoryToolNotUsed",
  criterion: "trajectory_tool_not_used",
  signature: "(toolName: string | RegExp, options?: ToolOptions) => void",
  summary: "Scores 1 when the agent never called a tool.",
  options: [{
    name: "args",
    type: "string | RegExp",
    summary:
      'Count only calls whose arguments, written as compact JSON (`{"command":"git push"}`), contain this text or match this expression: for agents that do everything through one tool.',
  }, { name: "path", type: "string", summary: "The trajectory; from the workspace, or absolute." }],
}, {
  name: "trajectoryTurnCount",
  criterion: "trajectory_turn_count",
  signature: "(maxTurns: number, options?: TrajectoryOptions) => void",
  summary:
    "Scores 1 up to `maxTurns` steps of the agent, then falls in a straight line to 0 at twice as many.",
  options: [{
    name: "path",
    type: "string",
    summary: "The trajectory; from the workspace, or absolute.",
  }],
}];

/** What every criterion takes beside its own options. */
export const COMMON_OPTIONS: readonly SignedOption[] = [
  {
    name: "weight",
    type: "number",
    summary: "Weight in the score of the check file; at least 0 unless the file sums.",
  },
  { name: "name", type: "string", summary: "Name in the results." },
  { name: "isolated", type: "boolean", summary: "Run in a throw-away view of the workspace." },
];
