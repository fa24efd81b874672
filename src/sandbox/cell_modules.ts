// What a cell may load, named for Deno's eyes alone: a copy from a registry is downloaded with it,
// since the cells of strangers have no network, and others should not have to wait for it.

/** Never called. */
export function cellModules(): Promise<unknown>[] {
  return [
    import("./cell_main.ts"),
    import("./builtins_worker.ts"),
    import("./author_worker.ts"),
    import("./stranger_worker.ts"),
    import("../../criteria/commands.ts"),
    import("../../criteria/csv.ts"),
    import("../../criteria/csv/chunks.ts"),
    import("../../criteria/csv/records.ts"),
    import("../../criteria/files.ts"),
    import("../../criteria/http.ts"),
    import("../../criteria/images.ts"),
    import("../../criteria/images/header.ts"),
    import("../../criteria/images/pixels.ts"),
    import("../../criteria/json.ts"),
    import("../../criteria/python/equality.ts"),
    import("../../criteria/python/integer.ts"),
    import("../../criteria/python/json.ts"),
    import("../../criteria/python/regex.ts"),
    import("../../criteria/python/sequence_matcher.ts"),
    import("../../criteria/sqlite.ts"),
    import("../../criteria/sqlite/image.ts"),
    import("../../criteria/trajectory.ts"),
    import("../../criteria/xlsx.ts"),
    import("../../criteria/xlsx/workbook.ts"),
  ];
}
