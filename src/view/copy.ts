// The view that can always be had: a copy of the workspace at another path.

import { workingFolder } from "../command/folder.ts";
import { SandboxError } from "../errors.ts";
import { enter } from "./entry.ts";
import { removeTree } from "./removal.ts";
import type { View } from "./view.ts";
import { outputOf } from "../own_children.ts";

/**
 * Makes a view by copying the workspace: links stay links, modes and times are kept. A command that
 * names the workspace by its absolute path still reaches the real one, and what runs in the copy when
 * it is closed is not ended with it.
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
    await removeTree(path);
    throw new SandboxError(
      `The workspace cannot be copied for an isolated criterion: ${
        error instanceof Error ? error.message : error
      }`,
    );
  }
  return {
    path,
    backend: "copy",
    wrap: (argv, cwd) => cwd === undefined ? [...argv] : enter(argv, cwd),
    workingFolder: (cwd) => Promise.try(() => workingFolder(path, cwd)),
    close: () => removeTree(path),
  };
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
  const streams = { stdin: "null", stdout: "null", stderr: "piped" } as const;
  const { success, stderr } = await outputOf("cp", { args, ...streams });
  return { success, message: new TextDecoder().decode(stderr.subarray(0, 500)).trim() };
}
