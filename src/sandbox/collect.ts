// Loads every check file in Workers that may do nothing, and gathers what the files declare.

import type { Declaration } from "../criterion/declaration.ts";
import { deadline } from "../deadline.ts";
import type { Cell } from "./cell.ts";
import type { CellWorker, WorkerListener, WorkerRequest } from "./cell_worker.ts";
import type { Cells } from "./cells.ts";
import { ungrantable } from "./grantable.ts";
import { collectPermissions, union } from "./permissions.ts";
import type { FromWorker, Problem, WorkerPermissions } from "./protocol.ts";
import { Slots } from "../slots.ts";

/** A check file to load. */
export interface FileToCollect {
  /** Path from the tests folder. */
  id: string;
  url: string;
  /** Imports others, so that it needs a Worker of its own. */
  needsOwnWorker: boolean;
  /** The Workers that will probably run its criteria. */
  ahead: readonly WorkerRequest[];
  /** Of a stranger's file: the folder that it may read, in place of the whole tests folder. */
  reads?: string;
  /** Of a stranger's file: modules of the tests folder that it imports. */
  modules?: readonly string[];
}

/** What came of loading a file. */
export type Collected =
  | { declarations: readonly Declaration[]; warnings: readonly string[] }
  | { problem: Problem };

/** How loading is done. */
export interface CollectOptions {
  /** The tests folder; absolute and real. */
  tests: string;
  /** What the shared cell may do, so that it can serve the run as well. */
  cellPermissions: WorkerPermissions;
  /** Seconds that one file may take. */
  loadTimeoutSec: number;
  /** Whether each file is a stranger's, and gets a cell of its own. Default false. */
  areStrangers?: boolean;
}

/** Files that one Worker loads one after the other, at most. */
const FILES_PER_WORKER = 16;

/** Workers that load files at the same time. */
const MAX_WORKERS = 2;

/** Loads the files; the result has an entry for each. */
export async function collectFiles(
  cells: Cells,
  files: readonly FileToCollect[],
  options: CollectOptions,
): Promise<Map<string, Collected>> {
  const results = new Map<string, Collected>();
  const slots = new Slots(MAX_WORKERS);
  if (options.areStrangers === true) {
    await Promise.all(
      files.map((file) => slots.use(() => collectAlone(cells, file, options, results))),
    );
    return results;
  }
  const cell = cells.shared(options.cellPermissions);
  await Promise.all(
    batches(files).map((batch) =>
      slots.use(async () => {
        const unfinished = await collectBatch(cell, batch, options, results);
        for (const file of unfinished) await collectAlone(cells, file, options, results);
      })
    ),
  );
  return results;
}

function batches(files: readonly FileToCollect[]): FileToCollect[][] {
  const own = files.filter(({ needsOwnWorker }) => needsOwnWorker).map((file) => [file]);
  const packed = files.filter(({ needsOwnWorker }) => !needsOwnWorker);
  const made: FileToCollect[][] = [];
  for (let at = 0; at < packed.length; at += FILES_PER_WORKER) {
    made.push(packed.slice(at, at + FILES_PER_WORKER));
  }
  return [...made, ...own];
}

/** Returns the files that were not finished when the Worker was lost. */
async function collectBatch(
  cell: Cell,
  batch: readonly FileToCollect[],
  options: CollectOptions,
  results: Map<string, Collected>,
): Promise<readonly FileToCollect[]> {
  const permissions = collectPermissions(options);
  const collector = new Collector(cell, permissions, options.loadTimeoutSec);
  try {
    for (const [position, file] of batch.entries()) {
      const collecting = collector.collect(file);
      // A cell makes one Worker at a time: the first loads the file while others are made.
      for (const request of file.ahead) cell.openAhead(request);
      const collected = await collecting;
      if ("lost" in collected) return batch.slice(position);
      results.set(file.id, collected);
    }
    return [];
  } finally {
    collector.close();
  }
}

/** A cell for the file alone: whatever ends it is the file's doing. */
async function collectAlone(
  cells: Cells,
  file: FileToCollect,
  options: CollectOptions,
  results: Map<string, Collected>,
): Promise<void> {
  const reads = { tests: file.reads ?? options.tests };
  const permissions = union(collectPermissions(reads), { read: [...file.modules ?? []] });
  const cell = cells.single(permissions, { isStranger: options.areStrangers === true });
  const collector = new Collector(cell, permissions, options.loadTimeoutSec);
  const collected = await collector.collect(file);
  results.set(
    file.id,
    "lost" in collected
      ? { problem: { fault: "check", message: `${collected.lost} while it was being loaded` } }
      : collected,
  );
  cell.kill();
}

/** A Worker that loads one file after the other. */
class Collector implements WorkerListener {
  readonly #cell: Cell;
  readonly #loadTimeoutSec: number;
  readonly #worker: CellWorker;
  #waiting: ((collected: Collected | { lost: string }) => void) | null = null;
  #lost: string | null = null;

  constructor(cell: Cell, permissions: WorkerPermissions, loadTimeoutSec: number) {
    this.#cell = cell;
    this.#loadTimeoutSec = loadTimeoutSec;
    this.#worker = cell.open({ entry: "author", permissions }, this);
  }

  collect(file: FileToCollect): Promise<Collected | { lost: string }> {
    if (this.#lost !== null) return Promise.resolve({ lost: this.#lost });
    const seconds = this.#loadTimeoutSec;
    const limit = deadline(seconds, () => this.#cell.kill(`took longer than ${seconds} s`));
    return new Promise((resolve) => {
      this.#waiting = (collected) => {
        limit.cancel();
        this.#waiting = null;
        resolve(collected);
      };
      this.#worker.post({ type: "collect", file: file.url });
    });
  }

  close(): void {
    this.#worker.close();
  }

  onMessage(message: FromWorker): void {
    if (message.type === "exiting") {
      this.#worker.close();
      return this.onLost(`called ${message.how}`);
    }
    if (this.#waiting === null || (message.type !== "collected" && message.type !== "rejected")) {
      return this.#cell.kill("sent what its protocol does not allow", false);
    }
    if (message.type === "rejected") return this.#waiting({ problem: message.problem });
    const { declarations, warnings } = message;
    const problem = ungrantable(declarations);
    this.#waiting(
      problem === null ? { declarations, warnings } : {
        problem: {
          fault: "check",
          message: problem,
          hint: "Declare a folder in place of its files, or true",
        },
      },
    );
  }

  onLost(reason: string): void {
    this.#lost ??= reason;
    this.#waiting?.({ lost: reason });
  }
}
