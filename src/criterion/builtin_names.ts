// Names of the built-in criteria, known without loading them.

/** As they stand in JSON, in the order of the documentation. */
export const BUILTIN_NAMES: readonly string[] = [
  "file_exists",
  "file_not_exists",
  "file_contains",
  "file_contains_regex",
  "file_matches",
  "files_equal",
  "diff_ratio",
  "command_succeeds",
  "command_output_contains",
  "command_output_matches",
  "command_output_matches_regex",
  "json_key_equals",
  "json_path_equals",
  "csv_cell_equals",
  "xlsx_cell_equals",
  "sqlite_query_equals",
  "http_status_equals",
  "http_response_contains",
  "image_size_equals",
  "image_similarity",
  "trajectory_tool_used",
  "trajectory_tool_not_used",
  "trajectory_turn_count",
];

/** `file_exists` as the function that authors call: `fileExists`. */
export function functionNameOf(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
