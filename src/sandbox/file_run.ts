// Grades one check file: what runs side by side, what in order, what in a view.

import { lazily } from "../lazy.ts";
import type { CommandResult } from "../criterion/builtin.ts";
import type { Declaration } from "../criterion/declaration.ts";
import type { View } from "../view/view.ts";
import { FileWorkers } from "./file_workers.ts";
import type { FileToGrade, GradeWatcher, Grading } from "./grade.ts";
import { builtinPermissions, permissionsFor } from "./permissions.ts";
import { problemOf } from "./problem.ts";
import type { WorkerPermissions } from "./protocol.ts";
import type { Ended } from "./session.ts";

/** What came of a check file. */
export interface Graded {
  /** In the order of the declarations. */
  ended: readonly Ended[];
  /** What each of the file's Workers was granted. */
  permissions: { builtins?: WorkerPermissions; custom?: WorkerPermissions };
  /** Which backend made the views of isolated criteria. */
  isolation?: string;
  /** Seconds from the first criterion's start to the last one's end. */
  durationSec: number;
}

/** Whether a criterion can change the workspace that others see. */
function canChangeWorkspace({ kind, command, needs, isolated }: Declaration): boolean {
  if (isolated) return false;
  return command !== undefined ||
    (kind === "custom" && needs.some((need) => "run" in need || "write" in need));
}

/** Whether a criterion needs a view of its own; one that only reads is as well off without. */
function needsView({ kind, command, isolated }: Declaration): boolean {
  return isolated && (command !== undefined || kind === "custom");
}

/** Built-ins that only read are handed to their Worker in batches of this size, in one slot. */
const BATCH_SIZE = 32;

/** Whether a criterion keeps its Worker's thread busy, so that others gain nothing from its slot. */
function isBatchable({ kind, command, needs }: Declaration): boolean {
  return kind === "builtin" && command === undefined && !needs.some((need) => "net" in need);
}

/** One check file while it is graded. */
export class FileRun {
  readonly #grading: Grading;
  readonly #file: FileToGrade;
  readonly #ended: Ended[];
  readonly #workers: FileWorkers;
  #isolation?: string;

  constructor(grading: Grading, file: FileToGrade) {
    this.#grading = grading;
    this.#file = file;
    this.#ended = new Array(file.declarations.length);
    this.#workers = new FileWorkers(grading, file);
  }

  /** Computes every criterion. Never rejects for what a criterion or the workspace does. */
  async grade(): Promise<Graded> {
    const start = performance.now();
    this.#watch.fileStarted(this.#file.id);
    /** Since the last criterion that can change the workspace. */
    let readers: Promise<void>[] = [];
    /** Readers that have not been started. */
    let batch: Declaration[] = [];
    const startBatch = () => {
      if (batch.length > 0) readers.push(this.#gradeBatch(batch));
      batch = [];
    };
    const isolated: Promise<void>[] = [];
    try {
      this.#openAuthorFirst();
      for (const declaration of this.#file.declarations) {
        if (isBatchable(declaration)) {
          batch.push(declaration);
          if (batch.length === BATCH_SIZE) startBatch();
          continue;
        }
        startBatch();
        if (canChangeWorkspace(declaration)) {
          await Promise.all(readers);
          readers = [];
          await this.#grade(declaration);
        } else if (needsView(declaration)) {
          // The view is made at the criterion's place in the order; what runs in it is free.
          const view = this.#makeView();
          const graded = this.#gradeIsolated(declaration, view);
          isolated.push(graded);
          // A copy is made and done with; a view that is mounted shows what becomes of the workspace.
          readers.push(
            view.then(({ backend }) => backend === "copy" ? undefined : graded, () => {}),
          );
        } else readers.push(this.#grade(declaration));
      }
      startBatch();
      await Promise.all([...readers, ...isolated]);
    } finally {
      this.#workers.close();
    }
    const graded = {
      ended: this.#ended,
      permissions: this.#permissions(),
      ...(this.#isolation !== undefined && { isolation: this.#isolation }),
      durationSec: (performance.now() - start) / 1000,
    };
    this.#watch.fileEnded(this.#file.id, graded);
    return graded;
  }

  get #watch(): GradeWatcher {
    return this.#grading.options.watch;
  }

  #settle(declaration: Declaration, ended: Ended): void {
    this.#ended[declaration.index] = ended;
    this.#watch.criterionEnded(this.#file.id, declaration, ended);
  }

  #permissions(): Graded["permissions"] {
    const { options } = this.#grading;
    const { declarations, id } = this.#file;
    const roots = options.strangers?.get(id)?.roots ?? options.roots;
    const builtins = declarations.filter(({ kind }) => kind === "builtin");
    const customs = declarations.filter(({ kind }) => kind === "custom");
    return {
      ...(builtins.length > 0 && { builtins: builtinPermissions(builtins, roots) }),
      ...(customs.length > 0 && { custom: permissionsFor(customs, roots) }),
    };
  }

