// The processes of this machine, as far as /proc shows them.

/** What is known of a process. */
export interface ProcessInfo {
  pid: number;
  /** Process id of its parent; that of the reaper when the parent has died. */
  parent: number;
  group: number;
  session: number;
}

/**
 * Every process that is alive; zombies are not. Only Linux has /proc: elsewhere there are none.
 */
export function listProcesses(): ProcessInfo[] {
  const found: ProcessInfo[] = [];
  for (const pid of processIds()) {
    const info = processInfo(pid);
    if (info !== null) found.push(info);
  }
  return found;
}

/**
 * Whether a process was started with `name=value` in its environment. A process that overwrites
 * its own environment can hide that, and one of another user is not readable.
 */
export function startedWith(pid: number, name: string, value: string): boolean {
  const environment = readProc(`/proc/${pid}/environ`);
  return `\0${environment}\0`.includes(`\0${name}=${value}\0`);
}

function processIds(): number[] {
  try {
    return [...Deno.readDirSync("/proc")].map((entry) => Number(entry.name)).filter(
      Number.isInteger,
    );
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

function processInfo(pid: number): ProcessInfo | null {
  const stat = readProc(`/proc/${pid}/stat`);
  // The second field is the program's name in parentheses, and may itself hold both and spaces.
  const [state, parent, group, session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (session === undefined || state === "Z" || state === "X") return null;
  return { pid, parent: Number(parent), group: Number(group), session: Number(session) };
}

/** Empty if the process has ended in the meantime or is another user's. */
function readProc(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}
