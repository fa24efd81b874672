// The processes of this machine, as far as /proc shows them, and signals to them.

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
 * The children of this process, zombies as well; `null` if the kernel does not tell
 * (`CONFIG_PROC_CHILDREN`).
 */
export function childrenOfOwn(): number[] | null {
  try {
    return [...Deno.readDirSync("/proc/self/task")].flatMap(({ name }) =>
      Deno.readTextFileSync(`/proc/self/task/${name}/children`).split(" ").filter((pid) =>
        pid !== ""
      )
    ).map(Number);
  } catch {
    return null;
  }
}

/** Whether a process is running or could, and is no zombie. */
export function isAlive(pid: number): boolean {
  return processInfo(pid) !== null;
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

/** Sends nothing, and fails as a signal would if there is nobody to get it (`kill(2)`). */
export const PROBE = 0 as unknown as Deno.Signal;

/** Whether there was somebody to get the signal. */
export function send(pid: number, signal: Deno.Signal): boolean {
  try {
    Deno.kill(pid, signal);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    // Somebody is there, but it is another user's.
    if (error instanceof Deno.errors.PermissionDenied) return true;
    throw error;
  }
}
