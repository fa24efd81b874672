// Everything in a folder that a judge may be shown.

import type { WorkspaceReader } from "../../src/criterion/reader.ts";
import { SubmissionError } from "../../src/errors.ts";
import { isGlob, matcherOf } from "./glob.ts";

/** Folders that tools make: what is in them is not the work. */
const TOOL_FOLDERS = new Set([".git", "node_modules", "__pycache__", ".venv"]);

/** Most entries of folders that are looked at. */
const MAX_ENTRIES = 100_000;

/** Most files that are listed. */
const MAX_LISTED = 10_000;

/** Labels of files, sorted, and what was left out. */
export interface Walked {
  files: string[];
  warnings: string[];
}

/** Everything below a folder that may be shown. */
export function walkFolder(folder: string, reader: WorkspaceReader): Walked {
  const walk = new FolderWalk(reader);
  return { files: walk.files(folder), warnings: walk.warnings };
}

/** Every file that a glob matches; nothing if the path is none. */
export function walkGlob(glob: string, reader: WorkspaceReader): Walked {
  if (!isGlob(glob)) return { files: [], warnings: [] };
  const { base, matches } = matcherOf(glob);
  const walk = new FolderWalk(reader, matches);
  return { files: walk.files(base), warnings: walk.warnings };
}

/** Walks through folders, bounded, and around circles of links. */
class FolderWalk {
  readonly warnings: string[] = [];
  readonly #reader: WorkspaceReader;
  readonly #matches: ((label: string) => boolean) | null;
  /** Names that were left out, by the folder that the walk began at. */
  readonly #skipped = new Set<string>();
  #entries = 0;

  /** @param matches Whether a file is wanted; hidden ones are, where it says so. Absent: all. */
  constructor(reader: WorkspaceReader, matches?: (label: string) => boolean) {
    this.#reader = reader;
    this.#matches = matches ?? null;
  }

  /** Labels of the files below a folder, sorted; the folder as it is written stands before them. */
  files(folder: string): string[] {
    const found: string[] = [];
    this.#visit(folder.replace(/(?<=.)\/+$/, ""), [], found);
    if (this.#skipped.size > 0 && this.#matches === null) {
      const names = [...this.#skipped].sort();
      const shown = names.slice(0, 10).join(", ") + (names.length > 10 ? ", …" : "");
      this.warnings.push(`${folder}: not shown to the judge: ${shown}`);
    }
    if (this.#entries > MAX_ENTRIES || found.length >= MAX_LISTED) {
      this.warnings.push(`${folder}: too many files to look at all of them`);
    }
    return found.sort();
  }

  #visit(folder: string, above: readonly string[], found: string[]): void {
    let names: string[];
    let real: string;
    try {
      names = this.#reader.list(folder);
      real = Deno.realPathSync(this.#reader.resolve(folder));
    } catch (error) {
      if (!(error instanceof SubmissionError) && !(error instanceof Deno.errors.NotFound)) {
        throw error;
      }
      // Shown in its place, with the reason.
      if (above.length > 0) found.push(folder);
      return;
    }
    if (above.includes(real)) return;
    for (const name of names) {
      if (++this.#entries > MAX_ENTRIES || found.length >= MAX_LISTED) return;
      const label = folder === "" ? name : folder === "/" ? `/${name}` : `${folder}/${name}`;
      const isFolder = this.#isFolder(label);
      if (TOOL_FOLDERS.has(name) || (name.startsWith(".") && !this.#wantsHidden(label, isFolder))) {
        this.#skipped.add(name);
      } else if (isFolder) this.#visit(label, [...above, real], found);
      else if (this.#matches === null || this.#matches(label)) found.push(label);
    }
  }

  #isFolder(label: string): boolean {
    try {
      return Deno.statSync(this.#reader.resolve(label)).isDirectory;
    } catch {
      return false;
    }
  }

  #wantsHidden(label: string, isFolder: boolean): boolean {
    return !isFolder && this.#matches !== null && this.#matches(label);
  }
}
