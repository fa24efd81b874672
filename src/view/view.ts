// A throw-away view of the workspace, for an isolated criterion.

import { SandboxError } from "../errors.ts";

/** A view of the workspace; what happens in it stays in it. */
export interface View {
  /** Absolute path at which the criterion sees the workspace. */
  readonly path: string;
  /** Which backend made it. */
  readonly backend: "copy";
  /** Wraps an argument list so that the program sees the view. */
  wrap(argv: readonly string[]): string[];
  /** Throws the view away. */
  close(): Promise<void>;
}

/**
 * Makes a view by copying the workspace: links stay links, modes and times are kept. A command that
 * names the workspace by its absolute path still reaches the real one.
 *
 * @param workspace Real, absolute path.
 * @param viewsDir Folder of the run's own in which the copy is made.
 * @throws {SandboxError} If it cannot be copied, as when the disk is full.
 */
export async function copyView(workspace: string, viewsDir: string): Promise<View> {
  const path = `${viewsDir}/${crypto.randomUUID()}`;
  await Deno.mkdir(path);
  try {
    await copyTree(workspace, path);
  } catch (error) {
    await remove(path);
    throw new SandboxError(
      `The workspace cannot be copied for an isolated criterion: ${
        error instanceof Error ? error.message : error
      }`,
    );
  }
  return { path, backend: "copy", wrap: (argv) => [...argv], close: () => remove(path) };
}

/** With `cp`, which knows owners, times, sparse files and copy-on-write file systems. */
async function copyTree(from: string, to: string): Promise<void> {
  const first = await cp(["-a", "--reflink=auto", `${from}/.`, to]);
  if (first.success) return;
  // A smaller cp, such as BusyBox's, has no such option.
  const again = await cp(["-a", `${from}/.`, to]);
  if (!again.success) throw new Error(again.message);
}

async function cp(args: string[]): Promise<{ success: boolean; message: string }> {
  const command = new Deno.Command("cp", { args, stdin: "null", stdout: "null", stderr: "piped" });
  const { success, stderr } = await command.output();
  return { success, message: new TextDecoder().decode(stderr.subarray(0, 500)).trim() };
}

async function remove(path: string): Promise<void> {
  try {
    await Deno.remove(path, { recursive: true });
  } catch {
    // Folders that the criterion made unreadable: with `rm` after a change of modes.
    await new Deno.Command("chmod", { args: ["-R", "u+rwx", path], stderr: "null" }).output();
    await Deno.remove(path, { recursive: true }).catch(() => {});
  }
}
