// The Workers of one check file, and finding out which criterion broke one.

import type { CommandResult } from "../criterion/builtin.ts";
import type { Declaration } from "../criterion/declaration.ts";
import type { View } from "../view/view.ts";
import type { BuiltinPack } from "./builtin_pack.ts";
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
import type { Problem, WorkerPermissions } from "./protocol.ts";
import type { ProgramSetting } from "./program.ts";
import { type Ended, type Lost, type ProgramRequest, Session } from "./session.ts";
import { lazily } from "../lazy.ts";
import { isWithin } from "../path.ts";
import { Slots } from "../slots.ts";

/** Opens Workers when a criterion needs one, and closes each when it has computed all it is for. */
export class FileWorkers {
  readonly #grading: Grading;
  readonly #file: FileToGrade;
  readonly #sessions = new Map<string, Session>();
  readonly #ownCells = new Map<string, Cell>();
  /** Criteria of the author's own that each Worker has yet to compute. */
  readonly #left = new Map<string, number>();
  /** Set when a Worker was lost among several criteria: from then on one at a time. */
  #alone: { cell: Cell | null; turn: Slots } | null = null;
  /** Why the author's file cannot be loaded to be run. */
  #loadProblem: Problem | null = null;

  constructor(grading: Grading, file: FileToGrade) {
    this.#grading = grading;
    this.#file = file;
    for (const declaration of file.declarations) {
      if (declaration.kind === "builtin") continue;
      const key = sessionKey(declaration);
      this.#left.set(key, (this.#left.get(key) ?? 0) + 1);
    }
  }

  /** Opens a criterion's Worker before its turn, so that it can load its file meanwhile. */
  open(declaration: Declaration): void {
    this.#session(declaration, undefined);
  }

  /**
   * Computes a criterion. A Worker that is lost while several criteria are being computed tells not
   * which of them did it: then each is computed again, alone in a cell of the file's own.
   *
   * @param command What the criterion's command printed.
   * @param view Of an isolated criterion.
   */
  async compute(
    declaration: Declaration,
    command: CommandResult | undefined,
    view: View | undefined,
  ): Promise<Ended> {
    const ended = await this.#computeOrBlame(declaration, command, view);
    this.#countDown(declaration);
    return ended;
  }

  /** Closes what is open. */
  close(): void {
    for (const session of this.#sessions.values()) session.close();
    this.#alone?.cell?.kill();
    for (const cell of this.#ownCells.values()) cell.kill();
  }

  async #computeOrBlame(
    declaration: Declaration,
    command: CommandResult | undefined,
    view: View | undefined,
  ): Promise<Ended> {
    while (true) {
      const isAlone = this.#alone !== null;
      const ended = await this.#attempt(declaration, command, view);
      if (!("lost" in ended)) return ended;
      const { lost, isLoading, isGuilty } = ended;
      if (isAlone && isLoading) {
        const message = `${lost} while it was being loaded`;
        this.#loadProblem ??= { fault: "check", message };
        return { problem: this.#loadProblem, warnings: [] };
      }
      if (isAlone || isGuilty) return blame(declaration, lost);
      this.#alone ??= { cell: null, turn: new Slots(1) };
    }
  }

  async #attempt(
    declaration: Declaration,
    command: CommandResult | undefined,
    view: View | undefined,
  ): Promise<Ended | Lost> {
    const alone = this.#alone;
    const { builtinTimeoutSec, customTimeoutSec, strangers } = this.#grading.options;
    const isBuiltin = declaration.kind === "builtin";
    const check = isBuiltin
      ? {
        criterion: declaration.criterion,
        args: declaration.args ?? "[]",
        ...(command && { command }),
      }
      : undefined;
    const most = isBuiltin ? builtinTimeoutSec : customTimeoutSec;
    const own = declaration.timeoutSec ?? most;
    // A stranger's word goes below the run's limit, never above.
    const limit = strangers === null ? own : Math.min(own, most);
    if (alone === null && check !== undefined) {
      const pack = this.#pack;
      const open = () => this.#newSession(declaration, undefined, pack.declarations);
      return await pack.run(open, check, limit);
    }
    const attempt = async () => {
      if (!isBuiltin && this.#loadProblem !== null) {
        return { problem: this.#loadProblem, warnings: [] };
      }
      // The Worker of the built-ins serves the whole file: only their commands run in views.
      const ofView = isBuiltin ? undefined : view;
      return await this.#session(declaration, ofView).run(declaration.index, check, limit);
    };
    return alone === null ? await attempt() : await alone.turn.use(attempt);
  }

  get #pack(): BuiltinPack {
    return this.#grading.packs.get(this.#file.id)!;
  }

  /** The Worker that computes this criterion: one for built-ins, one for the author's own. */
  #session(declaration: Declaration, view: View | undefined): Session {
    const key = sessionKey(declaration);
    const known = this.#sessions.get(key);
    if (known !== undefined && !known.isLost) return known;
    const served = this.#file.declarations.filter((other) => sessionKey(other) === key);
    const session = this.#newSession(declaration, view, served);
    this.#sessions.set(key, session);
    return session;
  }

