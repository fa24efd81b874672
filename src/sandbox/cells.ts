// Which cell a check file's Workers live in.

import { Cell, type CellOptions, type CellSettings } from "./cell.ts";
import type { WorkerRequest } from "./cell_worker.ts";
import { collectPermissions, covers, type Roots } from "./permissions.ts";
import type { WorkerPermissions } from "./protocol.ts";

/** The Worker that loads check files to collect what they declare. */
export function collectingWorker(roots: Pick<Roots, "tests">): WorkerRequest {
  return { entry: "author", permissions: collectPermissions(roots) };
}

/** The cells of a run: one that files of one trust domain share, and others for single files. */
export class Cells {
  readonly #settings: CellSettings;
  readonly #all = new Set<Cell>();
  #shared: Cell | null = null;

  constructor(settings: CellSettings) {
    this.#settings = settings;
  }

  /**
   * The shared cell; a new one if there is none that may do all of this.
   *
   * @param first The Worker that a new one opens at once.
   */
  shared(permissions: WorkerPermissions, first?: WorkerRequest): Cell {
    const options = first === undefined ? {} : { first };
    const shared = this.#shared;
    if (shared !== null && !shared.isLost && covers(shared.permissions, permissions)) return shared;
    return this.#shared = this.single(permissions, options);
  }

  /** A cell for one file alone. */
  single(permissions: WorkerPermissions, options: CellOptions = {}): Cell {
    const cell = Cell.start(this.#settings, permissions, options);
    this.#all.add(cell);
    void cell.ended.then(() => this.#all.delete(cell));
    return cell;
  }

  /** Kills every cell and waits until they are gone. */
  async end(): Promise<void> {
    const ending = [...this.#all].map((cell) => {
      cell.kill();
      return cell.ended;
    });
    await Promise.all(ending);
  }
}
