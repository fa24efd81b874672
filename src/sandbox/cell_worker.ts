// A Worker in a cell, as those see it who ask for one.

import type { Cell } from "./cell.ts";
import type {
  FromWorker,
  RunSetting,
  ToWorker,
  WorkerEntry,
  WorkerPermissions,
} from "./protocol.ts";

/** Gets the messages of one Worker. */
export interface WorkerListener {
  onMessage(message: FromWorker): void;
  /**
   * The Worker, or the whole cell with it, will say nothing more.
   *
   * @param isAlone Only one thing was being computed in the cell: that one is to blame.
   */
  onLost(reason: string, isAlone: boolean): void;
}

/** A Worker to open. */
export interface WorkerRequest {
  entry: WorkerEntry;
  permissions: WorkerPermissions;
  /** What it is prepared for; absent if it computes nothing. */
  setting?: RunSetting;
}

/** A Worker in a cell. */
export interface CellWorker {
  readonly cell: Cell;
  post(message: ToWorker): void;
  close(): void;
}
