// Orphans: processes whose parent has died, so that by themselves they do not show whose they were.

import { isOwn } from "../own_children.ts";
import { childrenOfOwn, isAlive, send } from "./processes.ts";

/** Of `prctl(2)`. */
const PR_SET_CHILD_SUBREAPER = 36;

/** Of `waitpid(2)`. */
const WNOHANG = 1;

let library: Deno.DynamicLibrary<typeof FUNCTIONS> | null = null;

const FUNCTIONS = {
  prctl: { parameters: ["i32", "u64", "u64", "u64", "u64"], result: "i32" },
  waitpid: { parameters: ["i32", "pointer", "i32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

/**
 * Has the kernel make this process the parent of whatever its descendants leave behind, in place of
 * process 1. From then on nothing that starts from here can get out of this process's family, by no
 * session, group or environment of its own. To be undone by nothing but the end of the process, which
 * from then on starts programs with `startProgram` alone: the ends of all others it waits for itself,
 * as process 1 would.
 *
 * @returns Whether it does so: on Linux, with the permission `ffi`.
 */
export function adoptOrphans(): boolean {
  if (library !== null) return true;
  if (Deno.build.os !== "linux" || childrenOfOwn() === null) return false;
  if (Deno.permissions.querySync({ name: "ffi" }).state !== "granted") return false;
  try {
    const opened = Deno.dlopen("libc.so.6", FUNCTIONS);
    if (opened.symbols.prctl(PR_SET_CHILD_SUBREAPER, 1n, 0n, 0n, 0n) !== 0) return false;
    library = opened;
  } catch {
    return false;
  }
  // A process namespace ends when everything in it has been waited for, orphans as well.
  Deno.addSignalListener("SIGCHLD", reap);
  return true;
}

function reap(): void {
  for (const pid of childrenOfOwn() ?? []) {
    if (!isOwn(pid) && !isAlive(pid)) library?.symbols.waitpid(pid, null, WNOHANG);
  }
}

/** Looks in a row that must find nothing: the kernel's list can miss one while others end. */
const CALM_LOOKS = 2;

/**
 * Kills every child of a process that adopts orphans, and then the children that these leave to it,
 * until there is none. Nothing gets away by going on to a child of its own again and again: at every
 * moment one of them is in the list.
 *
 * @param deadline On the clock of `performance.now()`.
 * @param spared A child that stays.
 * @returns Those that were still alive at the deadline.
 */
export async function endFamily(deadline: number, spared: number | undefined): Promise<number[]> {
  for (let calm = 0; calm < CALM_LOOKS;) {
    const seen = (childrenOfOwn() ?? []).filter((pid) => pid !== spared);
    // The newest first: those before it may have gone on to it.
    for (const pid of seen.toReversed()) send(pid, "SIGKILL");
    if (seen.length > 0 && performance.now() > deadline) return seen.filter(isAlive);
    reap();
    calm = seen.length === 0 ? calm + 1 : 0;
    if (calm === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return [];
}
