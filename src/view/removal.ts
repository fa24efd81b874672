// Removes a folder in which hostile programs have worked.

import { outputOf } from "../own_children.ts";

/**
 * Removes a folder with everything in it, whatever its modes, depth and links; links are not
 * followed. What cannot be removed, such as an immutable file, is left. Nobody may be at work in it
 * any more.
 */
export async function removeTree(path: string): Promise<void> {
  try {
    await Deno.remove(path, { recursive: true });
    return;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
  }
  // Deeper than there are descriptors: rm needs none. Both programs pass links by.
  if (await run("rm", ["-rf", "--", path])) return;
  // Folders of modes that keep even their owner out.
  await run("chmod", ["-R", "u+rwx", "--", path]);
  await run("rm", ["-rf", "--", path]);
}

async function run(program: string, args: string[]): Promise<boolean> {
  const streams = { stdin: "null", stdout: "null", stderr: "null" } as const;
  const { success } = await outputOf(program, { args, ...streams });
  return success;
}
