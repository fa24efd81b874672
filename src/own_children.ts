// Programs that this process starts itself, and whose ends Deno waits for.

const own = new Set<number>();

/** Starts a program, as `new Deno.Command(program, options).spawn()` does. */
export function startProgram(
  program: string | URL,
  options: Deno.CommandOptions,
): Deno.ChildProcess {
  const child = new Deno.Command(program, options).spawn();
  own.add(child.pid);
  const forget = () => void own.delete(child.pid);
  child.status.then(forget, forget);
  return child;
}

/** Runs a program to its end, as `new Deno.Command(program, options).output()` does. */
export async function outputOf(
  program: string | URL,
  options: Deno.CommandOptions,
): Promise<Deno.CommandOutput> {
  return await startProgram(program, { stdout: "piped", stderr: "piped", ...options }).output();
}

/** Whether a child was started by {@link startProgram} and its end has not been seen: it is Deno's. */
export function isOwn(pid: number): boolean {
  return own.has(pid);
}
