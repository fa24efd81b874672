// The processes of one run as somebody outside sees them, and the mounts that it may have left.

/** What a process is for. */
export type Role = "cell" | "command" | "agent" | "guardian";

/** A process of a run. */
export interface Process {
  pid: number;
  role: Role | null;
  /** Command line and environment, with zero bytes. */
  text: string;
}

/**
 * Every living process that has a folder in its command line, its environment, or as its working
 * folder: all that belongs to a run whose folders lie there.
 *
 * @param known Process ids that are none of them, and need not be looked at.
 */
export function processesOf(root: string, known: ReadonlySet<number> = new Set()): Process[] {
  const found: Process[] = [];
  for (const { name } of Deno.readDirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === Deno.pid || known.has(pid)) continue;
    const line = read(`/proc/${pid}/cmdline`);
    const environment = read(`/proc/${pid}/environ`);
    const text = `${line}\0${environment}`;
    if (!text.includes(root) && !workingFolder(pid).startsWith(root)) continue;
    if (isAlive(pid)) found.push({ pid, role: roleOf(line, environment, root), text });
  }
  return found;
}

/** The processes that there are now, this one among them. */
export function processIds(): Set<number> {
  return new Set([...Deno.readDirSync("/proc")].map(({ name }) => Number(name)));
}

function roleOf(line: string, environment: string, root: string): Role | null {
  if (line.includes("/cell_main.ts\0")) return "cell";
  if (line.includes(`${root}/fake/bin/`)) return "agent";
  if (/^\/bin\/sh\0.*\0REWARDKIT_RUN=/s.test(line)) return "guardian";
  // The program of a command; not yet one that has been forked off for it.
  if (/\0REWARDKIT_RUN=/.test(`\0${environment}`)) return "command";
  return null;
}

/** Lines of any process's list of mounts that name a folder. */
export function mountsOf(root: string): string[] {
  return [...processIds()].flatMap((pid) =>
    read(`/proc/${pid}/mountinfo`).split("\n").filter((line) => line.includes(root))
  );
}

function isAlive(pid: number): boolean {
  const stat = read(`/proc/${pid}/stat`);
  const state = stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3);
  return state !== "" && state !== "Z" && state !== "X";
}

function workingFolder(pid: number): string {
  try {
    return Deno.readLinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "";
  }
}

/** Empty if the process has ended. */
function read(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}
