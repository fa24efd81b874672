// The judges of a tests folder: made ready before anything runs, asked beside the check files.

import { askJudge } from "../judges/llm_judge.ts";
import { type PreparedJudge, prepareJudge } from "../judges/preparation.ts";
import { resolveTarget } from "../judges/providers/resolve.ts";
import type { JudgeSummary, ShownFile } from "../judges/summary.ts";
import { WorkspaceReader } from "./criterion/reader.ts";
import { ConfigError, DiscoveryError } from "./errors.ts";
import { resultOfAgent, resultOfJudge } from "./judge_results.ts";
import { lazily } from "./lazy.ts";
import type { FileResult } from "./results.ts";
import type { Settings } from "./settings.ts";
import { Slots } from "./slots.ts";
import type { JudgeFile } from "./suite/suite.ts";

export type { JudgeSummary, ShownFile };

/** Judges that can be asked. */
export interface ReadyJudges {
  /** By id. */
  prepared: ReadonlyMap<string, PreparedJudge>;
  judges: readonly JudgeFile[];
}

/**
 * Looks for the models and keys of judges that are to be asked later, when other calls have been
 * paid for.
 *
 * @throws {DiscoveryError} If one is missing; holds every problem.
 */
export function requireModels(judges: readonly JudgeFile[], { judgeEnvironment }: Settings): void {
  const problems = judges.flatMap(({ shown, config }): ConfigError[] => {
    if (config.kind === "agent") return [];
    try {
      resolveTarget(config.judge, judgeEnvironment);
      return [];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return [error.at({ file: shown })];
    }
  });
  if (problems.length > 0) throw new DiscoveryError(problems);
}

/**
 * Finds each judge's model and key, and reads what it is shown: before any check could change it.
 * Calls nothing.
 *
 * @param workspace Real path of the graded work.
 * @throws {DiscoveryError} If a model, a key or a reference is missing; holds every problem.
 */
export async function prepareJudges(
  judges: readonly JudgeFile[],
  workspace: string,
  settings: Settings,
): Promise<ReadyJudges> {
  const reader = new WorkspaceReader({ workspace, maxFileBytes: settings.maxFileBytes });
  const environment = settings.judgeEnvironment;
  const problems: ConfigError[] = [];
  const prepared = new Map<string, PreparedJudge>();
  for (const judge of judges) {
    if (judge.config.kind === "agent") continue;
    try {
      prepared.set(judge.id, await prepareJudge(judge, { environment, reader }));
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(error);
    }
  }
  if (problems.length > 0) throw new DiscoveryError(problems);
  return { prepared, judges };
}

/** What each judge would be sent, by the path of its TOML as a person would type it. */
export type JudgeSummaries = Record<string, JudgeSummary>;

/**
 * Sums up what judges would be sent, and sends nothing. A reference has to be there, wherever it
 * lies; a file that the agent has yet to make is a note.
 *
 * @throws {DiscoveryError} As {@link prepareJudges}.
 */
export async function summarizeJudges({ prepared, judges }: ReadyJudges): Promise<JudgeSummaries> {
  const { summaryOf } = await lazily<typeof import("../judges/summary.ts")>(
    "../judges/summary.ts",
    import.meta.url,
  );
  const problems: ConfigError[] = [];
  const summaries: JudgeSummaries = {};
  for (const { id, shown, config } of judges) {
    const ready = prepared.get(id);
    if (ready === undefined) continue;
    if (config.reference !== undefined && ready.reference.every(isMissing)) {
      problems.push(
        new ConfigError(`the reference "${config.reference}" is not there`, {
          place: { file: shown },
          hint: "A relative path starts at the workspace",
        }),
      );
    }
    summaries[shown] = await summaryOf(ready);
  }
  if (problems.length > 0) throw new DiscoveryError(problems);
  return summaries;
}

function isMissing({ content }: PreparedJudge["reference"][number]): boolean {
  return content.type === "none";
}

/**
 * Asks every judge.
 *
 * @returns Results by id of the judge.
 * @throws Only what `signal` was aborted with.
 */
export async function askJudges(
  { prepared, judges }: ReadyJudges,
  { maxConcurrentLlm, onNotice }: Settings,
  signal: AbortSignal,
): Promise<Map<string, FileResult>> {
  const calls = new Slots(maxConcurrentLlm);
  const results = await Promise.all(judges.map(async (judge): Promise<[string, FileResult]> => {
    const ready = prepared.get(judge.id);
    if (ready === undefined) return [judge.id, resultOfAgent(judge)];
    const result = await askJudge(ready, {
      calls,
      signal,
      onProgress: (progress) => onNotice({ type: "progress", judge: judge.shown, progress }),
    });
    return [judge.id, resultOfJudge(judge, result)];
  }));
  return new Map(results);
}