  /** An author's Worker goes on loading its file while the next Worker is made. */
  #openAuthorFirst(): void {
    const { declarations } = this.#file;
    const first = declarations.find((it) => it.kind === "custom" && !needsView(it));
    const hasBuiltins = declarations.some(({ kind }) => kind === "builtin");
    if (first !== undefined && hasBuiltins) this.#workers.open(first);
  }

  async #grade(declaration: Declaration, view?: View): Promise<void> {
    const { slots } = this.#grading;
    this.#settle(declaration, await slots.use(() => this.#compute(declaration, view)));
  }

  async #gradeBatch(batch: readonly Declaration[]): Promise<void> {
    const { slots } = this.#grading;
    await slots.use(() =>
      Promise.all(batch.map(async (declaration) => {
        this.#settle(declaration, await this.#compute(declaration));
      }))
    );
  }

  async #makeView(): Promise<View> {
    const { options, slots } = this.#grading;
    const view = await slots.use(() => options.views.make());
    this.#isolation = view.backend;
    return view;
  }

  async #gradeIsolated(declaration: Declaration, making: Promise<View>): Promise<void> {
    try {
      const view = await making;
      await this.#grade(declaration, view).finally(() => view.close());
    } catch (error) {
      this.#settle(declaration, { problem: problemOf(error), warnings: [] });
    }
  }

  async #compute(declaration: Declaration, view?: View): Promise<Ended> {
    this.#watch.criterionStarted(this.#file.id, declaration);
    let command: CommandResult | undefined;
    try {
      if (declaration.command !== undefined) command = await this.#runCommand(declaration, view);
    } catch (error) {
      return { problem: problemOf(error), warnings: [] };
    }
    return await this.#workers.compute(declaration, command, view);
  }

  async #runCommand(
    { command }: Declaration,
    view: View | undefined,
  ): Promise<CommandResult> {
    const [{ run }, { workingFolder }] = await Promise.all([
      lazily<typeof import("../command/run.ts")>("../command/run.ts", import.meta.url),
      lazily<typeof import("../command/folder.ts")>("../command/folder.ts", import.meta.url),
    ]);
    const { options } = this.#grading;
    const workspace = view?.path ?? options.roots.workspace;
    const { command: text, cwd, timeoutSec } = command!;
    const folder = await view?.workingFolder(cwd) ?? workingFolder(workspace, cwd);
    const shell = ["sh", "-c", text];
    const argv = options.confine?.(shell, { workspace, cwd: folder }) ?? shell;
    const isStranger = options.strangers !== null;
    return await run(view?.wrap(argv, folder) ?? argv, {
      // A folder of the view is entered in the view.
      cwd: view === undefined ? folder : "/",
      workspace,
      timeoutSec: isStranger ? Math.min(timeoutSec, options.builtinTimeoutSec) : timeoutSec,
      groups: options.groups,
    });
  }
}
