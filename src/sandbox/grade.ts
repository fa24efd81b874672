// Computes the criteria of every check file: side by side where that is safe, in order where not.

import type { ProcessGroups } from "../command/groups.ts";
import type { Declaration } from "../criterion/declaration.ts";
import { type BuiltinPack, packBuiltins } from "./builtin_pack.ts";
import type { Cells } from "./cells.ts";
import { FileRun, type Graded } from "./file_run.ts";
import { cellPermissions, noPermissions, type Roots, union } from "./permissions.ts";
import type { WorkerPermissions } from "./protocol.ts";
import type { View } from "../view/view.ts";
import type { Ended } from "./session.ts";
import { Slots } from "../slots.ts";

/** A check file whose criteria are known. */
export interface FileToGrade {
  /** Path from the tests folder. */
  id: string;
  url: string;
  declarations: readonly Declaration[];
}

/** What holds for the whole of grading. */
export interface GradeOptions {
  roots: Roots;
  /** Makes throw-away views of the workspace. */
  views: { make(): Promise<View> };
  maxFileBytes: number;
  /** Criteria computed at the same time; 0 is without limit. */
  maxConcurrent: number;
  /** Seconds that loading a file may take. */
  loadTimeoutSec: number;
  /** Seconds that a built-in criterion may take when it has no limit of its own. */
  builtinTimeoutSec: number;
  /** Seconds that a custom criterion may take when it has no limit of its own. */
  customTimeoutSec: number;
  /** What commands leave running is listed here. */
  groups: ProcessGroups;
  /** What each stranger's file may read, by id; `null`: files are trusted. */
  strangers: ReadonlyMap<string, Stranger> | null;
  /** Confines the programs that strangers' files start; `null`: they run as they are. */
  confine: Confine | null;
  watch: GradeWatcher;
}

/** Is told how grading gets on; files are named by their ids. */
export interface GradeWatcher {
  fileStarted(file: string): void;
  fileEnded(file: string, graded: Graded): void;
  criterionStarted(file: string, declaration: Declaration): void;
  /** Also of a criterion that could not be started. */
  criterionEnded(file: string, declaration: Declaration, ended: Ended): void;
}

/** A stranger's check file. */
export interface Stranger {
  /** The workspace, and the file's own folder. */
  roots: Roots;
  /** Paths of the modules of the tests folder that it imports. */
  modules: readonly string[];
}

/** Wraps an argument list. Both paths are absolute. */
export type Confine = (
  argv: readonly string[],
  where: { workspace: string; cwd: string },
) => string[];

/** What grading shares between files. */
export interface Grading {
  cells: Cells;
  options: GradeOptions;
  /** One for each criterion that is being computed. */
  slots: Slots;
  /** One for each file that has Workers open. */
  openFiles: Slots;
  /** Which built-ins share a Worker, by file. */
  packs: ReadonlyMap<string, BuiltinPack>;
  /** What the shared cell must be able to do. */
  sharedPermissions: WorkerPermissions;
}

/** Least number of files that may have Workers open, each some 9 MB. */
const MIN_OPEN_FILES = 8;
const MAX_OPEN_FILES = 48;

/**
 * Computes every criterion of the files; the result has an entry for each file. The cells are told
 * to end then, since nothing runs in them any more; {@link Cells.end} waits until they have.
 */
export async function gradeFiles(
  cells: Cells,
  files: readonly FileToGrade[],
  options: GradeOptions,
): Promise<Map<string, Graded>> {
  const { maxConcurrent, roots } = options;
  const open = maxConcurrent === 0
    ? MAX_OPEN_FILES
    : Math.min(Math.max(maxConcurrent, MIN_OPEN_FILES), MAX_OPEN_FILES);
  const grading: Grading = {
    cells,
    options,
    slots: new Slots(maxConcurrent),
    openFiles: new Slots(open),
    packs: packBuiltins(files, options.strangers !== null),
    sharedPermissions: files.reduce(
      (all, file) => {
        // A stranger's own criteria run elsewhere.
        const shared = options.strangers === null
          ? file.declarations
          : file.declarations.filter(({ kind }) => kind === "builtin");
        return union(all, cellPermissions(shared, roots));
      },
      noPermissions(),
    ),
  };
  const graded = await Promise.all(
    files.map(async (file) => {
      const run = () => new FileRun(grading, file).grade();
      return [file.id, await grading.openFiles.use(run)] as const;
    }),
  );
  // A process takes a while to be gone.
  void cells.end();
  return new Map(graded);
}
