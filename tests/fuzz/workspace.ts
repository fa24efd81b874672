// A workspace that holds what is tried, and the built-in criteria as their Worker calls them.

import { outcomeOf } from "../../criteria/conformance_workspace.ts";
import type { Check } from "../../src/criterion/builtin.ts";
import { WorkspaceReader } from "../../src/criterion/reader.ts";
import { trying } from "./isolated.ts";
import { within } from "./runs.ts";

/** Seconds that a criterion may take for one small file. */
const CASE_SEC = 5;

/** A temporary folder; removed by `using`. */
export class Workspace implements Disposable {
  readonly path = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "rewardkit-fuzz-" }));
  readonly reader = new WorkspaceReader({ workspace: this.path, maxFileBytes: 2 ** 28 });

  write(name: string, bytes: Uint8Array): void {
    trying(bytes);
    Deno.writeFileSync(`${this.path}/${name}`, bytes);
  }

  /**
   * What a criterion makes of the workspace: a score, or what it holds against the graded work.
   * Anything else is thrown.
   */
  async grade(check: Check, ...args: unknown[]): Promise<string> {
    const { result, warnings } = await within(
      CASE_SEC,
      () => outcomeOf(check, this.path, ...args),
    );
    return [String(result), ...warnings].join(": ");
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.path, { recursive: true });
  }
}
