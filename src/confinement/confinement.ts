// What a program of a stranger gets to see of this machine.

/** What is visible inside, and what may be used. All paths are absolute. */
export interface Confinement {
  /** Files and folders that can be read. What is not there is left out. */
  read: readonly string[];
  /** Files and folders that can be written as well. */
  write: readonly string[];
  /** Whether there is a network. */
  net: boolean;
  /** Where the program starts. */
  cwd: string;
  /** MiB of memory that it may take; absent: as much as it likes. */
  memoryMiB?: number;
}

/** An operating system's sandbox for programs. */
export interface OsSandbox {
  readonly name: "bubblewrap" | "unshare";
  /**
   * Wraps an argument list so that the program runs confined: its own processes, its own file
   * system without what is not listed, no network unless it is granted, no privileges. It dies with
   * whoever started it.
   */
  wrap(argv: readonly string[], confinement: Confinement): string[];
}

/** What every program needs to run at all; read-only. */
export const SYSTEM_PATHS: readonly string[] = [
  ...["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"],
  ...["/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives"],
  ...["/etc/localtime", "/etc/ssl", "/etc/pki", "/etc/ca-certificates"],
];

/** What a program with a network needs beside them. */
export const NETWORK_PATHS: readonly string[] = [
  ...["/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/services", "/etc/host.conf"],
];

/** MiB of temporary files: they lie in memory. */
export const TEMPORARY_MIB = 64;

/** MiB that a Deno process reserves as data before it does anything, measured with one Worker. */
const BASE_DATA_MIB = 1536;

/** The argument list with a limit on memory, where there is one. */
export function withMemoryLimit(
  argv: readonly string[],
  { memoryMiB }: Confinement,
): string[] {
  if (memoryMiB === undefined) return [...argv];
  const bytes = Math.ceil((memoryMiB + BASE_DATA_MIB) * 1024 * 1024);
  return ["prlimit", `--data=${bytes}`, "--core=0", "--", ...argv];
}
