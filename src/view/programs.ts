// Where programs of the system lie.

/** Asked before `PATH`, which may name folders of the graded work. */
const SYSTEM_FOLDERS = [
  "/usr/sbin",
  "/usr/bin",
  "/sbin",
  "/bin",
  "/usr/local/sbin",
  "/usr/local/bin",
];

/** A `PATH` that looks into the system's folders first. */
export function systemPath(path: string = Deno.env.get("PATH") ?? ""): string {
  const others = path.split(":").filter((folder) =>
    folder.startsWith("/") && !SYSTEM_FOLDERS.includes(folder)
  );
  return [...SYSTEM_FOLDERS, ...others].join(":");
}

/** Absolute path of a program, or `null` if there is none. */
export function findProgram(name: string, path: string = systemPath()): string | null {
  for (const folder of path.split(":")) {
    try {
      const { isFile, mode } = Deno.statSync(`${folder}/${name}`);
      if (isFile && (mode! & 0o111) !== 0) return `${folder}/${name}`;
    } catch {
      // Not there, or not for us.
    }
  }
  return null;
}
