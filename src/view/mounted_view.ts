// A view that is mounted over the workspace's own path, in namespaces of its own.

import { leavesWorkspace, unusableFolder } from "../command/folder.ts";
import { SandboxError } from "../errors.ts";
import { isAbsolute, isWithin } from "../path.ts";
import { enter } from "./entry.ts";
import type { Holder } from "./holder.ts";
import { Refusal } from "./refusal.ts";
import { removeTree } from "./removal.ts";
import type { Backend, View } from "./view.ts";
import { outputOf } from "../own_children.ts";

/** Prints a folder's real path, or ends with the number of one of the reasons why there is none. */
const FIND = '[ -e "$1" ] || exit 3; [ -d "$1" ] || exit 4; cd -P -- "$1" || exit 5; pwd -P';
const REASONS: Record<number, string> = { 3: "absent", 4: "no folder", 5: "it cannot be entered" };

/** What a mounted view is made of. */
export interface MountedViewOptions {
  backend: Backend;
  workspace: string;
  /** Its folder, which is removed with it. */
  folder: string;
  holder: Holder;
  /** What leads a program into the holder's namespaces; its own arguments follow. */
  entrance: readonly string[];
}

/** A view in a holder's namespaces. Programs see it wherever they look for the workspace. */
export class MountedView implements View {
  readonly path: string;
  readonly backend: Backend;
  readonly #folder: string;
  readonly #holder: Holder;
  readonly #entrance: readonly string[];
  #closing: Promise<void> | null = null;

  constructor({ backend, workspace, folder, holder, entrance }: MountedViewOptions) {
    this.backend = backend;
    this.path = workspace;
    this.#folder = folder;
    this.#holder = holder;
    this.#entrance = entrance;
  }

  wrap(argv: readonly string[], cwd: string = this.path): string[] {
    if (this.#closing !== null) throw new SandboxError("The view is closed");
    this.#holder.requireAlive();
    return [...this.#entrance, ...enter(argv, cwd)];
  }

  async workingFolder(cwd = ""): Promise<string> {
    if (cwd === "") return this.path;
    const folder = await this.#find(isAbsolute(cwd) ? cwd : `${this.path}/${cwd}`, cwd);
    if (!isAbsolute(cwd) && !isWithin(folder, this.path)) throw leavesWorkspace(cwd);
    return folder;
  }

  /** @throws {Refusal} If no program can be run in it. */
  async requireEntry(): Promise<void> {
    const [program, ...args] = this.wrap(["true"]);
    const { success, stderr } = await outputOf(program!, { args, cwd: "/" });
    if (!success) throw new Refusal("entry", new TextDecoder().decode(stderr));
  }

  /** Asked in the view: seen from outside, links would lead to the real workspace. */
  async #find(folder: string, shown: string): Promise<string> {
    const [program, ...args] = this.wrap(["/bin/sh", "-c", FIND, "sh", folder], "/");
    const { code, stdout } = await outputOf(program!, { args, cwd: "/" });
    if (code === 0) return new TextDecoder().decode(stdout).replace(/\n$/, "");
    throw unusableFolder(shown, REASONS[code] ?? "the view cannot be entered");
  }

  close(): Promise<void> {
    return this.#closing ??= this.#close();
  }

  async #close(): Promise<void> {
    try {
      this.#holder.requireAlive();
    } finally {
      await this.#holder.end();
      await removeTree(this.#folder);
    }
  }
}
