// The judges of a tests folder: made ready before anything runs, asked beside the check files or
// after them.

import type { PreparedAgent } from "../judges/agents/preparation.ts";
import { askJudge } from "../judges/llm_judge.ts";
import { type PreparedJudge, prepareJudge } from "../judges/preparation.ts";
import { resolveTarget } from "../judges/providers/resolve.ts";
import type { JudgeResult } from "../judges/result.ts";
import type { JudgeSummary, ShownFile } from "../judges/summary.ts";
import type { ProcessGroups } from "./command/groups.ts";
import { WorkspaceReader } from "./criterion/reader.ts";
import { openUnblocked } from "./criterion/unblocked.ts";
import { announceJudge } from "./announcements.ts";
import { ConfigError, DiscoveryError } from "./errors.ts";
import type { JudgeProgress } from "./events.ts";
import { resultOfJudge } from "./judge_results.ts";
import { lazily } from "./lazy.ts";
import { parentOf, resolvePath } from "./path.ts";
import type { FileResult } from "./results.ts";
import type { Settings } from "./settings.ts";
import { Slots } from "./slots.ts";
import type { JudgeFile } from "./suite/suite.ts";
import type { View } from "./view/view.ts";

export type { JudgeSummary, ShownFile };

/** Judges that can be asked. */
export interface ReadyJudges {
  /** Models, by id. */
  models: ReadonlyMap<string, PreparedJudge>;
  /** Agents, by id. */
  agents: ReadonlyMap<string, PreparedAgent>;
  judges: readonly JudgeFile[];
}

/**
 * Looks for the models, programs and keys of judges that are to be asked later, when other calls
 * have been paid for.
 *
 * @throws {DiscoveryError} If one is missing; holds every problem.
 */
export async function requireJudges(
  judges: readonly JudgeFile[],
  settings: Settings,
): Promise<void> {
  await forEach(judges, async ({ shown, config }) => {
    try {
      if (config.kind === "llm") resolveTarget(config.judge, settings.judgeEnvironment);
      else {
        const { requireAgent } = await agentPreparation();
        const workspace = realOr(settings.workspace);
        await requireAgent(config, { ...agentSurroundings(settings), workspace });
      }
    } catch (error) {
      throw error instanceof ConfigError ? error.at({ file: shown }) : error;
    }
  });
}

/**
 * Finds each judge's model or program and its key, and reads what a model is shown: before any
 * check could change it. Asks nothing.
 *
 * @param workspace Real path of the graded work.
 * @param install Whether an agent's version that is not there is installed.
 * @throws {DiscoveryError} If a model, a program, a key or a reference is missing; holds every
 * problem.
 */
export async function prepareJudges(
  judges: readonly JudgeFile[],
  workspace: string,
  settings: Settings,
  { install }: { install: boolean },
): Promise<ReadyJudges> {
  const { maxFileBytes } = settings;
  const reader = new WorkspaceReader({ workspace, maxFileBytes, open: openUnblocked });
  const models = new Map<string, PreparedJudge>();
  const agents = new Map<string, PreparedAgent>();
  await forEach(judges, async (judge) => {
    if (judge.config.kind === "llm") {
      const environment = settings.judgeEnvironment;
      models.set(judge.id, await prepareJudge(judge, { environment, reader }));
    } else {
      const { prepareAgent } = await agentPreparation();
      const surroundings = { ...agentSurroundings(settings), reader, install };
      agents.set(judge.id, await prepareAgent(judge, surroundings));
    }
  });
  return { models, agents, judges };
}

/** One after the other, with every problem at the end. */
async function forEach(
  judges: readonly JudgeFile[],
  work: (judge: JudgeFile) => Promise<void>,
): Promise<void> {
  const problems: ConfigError[] = [];
  for (const judge of judges) {
    try {
      await work(judge);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(error);
    }
  }
  if (problems.length > 0) throw new DiscoveryError(problems);
}

/** The real path; what is wrong with one that is not there is told by whoever grades it. */
function realOr(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return path;
  }
}

function agentPreparation(): Promise<typeof import("../judges/agents/preparation.ts")> {
  return lazily("../judges/agents/preparation.ts", import.meta.url);
}