  /** @param served All that the Worker will be asked for. */
  #newSession(
    declaration: Declaration,
    view: View | undefined,
    served: readonly Declaration[],
  ): Session {
    const { options } = this.#grading;
    const isBuiltin = declaration.kind === "builtin";
    const stranger = isBuiltin ? undefined : options.strangers?.get(this.#file.id);
    const roots: Roots = {
      ...stranger?.roots ?? options.roots,
      workspace: view?.path ?? options.roots.workspace,
    };
    const declared = isBuiltin ? builtinPermissions(served, roots) : permissionsFor(served, roots);
    const revoke = isBuiltin ? [] : [
      ...loadingOnly(declared, roots),
      ...beyond(stranger?.modules ?? [], declared),
    ];
    // The view is the criterion's own: it may do there what it likes.
    const ofView = view === undefined ? [] : [view.path];
    const permissions = union(declared, { read: [...revoke, ...ofView], write: ofView });
    if (canRun(permissions)) options.groups.expectPrograms();
    const cell = stranger === undefined && view === undefined
      ? this.#cell(isBuiltin)
      : this.#ownCell(declaration, permissions, view);
    return new Session(cell, {
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
        void answer(request, session, {
          declaration: this.#file.declarations[request.index]!,
          workspace: roots.workspace,
          view,
          groups: options.groups,
          confine: options.confine,
        }),
    });
  }

  #cell(isBuiltin: boolean): Cell {
    const { cells, sharedPermissions, options } = this.#grading;
    if (this.#alone === null) return cells.shared(sharedPermissions);
    if (this.#alone.cell === null || this.#alone.cell.isLost) {
      const { roots, strangers } = options;
      const { declarations } = this.#file;
      const served = strangers !== null && isBuiltin
        ? declarations.filter(({ kind }) => kind === "builtin")
        : declarations;
      this.#alone.cell = cells.single(cellPermissions(served, roots));
    }
    return this.#alone.cell;
  }

  /** One for a stranger's file, and one for each isolated criterion, which lives in its view. */
  #ownCell(
    declaration: Declaration,
    permissions: WorkerPermissions,
    view: View | undefined,
  ): Cell {
    const { cells, options } = this.#grading;
    const key = sessionKey(declaration);
    const known = this.#ownCells.get(key);
    if (known !== undefined && !known.isLost) return known;
    const cell = cells.single(permissions, {
      isStranger: options.strangers !== null,
      ...(view !== undefined && { view }),
    });
    this.#ownCells.set(key, cell);
    return cell;
  }

  #countDown(declaration: Declaration): void {
    if (declaration.kind === "builtin") return this.#pack.done();
    const key = sessionKey(declaration);
    const left = this.#left.get(key)! - 1;
    this.#left.set(key, left);
    if (left > 0) return;
    this.#sessions.get(key)?.close();
    this.#sessions.delete(key);
    this.#ownCells.get(key)?.kill();
  }
}

/** Paths that a Worker may read only because it has to load them. */
function beyond(paths: readonly string[], { read }: WorkerPermissions): string[] {
  if (read === true) return [];
  return paths.filter((path) => !(read || []).some((folder) => isWithin(path, folder)));
}

function canRun({ run }: WorkerPermissions): boolean {
  return run === true || (Array.isArray(run) && run.length > 0);
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

async function answer(
  request: ProgramRequest,
  session: Session,
  setting: ProgramSetting,
): Promise<void> {
  const { answerProgram } = await lazily<typeof import("./program.ts")>(
    "./program.ts",
    import.meta.url,
  );
  await answerProgram(request, session, setting);
}
