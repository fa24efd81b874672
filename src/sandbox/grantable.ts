// Whether what a check file declares can be granted at all: it becomes flags of a process.

import type { Declaration } from "../criterion/declaration.ts";

/** Most different things of a kind that a file may declare, and most characters of them all. */
const MAX_THINGS = 400;
const MAX_CHARACTERS = 50_000;

/**
 * Says what keeps the needs of a check file from being granted; `null`: nothing does. A system takes
 * no argument of more than 128 KiB, and no variable without a name; whoever tried would fail for
 * every file.
 */
export function ungrantable(declarations: readonly Declaration[]): string | null {
  const things: Record<string, Set<string>> = {};
  for (const { kind: criterionKind, needs } of declarations) {
    for (const [kind, thing] of needs.flatMap((need) => Object.entries(need))) {
      if (thing === true || !isGranted(criterionKind, kind)) continue;
      if (thing === "" || thing.includes("\0") || (kind === "env" && thing.includes("="))) {
        return `declares ${kind}: ${JSON.stringify(thing)}, which there cannot be`;
      }
      (things[kind] ??= new Set()).add(thing);
    }
  }
  for (const [kind, all] of Object.entries(things)) {
    const characters = [...all].reduce((sum, { length }) => sum + length, 0);
    if (all.size > MAX_THINGS || characters > MAX_CHARACTERS) {
      return `declares ${all.size} different things to ${kind}, more than can be granted one by one`;
    }
  }
  return null;
}

/** Files of built-ins become folders where they are many, and their commands are no Worker's. */
function isGranted(criterionKind: Declaration["kind"], kind: string): boolean {
  return criterionKind === "custom" || kind === "net";
}
