// From what criteria declare to what a Worker and its process may do: the only place that decides.

import type { Declaration } from "../criterion/declaration.ts";
import type { Need } from "../criterion/needs.ts";
import { isWithin, parentOf, resolvePath } from "../path.ts";
import type { WorkerPermissions } from "./protocol.ts";

/** Folders that relative paths and defaults refer to; absolute and real. */
export interface Roots {
  /** The workspace, or the view that stands for it. */
  workspace: string;
  /** The tests folder given on the command line. */
  tests: string;
}

/** No permission at all but to load modules that the cell may load. */
export function noPermissions(): WorkerPermissions {
  return {
    read: [],
    write: [],
    net: [],
    run: [],
    env: [],
    sys: false,
    ffi: false,
    import: "inherit",
  };
}

/**
 * Permissions of a Worker that loads a check file and computes nothing: it reads the tests folder,
 * so that a file can loop over an oracle that lies beside it.
 */
export function collectPermissions(roots: Pick<Roots, "tests">): WorkerPermissions {
  return { ...noPermissions(), read: [roots.tests] };
}

/**
 * Exactly what these criteria declare, taken together.
 *
 * @example
 * ```ts
 * import { permissionsFor } from "./permissions.ts";
 * import assert from "node:assert/strict";
 *
 * const granted = permissionsFor([{ needs: [{ read: "a.txt" }, { net: "localhost:8000" }] }], {
 *   workspace: "/app",
 *   tests: "/tests",
 * });
 * assert.deepEqual(granted.read, ["/app/a.txt"]);
 * assert.deepEqual(granted.net, ["localhost:8000"]);
 * assert.deepEqual(granted.run, []);
 * ```
 */
export function permissionsFor(
  declarations: readonly Pick<Declaration, "needs" | "readsByDefault">[],
  roots: Roots,
): WorkerPermissions {
  const needs = declarations.flatMap((declaration): readonly Need[] =>
    declaration.readsByDefault
      ? [{ read: roots.workspace }, { read: roots.tests }, ...declaration.needs]
      : declaration.needs
  );
  return { ...noPermissions(), ...fromNeeds(needs, roots) };
}

/** Paths that a Worker's list may have before it becomes a list of folders. */
const MAX_LISTED_PATHS = 64;

/**
 * What a Worker of built-ins gets: exactly what they declare, or, where that is more than 64 files,
 * the folders of the workspace in which those lie. Deno looks through the whole list at every file
 * operation, so a list of thousands would make each check some hundred times slower; and nothing but
 * our own code runs there.
 */
export function builtinPermissions(
  declarations: readonly Pick<Declaration, "needs" | "readsByDefault">[],
  roots: Roots,
): WorkerPermissions {
  const permissions = permissionsFor(declarations, roots);
  if (!Array.isArray(permissions.read) || permissions.read.length <= MAX_LISTED_PATHS) {
    return permissions;
  }
  const { workspace } = roots;
  const folders = new Set(
    permissions.read.map((path) =>
      path !== workspace && isWithin(path, workspace) ? parentOf(path) : path
    ),
  );
  const inside = [...folders].filter((path) => isWithin(path, workspace));
  const outside = [...folders].filter((path) => !isWithin(path, workspace));
  const read = inside.length > MAX_LISTED_PATHS ? [workspace, ...outside] : [...folders];
  return { ...permissions, read };
}

const KINDS = ["read", "write", "net", "run", "env"] as const;

function fromNeeds(needs: readonly Need[], roots: Roots): Partial<WorkerPermissions> {
  const granted: Partial<WorkerPermissions> = {};
  for (const kind of KINDS) {
    const values = needs.map((need) => (need as Partial<Record<typeof kind, string | true>>)[kind]);
    const isPath = kind === "read" || kind === "write";
    const named = values.filter((value) => typeof value === "string")
      // No system call takes a NUL: there is nothing to allow, and no flag can say it.
      .filter((value) => !value.includes("\0"))
      .map((value) => isPath ? resolvePath(roots.workspace, value) : value);
    if (values.includes(true)) granted[kind] = true;
    else if (named.length > 0) granted[kind] = [...new Set(named)];
  }
  return granted;
}

/** Everything that either allows. */
export function union(
  left: WorkerPermissions,
  right: Partial<WorkerPermissions>,
): WorkerPermissions {
  const both = { ...left };
  for (const kind of KINDS) {
    const [one, other] = [left[kind], right[kind] ?? []];
    both[kind] = one === true || other === true
      ? true
      : [...new Set([...(one || []), ...(other || [])])];
  }
  return both;
}

/** Whether `wide` allows all that `narrow` does. */
export function covers(wide: WorkerPermissions, narrow: WorkerPermissions): boolean {
  return KINDS.every((kind) => {
    const [has, wants] = [wide[kind], narrow[kind]];
    if (has === true || wants === false) return true;
    if (wants === true) return false;
    const isPath = kind === "read" || kind === "write";
    return wants.every((want) =>
      has !== false && has.some((item) => item === want || (isPath && isWithin(want, item)))
    );
  });
}

/** Folders that a Worker may read while it loads and that its criteria have not declared. */
export function loadingOnly(declared: WorkerPermissions, roots: Roots): string[] {
  const { read } = declared;
  if (read === true) return [];
  const overlaps = (read || []).some((path) =>
    isWithin(roots.tests, path) || isWithin(path, roots.tests)
  );
  return overlaps ? [] : [roots.tests];
}

/**
 * What a cell must be able to do so that it can serve a file. Isolated criteria of the author's own
 * have cells of theirs.
 */
export function cellPermissions(
  declarations: readonly Declaration[],
  roots: Roots,
): WorkerPermissions {
  const builtins = declarations.filter(({ kind }) => kind === "builtin");
  const customs = declarations.filter(({ kind, isolated }) => kind === "custom" && !isolated);
  const ofCustoms = permissionsFor(customs, roots);
  const loading = customs.length === 0 ? [] : loadingOnly(ofCustoms, roots);
  const declared = union(builtinPermissions(builtins, roots), ofCustoms);
  return union(declared, { read: loading });
}

/**
 * A cell's permissions as flags of `deno run`. A flag cannot say a path with a comma in it: the cell
 * gets the folder above, its Workers still get the path alone.
 */
export function permissionFlags(permissions: WorkerPermissions): string[] {
  return KINDS.flatMap((kind) => {
    const value = permissions[kind];
    if (value === true) return [`--allow-${kind}`];
    const isPath = kind === "read" || kind === "write";
    const sayable = (value || []).map((item) => isPath ? withoutComma(item) : item)
      .filter((item) => !item.includes(","));
    return sayable.length === 0 ? [] : [`--allow-${kind}=${[...new Set(sayable)].join(",")}`];
  });
}

function withoutComma(path: string): string {
  return path.includes(",") ? withoutComma(parentOf(path)) : path;
}
