// Grades one check file: order, views, Workers, and finding out which criterion broke a Worker.

import { workingFolder } from "../command/folder.ts";
import { run as runProgram } from "../command/run.ts";
import type { CommandResult } from "../criterion/builtin.ts";
import type { Declaration } from "../criterion/declaration.ts";
import { copyView, type View } from "../view/view.ts";
import type { Cell } from "./cell.ts";
import type { FileToGrade, Grading } from "./grade.ts";
import {
  builtinPermissions,
  cellPermissions,
  loadingOnly,
  permissionsFor,
  type Roots,
  union,
} from "./permissions.ts";
import { answerProgram } from "./program.ts";
import { problemOf } from "./problem.ts";
import type { BuiltinCheck, Problem, WorkerPermissions } from "./protocol.ts";
import { type Ended, type Lost, Session } from "./session.ts";
import { Slots } from "./slots.ts";

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

/** One check file while it is graded. */
export class FileRun {
  readonly #grading: Grading;
  readonly #file: FileToGrade;
  readonly #ended: Ended[];
  readonly #sessions = new Map<string, Session>();
  /** Criteria that each Worker has yet to compute. */
  readonly #left = new Map<string, number>();
  #isolation?: string;
  #isOpen = false;
  /** Set when a Worker was lost among several criteria: from then on one at a time. */
  #alone: { cell: Cell | null; turn: Slots } | null = null;
  /** Why the author's file cannot be loaded to be run. */
  #loadProblem: Problem | null = null;
  #opening: Promise<void> | null = null;

  constructor(grading: Grading, file: FileToGrade) {
    this.#grading = grading;
    this.#file = file;
    this.#ended = new Array(file.declarations.length);
    for (const declaration of file.declarations) {
      const key = sessionKey(declaration);
      this.#left.set(key, (this.#left.get(key) ?? 0) + 1);
    }
  }

  /** Computes every criterion. Never rejects for what a criterion or the workspace does. */
  async grade(): Promise<Graded> {
    const start = performance.now();
    /** Since the last criterion that can change the workspace. */
    let readers: Promise<void>[] = [];
    const isolated: Promise<void>[] = [];
    try {
      await this.#openAuthorFirst();
      for (const declaration of this.#file.declarations) {
        if (canChangeWorkspace(declaration)) {
          await Promise.all(readers);
          readers = [];
          await this.#grade(declaration);
        } else if (needsView(declaration)) {
          // The view is made at the criterion's place in the order; what runs in it is free.
          const view = this.#makeView();
          readers.push(view.then(() => {}, () => {}));
          isolated.push(this.#gradeIsolated(declaration, view));
        } else readers.push(this.#grade(declaration));
      }
      await Promise.all([...readers, ...isolated]);
    } finally {
      this.#close();
    }
    return {
      ended: this.#ended,
      permissions: this.#permissions(),
      ...(this.#isolation !== undefined && { isolation: this.#isolation }),
      durationSec: (performance.now() - start) / 1000,
    };
  }

  #permissions(): Graded["permissions"] {
    const { roots } = this.#grading.options;
    const { declarations } = this.#file;
    const builtins = declarations.filter(({ kind }) => kind === "builtin");
    const customs = declarations.filter(({ kind }) => kind === "custom");
    return {
      ...(builtins.length > 0 && { builtins: builtinPermissions(builtins, roots) }),
      ...(customs.length > 0 && { custom: permissionsFor(customs, roots) }),
    };
  }

  /** An author's Worker goes on loading its file while the next Worker is made. */
  async #openAuthorFirst(): Promise<void> {
    const { declarations } = this.#file;
    const first = declarations.find((it) => it.kind === "custom" && !needsView(it));
    if (first === undefined || !declarations.some(({ kind }) => kind === "builtin")) return;
    await this.#open();
    this.#session(first, undefined);
  }

  async #grade(declaration: Declaration, view?: View): Promise<void> {
    const { slots, options } = this.#grading;
    this.#ended[declaration.index] = await slots.use(() => this.#compute(declaration, view));
    this.#countDown(declaration);
    options.onEnded?.(this.#file.id, declaration);
  }

  async #makeView(): Promise<View> {
    const { options, slots } = this.#grading;
    const view = await slots.use(() => copyView(options.roots.workspace, options.viewsDir));
    this.#isolation = view.backend;
    return view;
  }

