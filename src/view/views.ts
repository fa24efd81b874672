// Makes the views of a run, in the cheapest way that this system allows.

import { SandboxError } from "../errors.ts";
import { copyView } from "./copy.ts";
import { Holder } from "./holder.ts";
import { MountedView } from "./mounted_view.ts";
import { mountsBelow } from "./mounts.ts";
import { Refusal } from "./refusal.ts";
import { removeTree } from "./removal.ts";
import type { Isolation, View } from "./view.ts";
import {
  entranceTo,
  requireFuse,
  requireOwnFiles,
  requireProgram,
  type Way,
  waysOf,
} from "./ways.ts";

/** What the views of a run have in common. */
export interface ViewsOptions {
  /** Real, absolute path. */
  workspace: string;
  /** Folder of the run's own for what the views hold. */
  privateDir: string;
  /** How they are to be made. */
  isolation: Isolation;
  /** What is tried, in this order. Default: all that count as such an isolation. */
  ways?: readonly Way[];
  onWarning: (message: string) => void;
}

/** Makes the views of a run; how it can be done is found out with the first. */
export class Views {
  readonly #options: ViewsOptions;
  /** Made, or being made. */
  readonly #views = new Set<Promise<View>>();
  #way: Promise<Way | "copy"> | null = null;

  constructor(options: ViewsOptions) {
    this.#options = options;
  }

  /**
   * Makes a view of the workspace as it is now.
   *
   * @throws {SandboxError} If there is none to be had, as when the disk is full.
   */
  make(): Promise<View> {
    const view = this.#make();
    this.#views.add(view);
    view.catch(() => this.#views.delete(view));
    return view;
  }

  /** Throws away what is left, also what is still being made. */
  async end(): Promise<void> {
    await Promise.all(
      [...this.#views].map((view) => view.then((it) => it.close()).catch(() => {})),
    );
    this.#views.clear();
  }

  async #make(): Promise<View> {
    return this.#way === null ? await this.#makeFirst() : await this.#makeBy(await this.#way);
  }

  async #makeFirst(): Promise<View> {
    const { promise, resolve, reject } = Promise.withResolvers<Way | "copy">();
    this.#way = promise;
    promise.catch(() => {});
    try {
      const { way, view } = await this.#findWay();
      resolve(way);
      return view;
    } catch (error) {
      reject(error);
      throw error;
    }
  }

  async #findWay(): Promise<{ way: Way | "copy"; view: View }> {
    const { isolation, ways = waysOf(isolation), onWarning } = this.#options;
    const reasons = new Map<string, string>();
    for (const way of ways) {
      try {
        return { way, view: await this.#mount(way, true) };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        reasons.set(way.backend, `${way.backend}: ${error.message}`);
      }
    }
    const lacks = [...reasons.values()].join("; ");
    if (isolation === "overlay" || isolation === "fuse") {
      throw new SandboxError(`There are no views by --isolation=${isolation} here: ${lacks}`, {
        hint: HINTS[isolation],
      });
    }
    if (isolation === "auto") {
      onWarning(
        "isolated criteria get copies of the workspace, and a program that names it by its " +
          `absolute path reaches the real one (${lacks})`,
      );
    }
    return { way: "copy", view: await this.#makeBy("copy") };
  }

  async #makeBy(way: Way | "copy"): Promise<View> {
    const { workspace, privateDir } = this.#options;
    if (way === "copy") return await copyView(workspace, privateDir);
    try {
      return await this.#mount(way, false);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new SandboxError(
        `A view of the workspace cannot be made by ${way.backend} any more: ${error.message}`,
      );
    }
  }

  /** @throws {Refusal} If that is not to be had here. */
  async #mount(way: Way, isFirst: boolean): Promise<View> {
    const { workspace, privateDir } = this.#options;
    const { backend, ownsUsers, usesFuse } = way;
    const unshare = requireProgram("unshare");
    const fuse = usesFuse ? requireFuse() : null;
    if (ownsUsers) requireOwnFiles(workspace);
    const folder = `${privateDir}/${crypto.randomUUID()}`;
    await Deno.mkdir(folder, { mode: 0o700 });
    let holder: Holder | null = null;
    try {
      // fuse-overlayfs reads through the file system, and so through what is mounted in it.
      const mounted = usesFuse ? [] : mountsBelow(workspace);
      const tries = isFirst && !usesFuse;
      holder = await Holder.start({ ...way, unshare, folder, workspace, fuse, tries, mounted });
      const entrance = entranceTo(holder.pid, ownsUsers);
      const view = new MountedView({ backend, workspace, folder, holder, entrance });
      if (isFirst) await view.requireEntry();
      return view;
    } catch (error) {
      await holder?.end();
      await removeTree(folder);
      throw error;
    }
  }
}

/** What would help where nothing else is good enough. */
const HINTS = {
  overlay: "Run as root with CAP_SYS_ADMIN, or allow user namespaces, or leave --isolation out",
  fuse: "Install fuse-overlayfs (Debian: apt-get install fuse-overlayfs), allow namespaces and " +
    "/dev/fuse, or leave --isolation out",
};