function agentSurroundings({ judgeEnvironment, onEvent, signal }: Settings) {
  return {
    environment: judgeEnvironment,
    onNotice: (message: string) => onEvent({ type: "info", message }),
    ...(signal !== undefined && { signal }),
  };
}

/** What each judge would be sent, by the path of its TOML as a person would type it. */
export type JudgeSummaries = Record<string, JudgeSummary>;

/**
 * Sums up what judges would be sent, and sends nothing. A reference has to be there, wherever it
 * lies; a file that the agent has yet to make is a note.
 *
 * @throws {DiscoveryError} As {@link prepareJudges}.
 */
export async function summarizeJudges(
  { models, agents, judges }: ReadyJudges,
): Promise<JudgeSummaries> {
  const { summaryOf } = await lazily<typeof import("../judges/summary.ts")>(
    "../judges/summary.ts",
    import.meta.url,
  );
  const summaries: JudgeSummaries = {};
  await forEach(judges, async ({ id, shown, config }) => {
    const [model, agent] = [models.get(id), agents.get(id)];
    if (agent !== undefined) {
      const { summaryOfAgent } = await lazily<typeof import("../judges/agents/summary.ts")>(
        "../judges/agents/summary.ts",
        import.meta.url,
      );
      summaries[shown] = await summaryOfAgent(agent);
    }
    if (model === undefined) return;
    if (config.reference !== undefined && model.reference.every(isMissing)) {
      throw new ConfigError(`the reference "${config.reference}" is not there`, {
        place: { file: shown },
        hint: "A relative path starts at the workspace",
      });
    }
    summaries[shown] = await summaryOf(model);
  });
  return summaries;
}

function isMissing({ content }: PreparedJudge["reference"][number]): boolean {
  return content.type === "none";
}

/** Where judges are asked. */
export interface Courtroom {
  /** Real path of the workspace. */
  workspace: string;
  /** A folder of the run's own. */
  privateDir: string;
  groups: ProcessGroups;
  /** Makes throw-away views of the workspace. */
  views: { make(): Promise<View> };
  /**
   * When the check files are done. Agents start then: they and the programs of checks would see, and
   * may be disturbed by, what the other does in the workspace.
   */
  checksDone: Promise<unknown>;
  /** Ends everything. */
  signal: AbortSignal;
}

/**
 * Asks every judge.
 *
 * @returns Results by id of the judge.
 * @throws Only what `signal` was aborted with, what `checksDone` rejects with, or if a view of the
 * workspace cannot be made.
 */
export async function askJudges(
  ready: ReadyJudges,
  settings: Settings,
  courtroom: Courtroom,
): Promise<Map<string, FileResult>> {
  const calls = new Slots(settings.maxConcurrentLlm);
  const agents = new Slots(settings.maxConcurrentAgent);
  const ask = async (judge: JudgeFile): Promise<JudgeResult> => {
    const onProgress = (progress: JudgeProgress) =>
      settings.onEvent({ type: "judgeProgress", file: judge.shown, progress });
    const start = () => settings.onEvent({ type: "fileStarted", file: judge.shown });
    const model = ready.models.get(judge.id);
    if (model !== undefined) {
      start();
      return await askJudge(model, { calls, signal: courtroom.signal, onProgress });
    }
    await courtroom.checksDone;
    start();
    const { askAgent } = await lazily<typeof import("../judges/agents/agent_judge.ts")>(
      "../judges/agents/agent_judge.ts",
      import.meta.url,
    );
    const prepared = ready.agents.get(judge.id)!;
    return await askAgent(prepared, {
      ...courtroom,
      agents,
      makeView: () => courtroom.views.make(),
      logFolder: logFolder(settings),
      onProgress,
    });
  };
  const results = await Promise.all(
    ready.judges.map(async (judge): Promise<[string, FileResult]> => {
      const result = await ask(judge);
      announceJudge(judge.shown, result, settings.onEvent);
      return [judge.id, resultOfJudge(judge, result)];
    }),
  );
  return new Map(results);
}

/** Beside the reward, unless the environment names a folder. */
function logFolder({ judgeEnvironment, output }: Settings): string | null {
  const given = judgeEnvironment.REWARDKIT_LOG_DIR?.trim();
  if (given) return resolvePath(Deno.cwd(), given);
  return output === null ? null : parentOf(resolvePath(Deno.cwd(), output));
}
