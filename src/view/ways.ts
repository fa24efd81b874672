// The ways to mount a view, and what each takes.

import { findProgram } from "./programs.ts";
import { Refusal } from "./refusal.ts";
import type { Backend, Isolation } from "./view.ts";

/** A way to make a view that is mounted. */
export interface Way {
  backend: Exclude<Backend, "copy">;
  /** Whether it takes a user namespace. */
  ownsUsers: boolean;
  usesFuse: boolean;
  /** Options of the mount, each with a comma in front. */
  options: string;
  /** Where its layers lie: in memory where the temporary folder cannot hold them. */
  layers: "disk" | "memory";
}

/** The ways that count as such an isolation, the cheapest first. */
export function waysOf(isolation: Isolation): Way[] {
  const users = Deno.uid() === 0 ? [false, true] : [true];
  const overlay = users.flatMap((ownsUsers): Way[] => {
    const backend = ownsUsers ? "overlay-userns" : "overlay";
    // Nothing in it is to outlive the machine. A folder that was there before can be renamed only
    // with attributes that a user namespace may not set.
    const options = ownsUsers ? ",volatile,userxattr" : ",volatile,redirect_dir=on";
    const way = { backend, ownsUsers, usesFuse: false, options } as const;
    return [{ ...way, layers: "disk" }, { ...way, layers: "memory" }];
  });
  const fuse = users.map((ownsUsers): Way => ({
    backend: ownsUsers ? "fuse-userns" : "fuse",
    ownsUsers,
    usesFuse: true,
    options: "",
    layers: "disk",
  }));
  if (isolation === "auto") return [...overlay, ...fuse];
  return isolation === "overlay" ? overlay : isolation === "fuse" ? fuse : [];
}

/**
 * Absolute path of a program that a way takes.
 *
 * @throws {Refusal} If it is not installed.
 */
export function requireProgram(name: string): string {
  const path = findProgram(name);
  if (path === null) throw new Refusal("program", name);
  return path;
}

/**
 * Absolute path of fuse-overlayfs.
 *
 * @throws {Refusal} If it is not installed, or the kernel's device cannot be opened.
 */
export function requireFuse(): string {
  const path = requireProgram("fuse-overlayfs");
  try {
    Deno.openSync("/dev/fuse", { read: true, write: true }).close();
  } catch (error) {
    throw new Refusal("device", error instanceof Error ? error.message : String(error));
  }
  return path;
}

/** Most entries of the workspace that are looked at: it may hold a million. */
const MAX_LOOKED_AT = 1000;

/**
 * In a user namespace with one user, what belongs to others cannot be changed: there is nobody to
 * whom the changed copy could belong. Looks at the workspace's folder and the entries in it.
 *
 * @throws {Refusal} If one of them belongs to somebody else and yet could be changed.
 */
export function requireOwnFiles(workspace: string): void {
  const own = { uid: Deno.uid(), gid: Deno.gid() };
  const requireOwn = (path: string) => {
    const { uid, gid, mode, isSymlink } = Deno.lstatSync(path);
    if (isSymlink || (uid === own.uid && gid === own.gid)) return;
    const bits = uid === own.uid ? 0o222 : own.uid === 0 ? 0o777 : 0o022;
    if ((mode! & bits) !== 0) throw new Refusal("owners", path);
  };
  requireOwn(workspace);
  let count = 0;
  for (const { name } of Deno.readDirSync(workspace)) {
    if (++count > MAX_LOOKED_AT) return;
    requireOwn(`${workspace}/${name}`);
  }
}

/** What leads a program into a holder's namespaces; its argument list follows. */
export function entranceTo(holder: number, ownsUsers: boolean): string[] {
  const target = ["--target", `${holder}`, "--mount", "--pid"];
  const nsenter = requireProgram("nsenter");
  // Without the rights to unmount, and to look into the process that did mount: under the view lies
  // the real workspace.
  if (!ownsUsers) return [nsenter, ...target, "--", ...withoutAdministration()];
  // Whoever it was outside, in a user namespace that has no say over the mounts.
  const same = [`--map-user=${Deno.uid()}`, `--map-group=${Deno.gid()}`];
  const outer = [nsenter, "--preserve-credentials", "--user", ...target, "--"];
  return [...outer, requireProgram("unshare"), "--user", ...same, "--"];
}

/** @throws {Refusal} If there is no program that takes rights away, BusyBox's being too small. */
function withoutAdministration(): string[] {
  const setpriv = requireProgram("setpriv");
  if (Deno.realPathSync(setpriv).endsWith("busybox")) {
    throw new Refusal("program", "setpriv of util-linux");
  }
  return [setpriv, "--bounding-set=-sys_admin,-sys_ptrace", "--"];
}
