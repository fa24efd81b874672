// How far a run is, as its events tell it: what is shown of it is decided elsewhere.

import type { JudgeProgress, RunEvent } from "../events.ts";

/** One check file or judge. Times are milliseconds of the caller's clock. */
export interface FileProgress {
  file: string;
  isJudge: boolean;
  /** Names of its criteria; none until they are known. */
  criteria: readonly string[];
  /** Criteria that have ended. */
  done: number;
  /** Those of them that scored 0 or have an error. */
  failed: number;
  /** When each criterion that is being computed began, by its position. */
  running: Map<number, number>;
  /** `null`: it waits. */
  startedAt: number | null;
  isOver: boolean;
  /** Only of judges. */
  judge: JudgeProgress | null;
}

/** What can be said of a run at a moment. */
export class Progress {
  /** The tests folder that is being graded. */
  testsDir = "";
  readonly startedAt: number;
  /** Whether check files are still being loaded. */
  isLoading = true;
  readonly #files = new Map<string, FileProgress>();
  /** Of tests folders that are done. */
  #costBefore: number | null = null;

  constructor(now: number) {
    this.startedAt = now;
  }

  get files(): FileProgress[] {
    return [...this.#files.values()];
  }

  /** Those that are being computed. */
  get running(): FileProgress[] {
    return this.files.filter(({ startedAt, isOver }) => startedAt !== null && !isOver);
  }

  /** US dollars so far; `null` where no price is known. */
  get costUsd(): number | null {
    return this.files.reduce(
      (sum: number | null, { judge }) =>
        judge?.costUsd === undefined ? sum : (sum ?? 0) + judge.costUsd,
      this.#costBefore,
    );
  }

  /** Something happened; gives the file that it happened to. */
  apply(event: RunEvent, now: number): FileProgress | null {
    if (event.type === "discovered") this.#begin(event);
    else if (event.type === "planned") this.#plan(event);
    if (!("file" in event) || event.file === undefined) return null;
    const state = this.#files.get(event.file);
    if (state === undefined) return null;
    switch (event.type) {
      case "fileStarted":
        state.startedAt ??= now;
        break;
      case "fileFinished":
        state.isOver = true;
        state.startedAt ??= now;
        state.running.clear();
        break;
      case "criterionStarted":
        state.running.set(event.index, now);
        break;
      case "criterionFinished":
        state.running.delete(event.index);
        state.done++;
        if (event.error !== undefined || event.score <= 0) state.failed++;
        break;
      case "judgeProgress":
        state.judge = event.progress;
    }
    return state;
  }

  #begin({ testsDir, files }: Extract<RunEvent, { type: "discovered" }>): void {
    this.#costBefore = this.costUsd;
    this.testsDir = testsDir;
    this.isLoading = true;
    this.#files.clear();
    for (const { file, kind } of files) {
      this.#files.set(file, {
        file,
        isJudge: kind !== "programmatic",
        criteria: [],
        done: 0,
        failed: 0,
        running: new Map(),
        startedAt: null,
        isOver: false,
        judge: null,
      });
    }
  }

  #plan({ files }: Extract<RunEvent, { type: "planned" }>): void {
    this.isLoading = false;
    const criteria = new Map(files.map((planned) => [planned.file, planned.criteria]));
    for (const [file, state] of this.#files) {
      const planned = criteria.get(file);
      if (planned === undefined) this.#files.delete(file);
      else state.criteria = planned;
    }
  }
}
