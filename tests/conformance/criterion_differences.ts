// Recorded calls of criteria that come to something else here.

import { type Difference, IS_SLIP } from "./difference.ts";

const IS_LOST = "what the graded work got wrong fails its check, and never the whole run";
const SAYS_WHY = "a check that fails for want of something to look at says why";

/** Ids of a criterion from the ends of them. */
function ids(criterion: string, numbers: string): string[] {
  return numbers.split(" ").map((number) => `${criterion}-${number}`);
}

export const criterionDifferences: readonly Difference[] = [
  {
    kind: "not UTF-8",
    reason: IS_LOST,
    gives: { score: 0, warning: /is not UTF-8: bad byte at offset \d+$/ },
    cases: [
      ...ids("file_contains", "021 022 023 025 041"),
      ...ids("file_contains_regex", "118"),
      ...ids("file_matches", "025"),
      ...ids("files_equal", "018 019"),
      ...ids("diff_ratio", "011"),
      ...ids("csv_cell_equals", "071"),
      ...ids("trajectory_tool_not_used", "017"),
      ...ids("trajectory_turn_count", "033"),
    ],
  },
  {
    kind: "not UTF-8",
    reason: "what a command prints is decoded with U+FFFD for bad bytes, so the rest of it counts",
    gives: { score: 1 },
    cases: ids("command_output_contains", "018"),
  },
  {
    kind: "not UTF-8",
    reason: "what a command prints is decoded with U+FFFD for bad bytes, so the rest of it counts",
    gives: { score: 0 },
    cases: ids("command_output_matches", "021"),
  },
  {
    kind: "malformed input",
    reason: IS_LOST,
    gives: { score: 0, warning: /json" is no trajectory: it / },
    cases: [
      ...ids("trajectory_tool_used", "018 024 025 026 028 029"),
      ...ids("trajectory_tool_not_used", "011 012 013 016"),
      ...ids("trajectory_turn_count", "024 025 026 027 032"),
    ],
  },
  {
    kind: "malformed input",
    reason: IS_LOST,
    gives: { score: 0, warning: /xlsx" cannot be read: it (is|has) / },
    cases: ids("xlsx_cell_equals", "099 101 102"),
  },
  {
    kind: "malformed input",
    reason: IS_LOST,
    gives: { score: 0, warning: /is nested too deeply: 60001 levels, the limit is \d+$/ },
    cases: [...ids("json_key_equals", "079"), ...ids("json_path_equals", "052")],
  },
  {
    kind: "malformed input",
    reason: "a damaged database fails whatever is asked, also what needs no table of it",
    gives: { score: 0, warning: /cannot be queried: database disk image is malformed$/ },
    cases: ids("sqlite_query_equals", "062"),
  },
  {
    kind: "malformed input",
    reason: "the size stands in the header; nothing is decoded, so a huge claim does no harm",
    gives: { score: 1 },
    cases: ids("image_size_equals", "030"),
  },
  {
    kind: "impossible path",
    reason: "a name that no file can have is the name of no file",
    gives: { score: 0 },
    cases: ids("file_exists", "043"),
  },
  {
    kind: "impossible path",
    reason: "a name that no file can have is the name of no file",
    gives: { score: 1 },
    cases: ids("file_not_exists", "013"),
  },
  {
    kind: "impossible path",
    reason: "a name that no file can have is the name of no file",
    gives: { score: 0, warning: /is not a path$/ },
    cases: ids("file_contains", "036"),
  },
  {
    kind: "dots after a link",
    reason: "`..` is resolved as text, because permissions are granted for paths as written",
    gives: { score: 0 },
    cases: ids("file_exists", "015"),
  },
  {
    kind: "byte order mark",
    reason: "a mark at the start says how the file is encoded and is not part of its content",
    gives: { score: 1 },
    cases: [
      ...ids("file_contains_regex", "108"),
      ...ids("file_matches", "015"),
      ...ids("json_path_equals", "047"),
    ],
  },
  {
    kind: "byte order mark",
    reason: "a mark at the start says how the file is encoded and is not part of its content",
    gives: { score: 0 },
    cases: ids("file_matches", "016"),
  },
  {
    kind: "formula without a value",
    reason: "nothing was calculated, which is not the same as an empty cell",
    gives: { score: 0, warning: /the cell is a formula without a stored value$/ },
    cases: ids("xlsx_cell_equals", "083"),
  },
  {
    kind: "Python types",
    reason: "JavaScript has arrays only, no tuples",
    gives: { score: 1 },
    cases: ids("json_key_equals", "022"),
  },
  {
    kind: "Python types",
    reason: "1.0 and 1 are one number in JavaScript",
    gives: { score: 1 },
    cases: ids("csv_cell_equals", "026"),
  },
  {
    kind: "Python types",
    reason: "10.0 and 10 are one number in JavaScript",
    gives: { name: "trajectory_turn_count:10" },
    cases: ids("trajectory_turn_count", "012"),
  },
  {
    kind: "useless argument",
    reason: IS_SLIP,
    gives: { refused: /^TypeError: \w+\(\) got .+ for "\w+", expected a (string|(whole )?number)/ },
    cases: [
      ...ids("csv_cell_equals", "023 027"),
      ...ids("xlsx_cell_equals", "073"),
      ...ids("http_status_equals", "058 069"),
      ...ids("image_size_equals", "005"),
      ...ids("trajectory_tool_used", "009 010 021"),
      ...ids("trajectory_turn_count", "017"),
    ],
  },
  {
    kind: "useless argument",
    reason: "there is no score between 0 and 1 for a limit that is not above 0",
    gives: { refused: /^RangeError: .* for "maxTurns", expected a number above 0$/ },
    cases: ids("trajectory_turn_count", "014 016 022"),
  },
  {
    kind: "useless argument",
    reason: IS_SLIP,
    gives: { refused: /^RangeError: .* for "cell", expected one cell from A1 to XFD1048576$/ },
    cases: ids("xlsx_cell_equals", "055 056 061 062 063"),
  },
  {
    kind: "useless argument",
    reason: IS_SLIP,
    gives: {
      refused: /^SyntaxError: sqliteQueryEquals\(\) got .*; expected one statement that reads$/,
    },
    cases: ids("sqlite_query_equals", "039 043 069"),
  },
  {
    kind: "useless argument",
    reason: IS_SLIP,
    gives: { refused: /^fileExists: name must be a text that is not empty$/ },
    cases: ids("file_exists", "047"),
  },
  {
    kind: "not HTTP",
    reason: "an HTTP check sends HTTP requests; files have criteria of their own",
    gives: {
      refused: /^RangeError: .* got the URL ".*", expected one that starts with http:\/\/ or/,
    },
    cases: [
      ...ids("http_status_equals", "062 063 067"),
      ...ids("http_response_contains", "041 042 043"),
    ],
  },
  {
    kind: "nothing measured",
    reason: "where nothing could be measured, no number is claimed to have been measured",
    gives: { raw: false },
    cases: [
      ...ids("diff_ratio", "009 010"),
      ...ids("image_similarity", "039 040 042 043 044 045 046 051"),
    ],
  },
  {
    kind: "nothing measured",
    reason: "where nothing could be measured, no number is claimed to have been measured",
    gives: { raw: false, warning: /json" (does not exist$|is not JSON: )/ },
    cases: ids("trajectory_turn_count", "029 030 034"),
  },
  {
    kind: "says why",
    reason: SAYS_WHY,
    gives: { warning: /the command was killed: its time limit was reached$/ },
    cases: [
      ...ids("command_succeeds", "029 030 034 056"),
      ...ids("command_output_matches_regex", "015"),
    ],
  },
  {
    kind: "says why",
    reason: SAYS_WHY,
    gives: { warning: /json" (is not (JSON|UTF-8): .|is no trajectory: |does not exist)/ },
    cases: [
      ...ids("json_key_equals", "062 063 064 065 072 073 074 075 076"),
      ...ids("json_path_equals", "048"),
      ...ids("trajectory_tool_used", "016 030 031 035 038"),
      ...ids("trajectory_tool_not_used", "008 020"),
    ],
  },
  {
    kind: "says why",
    reason: SAYS_WHY,
    gives: { warning: /" is a folder, not a regular file$/ },
    cases: [
      ...ids("xlsx_cell_equals", "109"),
      ...ids("sqlite_query_equals", "065"),
      ...ids("trajectory_tool_used", "037"),
    ],
  },
  {
    kind: "says why",
    reason: "a number never equals the text of a cell, so expecting one is most likely a slip",
    gives: {
      warning: /cells of a CSV file are text and never equal [\d.]+; pass text or a tolerance$/,
    },
    cases: ids("csv_cell_equals", "007 009"),
  },
  {
    kind: "says why",
    reason: SAYS_WHY,
    gives: {
      warning: /cannot be read: (the cell is a formula without|it has no sheet "Nope", only)/,
    },
    cases: ids("xlsx_cell_equals", "025 027 071"),
  },
  {
    kind: "says why",
    reason: SAYS_WHY,
    gives: { warning: /db" cannot be queried: \w/ },
    cases: ids("sqlite_query_equals", "040 041 061 063"),
  },
  {
    kind: "read-only database",
    reason: "a check must not change what it looks at, so a database is opened read-only",
    gives: {
      warning: /cannot be queried: (attempt to write a readonly|too many attached databases)/,
    },
    cases: ids("sqlite_query_equals", "044 074 076"),
  },
  {
    kind: "says why",
    reason: SAYS_WHY,
    gives: {
      warning: /(redirects more than 10 times|took longer than 1 seconds|request to ".*" failed: )/,
    },
    cases: [
      ...ids("http_status_equals", "028 031 043 044 055 056 057 059 060"),
      ...ids("http_response_contains", "013 015 037 038"),
    ],
  },
  {
    kind: "says why",
    reason: SAYS_WHY,
    gives: { warning: /answered with status \d{3}; only successful answers are searched$/ },
    cases: ids("http_response_contains", "008 012"),
  },
];
