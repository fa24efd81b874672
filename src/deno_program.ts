// The program that cells and other processes of ours are started with.

import { UsageError } from "./errors.ts";

/**
 * Path of the Deno that runs this.
 *
 * @param build What this program says of itself.
 * @throws {UsageError} If it was made by `deno compile`: then it would start itself, not Deno.
 */
export function denoProgram({ standalone }: Pick<typeof Deno.build, "standalone"> = Deno.build) {
  if (!standalone) return Deno.execPath();
  throw new UsageError("Reward Kit cannot be compiled with `deno compile`", {
    hint:
      "Each check file runs in a Deno process of its own, and a compiled program holds no Deno " +
      "to start one with. Use the bundle beside a deno program: see docs/installing.md",
  });
}
