// A throw-away view of the workspace, for an isolated criterion.

/** What may be asked for: how views are made. `auto` takes the cheapest way that can be had. */
export type Isolation = "auto" | "overlay" | "fuse" | "copy";

/** All of them, as messages list them. */
export const ISOLATIONS: readonly Isolation[] = ["auto", "overlay", "fuse", "copy"];

/**
 * What made a view. `overlay` is the kernel's overlayfs and `fuse` the program fuse-overlayfs, both
 * at the workspace's own path in a private mount namespace; `-userns` says that it took a user
 * namespace to be allowed that. `copy` is a copy at another path.
 */
export type Backend = "overlay" | "overlay-userns" | "fuse" | "fuse-userns" | "copy";

/** A view of the workspace; what happens in it stays in it. */
export interface View {
  /** Absolute path at which its programs see the workspace: its own, but for a copy. */
  readonly path: string;
  readonly backend: Backend;
  /**
   * Wraps an argument list so that the program sees the view. Whoever starts the result chooses no
   * working folder for it: one from outside the view would be the real workspace.
   *
   * A program that is not there is told by exit code 127, one that cannot be executed or a folder
   * that cannot be entered by 126, as a shell does.
   *
   * @param cwd Absolute path of the working folder as seen in the view. Default: {@link path}; for a
   * copy, where the result is started.
   * @throws {SandboxError} If something has ended the view.
   */
  wrap(argv: readonly string[], cwd?: string): string[];
  /**
   * Real path, in the view, of the folder that a command is to run in. The twin of
   * `workingFolder()`, which looks at the real workspace.
   *
   * @param cwd As the author wrote it; relative ones start at {@link path}, which is the default.
   * @throws {SubmissionError} If it is absent, no folder, or a relative one that leads out of the
   * workspace through a link.
   */
  workingFolder(cwd?: string): Promise<string>;
  /**
   * Kills what is left in it and throws it away. Nothing happens the second time.
   *
   * @throws {SandboxError} If something else had ended it, so that what ran in it cannot be trusted.
   */
  close(): Promise<void>;
}
