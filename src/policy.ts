// What a run allows at most, and what a tests folder asks for beyond that.

import type { Declaration } from "./criterion/declaration.ts";
import type { Need } from "./criterion/needs.ts";
import { isWithin, parentOf, resolvePath } from "./path.ts";
import type { Roots } from "./sandbox/permissions.ts";

/** A kind of permission, as flags and declarations spell it. */
export type PermissionKind = "read" | "write" | "net" | "run" | "env";

/** All of them, in the order of messages. */
export const PERMISSION_KINDS: readonly PermissionKind[] = ["read", "write", "net", "run", "env"];

/** What may be allowed at most; `true` is everything of that kind. Paths are absolute. */
export type Ceiling = Readonly<Record<PermissionKind, readonly string[] | true>>;

/** One thing that is asked for. */
export interface Ask {
  kind: PermissionKind;
  /** An absolute path, a host, a program, a variable; `true`: everything of that kind. */
  value: string | true;
}

/** One thing that is asked for and goes beyond the ceiling. */
export interface Excess extends Ask {
  /** What would grant it on the command line. */
  flag: string;
}

/**
 * What one criterion asks for. A command is a program that the coordinator starts: `sh`.
 *
 * @param roots The workspace, and the folder that a criterion may read by default.
 */
export function asksOf(
  { needs, readsByDefault, command }: Pick<Declaration, "needs" | "readsByDefault" | "command">,
  roots: Roots,
): Ask[] {
  const defaults: Need[] = readsByDefault === true
    ? [{ read: roots.workspace }, { read: roots.tests }]
    : [];
  const ofCommand: Need[] = command === undefined ? [] : [{ run: "sh" }];
  const all = [...defaults, ...needs, ...ofCommand].map((need): Ask => askOf(need, roots));
  const seen = new Map(all.map((ask) => [`${ask.kind} ${ask.value}`, ask]));
  return [...seen.values()];
}

function askOf(need: Need, { workspace }: Roots): Ask {
  const [kind, value] = Object.entries(need)[0] as [PermissionKind, string | true];
  const isPath = kind === "read" || kind === "write";
  return { kind, value: isPath && value !== true ? resolvePath(workspace, value) : value };
}

/**
 * What goes beyond a ceiling.
 *
 * @example
 * ```ts
 * import { excessOf } from "./policy.ts";
 * import assert from "node:assert/strict";
 *
 * const ceiling = { read: ["/app"], write: [], net: ["example.com"], run: [], env: [] };
 * assert.deepEqual(
 *   excessOf([{ kind: "read", value: "/app/a.txt" }, { kind: "net", value: "example.com:443" }], ceiling),
 *   [],
 * );
 * assert.deepEqual(excessOf([{ kind: "run", value: "sh" }], ceiling), [
 *   { kind: "run", value: "sh", flag: "--allow-run=sh" },
 * ]);
 * ```
 */
export function excessOf(asks: readonly Ask[], ceiling: Ceiling): Excess[] {
  return asks.filter((ask) => !isAllowed(ask, ceiling[ask.kind])).map((ask) => ({
    ...ask,
    flag: `--allow-${ask.kind}${ask.value === true ? "" : `=${ask.value}`}`,
  }));
}

function isAllowed({ kind, value }: Ask, allowed: readonly string[] | true): boolean {
  if (allowed === true) return true;
  if (value === true) return false;
  return allowed.some((item) => {
    if (kind === "read" || kind === "write") return isWithin(value, item);
    // A host without a port is that host on every port.
    return value === item || (kind === "net" && value.startsWith(`${item}:`));
  });
}

/** Of a stranger's file: the folder that it may read by default is its own. */
export function ownRoots(roots: Roots, path: string): Roots {
  return { ...roots, tests: parentOf(path) };
}
