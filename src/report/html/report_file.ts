// The file that a report is written to.

import { VERSION } from "../../version.ts";
import { requireWritable, writeWhole } from "../reward_files.ts";
import { htmlReport, type ReportContent } from "./page.ts";

/** What is known before anything is graded. */
type Setting = Pick<ReportContent, "workspace" | "passMark">;

/** A place for a report. */
export class ReportFile {
  readonly #path: string;
  readonly #setting: Setting;

  /**
   * @param path Absolute.
   * @throws {UsageError} If nothing can be written there.
   */
  constructor(path: string, setting: Setting) {
    requireWritable(path, "--report");
    this.#path = path;
    this.#setting = setting;
  }

  /**
   * Writes the report of a run that has ended.
   *
   * @param run.names Base names of the tests folders.
   * @throws {UsageError} If it cannot be written after all.
   */
  async write(
    grades: Pick<ReportContent, "rewards" | "details" | "errors">,
    { testsDirs, names, startedAt }: {
      testsDirs: readonly string[];
      names: readonly string[];
      startedAt: Date;
    },
  ): Promise<void> {
    const { rewards, details, errors } = grades;
    const html = htmlReport({
      ...this.#setting,
      rewards,
      details,
      errors,
      testsDirs,
      folders: testsDirs.length > 1 ? names : [],
      date: startedAt,
      durationSec: (Date.now() - startedAt.getTime()) / 1000,
      version: VERSION,
    });
    await writeWhole(this.#path, html);
  }
}