  async #gradeIsolated(declaration: Declaration, making: Promise<View>): Promise<void> {
    try {
      const view = await making;
      await this.#grade(declaration, view).finally(() => view.close());
    } catch (error) {
      this.#ended[declaration.index] = { problem: problemOf(error), warnings: [] };
    }
  }

  async #compute(declaration: Declaration, view?: View): Promise<Ended> {
    let command: CommandResult | undefined;
    try {
      if (declaration.command !== undefined) command = await this.#runCommand(declaration, view);
    } catch (error) {
      return { problem: problemOf(error), warnings: [] };
    }
    while (true) {
      const isAlone = this.#alone !== null;
      const ended = await this.#attempt(declaration, command, view);
      if (!("lost" in ended)) return ended;
      const { lost, isLoading, isGuilty } = ended;
      if (isAlone && isLoading) {
        const message = `${lost} while it was being loaded`;
        this.#loadProblem ??= { fault: "check", message };
        return { problem: this.#loadProblem, warnings: [] };
      } else if (isAlone || isGuilty) return blame(declaration, lost);
      this.#alone ??= { cell: null, turn: new Slots(1) };
    }
  }

  async #attempt(
    declaration: Declaration,
    command: CommandResult | undefined,
    view: View | undefined,
  ): Promise<Ended | Lost> {
    const alone = this.#alone;
    const { builtinTimeoutSec, customTimeoutSec } = this.#grading.options;
    const isBuiltin = declaration.kind === "builtin";
    const check: BuiltinCheck | undefined = isBuiltin
      ? {
        criterion: declaration.criterion,
        args: declaration.args ?? "[]",
        ...(command && { command }),
      }
      : undefined;
    const limit = declaration.timeoutSec ?? (isBuiltin ? builtinTimeoutSec : customTimeoutSec);
    const attempt = async () => {
      if (!isBuiltin && this.#loadProblem !== null) {
        return { problem: this.#loadProblem, warnings: [] };
      }
      await this.#open();
      // The Worker of the built-ins serves the whole file: only their commands run in views.
      const ofView = isBuiltin ? undefined : view;
      return await this.#session(declaration, ofView).run(declaration.index, check, limit);
    };
    return alone === null ? await attempt() : await alone.turn.use(attempt);
  }

  #runCommand({ command }: Declaration, view: View | undefined): Promise<CommandResult> {
    const { options } = this.#grading;
    const workspace = view?.path ?? options.roots.workspace;
    const { command: text, cwd, timeoutSec } = command!;
    const argv = ["sh", "-c", text];
    return runProgram(view?.wrap(argv) ?? argv, {
      cwd: workingFolder(workspace, cwd),
      workspace,
      timeoutSec,
      groups: options.groups,
    });
  }

  /** The Worker that computes this criterion: one for built-ins, one for the author's own. */
  #session(declaration: Declaration, view: View | undefined): Session {
    const key = sessionKey(declaration);
    const known = this.#sessions.get(key);
    if (known !== undefined && !known.isLost) return known;
    const session = this.#newSession(declaration, view);
    this.#sessions.set(key, session);
    return session;
  }

  #newSession(declaration: Declaration, view: View | undefined): Session {
    const { options } = this.#grading;
    const isBuiltin = declaration.kind === "builtin";
    const roots: Roots = {
      ...options.roots,
      workspace: view?.path ?? options.roots.workspace,
    };
    const key = sessionKey(declaration);
    const served = this.#file.declarations.filter((other) => sessionKey(other) === key);
    const declared = isBuiltin ? builtinPermissions(served, roots) : permissionsFor(served, roots);
    const revoke = isBuiltin ? [] : loadingOnly(declared, roots);
    // The view is the criterion's own: it may do there what it likes.
    const ofView = view === undefined ? [] : [view.path];
    const permissions = union(declared, { read: [...revoke, ...ofView], write: ofView });
    return new Session(this.#cell(), {
      entry: isBuiltin ? "builtins" : "author",
      permissions,
      setting: {
        workspace: roots.workspace,
        maxFileBytes: options.maxFileBytes,
        revoke,
        ...(!isBuiltin && { file: this.#file.url }),
      },
      criteria: this.#file.declarations.map(({ criterion }) => criterion),
      loadTimeoutSec: options.loadTimeoutSec,
      onProgram: (request, session) =>
        void answerProgram(request, session, {
          declaration: this.#file.declarations[request.index]!,
          workspace: roots.workspace,
          view,
          groups: options.groups,
        }),
    });
  }

  #cell(): Cell {
    const { cells, sharedPermissions, options } = this.#grading;
    if (this.#alone === null) return cells.shared(sharedPermissions);
    if (this.#alone.cell === null || this.#alone.cell.isLost) {
      const { roots, viewsDir } = options;
      const permissions = cellPermissions(this.#file.declarations, roots, viewsDir);
      this.#alone.cell = cells.single(permissions);
    }
    return this.#alone.cell;
  }

  /** Waits until the file may have Workers open. */
  #open(): Promise<void> {
    this.#isOpen = true;
    return this.#opening ??= this.#grading.openFiles.acquire();
  }

  /** A Worker that has computed all it was opened for is closed: isolated ones have one each. */
  #countDown(declaration: Declaration): void {
    const key = sessionKey(declaration);
    const left = this.#left.get(key)! - 1;
    this.#left.set(key, left);
    if (left > 0) return;
    this.#sessions.get(key)?.close();
    this.#sessions.delete(key);
  }

  #close(): void {
    for (const session of this.#sessions.values()) session.close();
    this.#alone?.cell?.kill();
    if (this.#isOpen) this.#grading.openFiles.release();
  }
}

/** Criteria with one key share a Worker. */
function sessionKey({ kind, index, isolated }: Declaration): string {
  if (kind === "builtin") return kind;
  return isolated ? `isolated ${index}` : "custom";
}

/**
 * A built-in that ends its Worker or takes too long was led to it by what it read: our own code and
 * the author's arguments are the same for every submission.
 */
function blame({ kind }: Declaration, reason: string): Ended {
  const fault = kind === "builtin" ? "submission" : "check";
  return { problem: { fault, message: reason }, warnings: [] };
}
