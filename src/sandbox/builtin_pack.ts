// One Worker for the built-ins of several small check files, since making a Worker takes longer
// than all that such a file asks for.

import type { Declaration } from "../criterion/declaration.ts";
import type { FileToGrade } from "./grade.ts";
import type { BuiltinCheck } from "./protocol.ts";
import type { Ended, Lost, Session } from "./session.ts";

/** Files up to which each has a Worker of its own. */
const FILES_WITHOUT_PACKING = 8;

/** Built-ins that a packed Worker serves, about: its list of permissions must stay short. */
const PACK_SIZE = 60;

/** The built-ins of some check files of one author; nothing but our own code runs in their Worker. */
export class BuiltinPack {
  /** Of all the files. */
  readonly declarations: Declaration[] = [];
  #session: Session | null = null;
  #ended = 0;
  #calls = 0;

  /**
   * Computes a built-in.
   *
   * @param open Opens the Worker, if there is none.
   */
  run(open: () => Session, check: BuiltinCheck, timeoutSec: number): Promise<Ended | Lost> {
    if (this.#session === null || this.#session.isLost) this.#session = open();
    // Indexes of declarations repeat from file to file.
    return this.#session.run(this.#calls++, check, timeoutSec);
  }

  /** To be called when a built-in is done with; after the last one the Worker is closed. */
  done(): void {
    this.#ended++;
    if (this.#ended === this.declarations.length) this.#session?.close();
  }
}

/**
 * Says which pack each file belongs to: one of its own, unless there are many files.
 *
 * @param areStrangers Each has one of its own: what a built-in reads is what its author says it does.
 */
export function packBuiltins(
  files: readonly FileToGrade[],
  areStrangers: boolean,
): Map<string, BuiltinPack> {
  const packs = new Map<string, BuiltinPack>();
  let open = new BuiltinPack();
  for (const { id, declarations } of files) {
    const builtins = declarations.filter(({ kind }) => kind === "builtin");
    const total = open.declarations.length + builtins.length;
    const isAlone = areStrangers || files.length <= FILES_WITHOUT_PACKING;
    if (isAlone || total > PACK_SIZE) open = new BuiltinPack();
    open.declarations.push(...builtins);
    packs.set(id, open);
  }
  return packs;
}
