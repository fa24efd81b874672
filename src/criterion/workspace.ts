// What a custom criterion gets as its first argument: the graded work, read with every guard on.

import type { CommandResult } from "./builtin.ts";
import { SubmissionError } from "../errors.ts";
import type { WorkspaceReader } from "./reader.ts";

/** Options of {@link Workspace.run}. */
export interface RunOptions {
  /** Working folder, from the workspace. Default: the workspace. */
  cwd?: string;
  /** Seconds after which the program and all it started is killed. Default 30. */
  timeout?: number;
  /** What the program reads from standard input. Default: nothing. */
  stdin?: string | Uint8Array;
}

/** Result of {@link Workspace.run}. */
export interface RunResult {
  /** Exit code; 128 + n after signal n. */
  code: number;
  /** Decoded as UTF-8, bad bytes replaced. */
  stdout: string;
  stderr: string;
  timedOut: boolean;
}

/** Asks the coordinator to run a program. */
export type RunProgram = (
  argv: readonly string[],
  options: RunOptions,
) => Promise<CommandResult>;

/**
 * The workspace, as a criterion sees it. Paths are relative to it; absolute ones stay absolute.
 * What is missing or unusable is a {@link SubmissionError}, which fails the criterion when it is
 * not caught.
 */
export class Workspace {
  /** Absolute path of the folder; of the throw-away copy for an isolated criterion. */
  readonly path: string;
  readonly #reader: WorkspaceReader;
  readonly #run: RunProgram;

  /** Made by Reward Kit; a criterion gets one. */
  constructor(reader: WorkspaceReader, run: RunProgram) {
    this.path = reader.workspace;
    this.#reader = reader;
    this.#run = run;
  }

  /** The path, so that `${workspace}/out` is a path in the workspace. */
  toString(): string {
    return this.path;
  }

  /**
   * A text file: UTF-8 without its byte order mark, CRLF and CR read as LF.
   *
   * @throws {SubmissionError} If it is absent, not UTF-8, no regular file, too large, or a link out
   * of the workspace.
   */
  readText(path: string): Promise<string> {
    return settle(() => this.#reader.readText(path));
  }

  /** The bytes of a file. Throws as {@link readText}, but for the encoding. */
  readBytes(path: string): Promise<Uint8Array> {
    return settle(() => this.#reader.readBytes(path));
  }

  /**
   * A JSON file, as `JSON.parse` reads it.
   *
   * @throws {SubmissionError} As {@link readText}, and if it is not JSON.
   */
  readJson(path: string): Promise<unknown> {
    return settle(() => {
      const text = this.#reader.readText(path);
      try {
        return JSON.parse(text);
      } catch (error) {
        throw new SubmissionError(`"${path}" is not JSON: ${(error as Error).message}`);
      }
    });
  }

  /** Whether something is at `path`; a folder counts, a link that leads nowhere does not. */
  exists(path: string): Promise<boolean> {
    return settle(() => this.#reader.exists(path));
  }

  /**
   * Names in a folder, sorted.
   *
   * @throws {SubmissionError} If there is no such folder, or a link out of the workspace leads to it.
   */
  list(path = "."): Promise<string[]> {
    return settle(() => this.#reader.list(path));
  }

  /**
   * Runs a program in the workspace. The program must be in the criterion's `run` list; the
   * coordinator starts it, without a shell, as a process group of its own. At most 16 MiB of each
   * output is kept.
   *
   * @param argv The program and its arguments.
   * @throws {PermissionNeededError} If the program is not in the `run` list.
   */
  async run(argv: readonly string[], options: RunOptions = {}): Promise<RunResult> {
    const { code, stdout, stderr, timedOut } = await this.#run(argv, options);
    return { code, stdout, stderr, timedOut };
  }
}

function settle<T>(read: () => T): Promise<T> {
  return new Promise((resolve) => resolve(read()));
}
