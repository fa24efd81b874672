// A judge that is an agent: it looks at the workspace itself, once for each sample and question.

import type { ProcessGroups } from "../../src/command/groups.ts";
import type { JudgeProgress } from "../../src/events.ts";
import { isAbsolute, isWithin, resolvePath } from "../../src/path.ts";
import type { Slots } from "../../src/slots.ts";
import { ask, type Judgement } from "../judgement.ts";
import { type Callable, ModelCallError } from "../model.ts";
import { secretsOf } from "../providers/redact.ts";
import { criteriaOfQuestions, type Question } from "../question.ts";
import type { JudgeResult } from "../result.ts";
import { Tally } from "../tally.ts";
import { answersAsText, type Asked, scoreJudgements } from "../verdicts.ts";
import { JudgeLogs } from "./judge_logs.ts";
import { lackOf, type PreparedAgent } from "./preparation.ts";
import { agentPrompt, type AgentPromptParts } from "./prompt.ts";
import { AgentSession, type AgentView } from "./session.ts";

/** Most runs for one judgement: each can take minutes and dollars. */
const MAX_RUNS = 3;

/** How an agent judge is asked. */
export interface AskAgentOptions {
  /** Agents at the same time, those of all judges together. */
  agents: Slots;
  /** Real path of the workspace. */
  workspace: string;
  /** Makes a throw-away view of the workspace. */
  makeView: () => Promise<AgentView & { close(): Promise<void> }>;
  /** A folder of the run's own. */
  privateDir: string;
  groups: ProcessGroups;
  /** Folder for logs; `null` keeps none. */
  logFolder: string | null;
  /** Ends everything. */
  signal: AbortSignal;
  onProgress: (progress: JudgeProgress) => void;
}

/**
 * Asks an agent judge everything it is configured to be asked. A sample's questions follow one
 * another at the same view of the workspace; samples run side by side.
 *
 * @throws Only what the signal was aborted with, or if a view cannot be made.
 */
export async function askAgent(
  prepared: PreparedAgent,
  options: AskAgentOptions,
): Promise<JudgeResult> {
  const { config, environment } = prepared;
  const lack = lackOf(prepared);
  const questions = lack === null ? criteriaOfQuestions(config) : [];
  const unasked = lack === null ? [] : [{ criteria: config.criteria, reason: lack }];
  const secrets = secretsOf(environment);
  const logs = new JudgeLogs(options.logFolder, config.judge, secrets);
  const tally = new Tally(questions.length * config.samples, options.onProgress);
  const samples = questions.length === 0 ? [] : await Promise.all(
    Array.from(
      { length: config.samples },
      () =>
        options.agents.use(() =>
          askSample(prepared, { ...options, questions, logs, tally, secrets })
        ),
    ),
  );
  const backend = samples[0]?.backend;
  const asked = (samples[0]?.answered ?? []).map(({ question }, index): Asked => ({
    question,
    judgements: samples.map(({ answered }) => answered[index]!.judgement),
  }));
  return {
    ...scoreJudgements(config, { asked, unasked, warnings: logs.warnings }),
    judge_output: answersAsText(asked),
    ...tally.notes(),
    ...(backend !== undefined && { isolation: backend }),
    ...(logs.paths.length > 0 && { judge_logs: logs.paths }),
  };
}

interface SampleOptions extends AskAgentOptions {
  questions: ReturnType<typeof criteriaOfQuestions>;
  logs: JudgeLogs;
  tally: Tally;
  secrets: readonly string[];
}

type Answered = { question: Question; judgement: Judgement }[];

async function askSample(
  prepared: PreparedAgent,
  options: SampleOptions,
): Promise<{ answered: Answered; backend?: string }> {
  const { config } = prepared;
  const { workspace, signal } = options;
  signal.throwIfAborted();
  const own = config.isolated ? await options.makeView() : null;
  try {
    signal.throwIfAborted();
    const view: AgentView = own ?? { path: workspace, wrap: (argv) => [...argv] };
    const answered = await askInView(prepared, { ...options, view });
    return { answered, ...(view.backend !== undefined && { backend: view.backend }) };
  } finally {
    await own?.close();
  }
}

async function askInView(
  prepared: PreparedAgent,
  options: SampleOptions & { view: AgentView },
): Promise<Answered> {
  const { config } = prepared;
  const { questions, view, tally, signal } = options;
  const cwd = isAbsolute(prepared.cwd) ? prepared.cwd : resolvePath(view.path, prepared.cwd);
  const parts = promptParts(prepared, options, cwd);
  const session = new AgentSession(prepared, {
    ...options,
    cwd,
    ...(parts.trajectory !== undefined && { trajectory: parts.trajectory }),
  });
  const answered: Answered = [];
  for (const { title, criteria } of questions) {
    signal.throwIfAborted();
    const question: Question = {
      ...(title !== undefined && { title }),
      criteria,
      blocks: [],
      instructions: (open) => agentPrompt(parts, open),
    };
    let runs = 0;
    const agent: Callable = {
      name: config.judge,
      call: async (request, ending) => {
        const label = `${title ?? "batched"}-${++runs}`;
        return await session.call(request, label, ending);
      },
    };
    const judgement = await ask(question, {
      model: atMost(tally.counting(agent)),
      effort: "none",
      timeoutSec: config.timeoutSec,
      limit: (work) => work(),
      signal,
    });
    answered.push({ question, judgement });
    tally.judged();
  }
  return answered;
}

function promptParts(
  { config }: PreparedAgent,
  { view, workspace }: { view: AgentView; workspace: string },
  cwd: string,
): AgentPromptParts {
  const { isolated, trajectory, promptTemplate: template } = config;
  return {
    cwd,
    isolated,
    ...(trajectory !== undefined && { trajectory: placeIn(view, workspace, trajectory) }),
    ...(template !== undefined && { template }),
  };
}

/** Where a path of the workspace lies in a view of it. */
function placeIn(view: AgentView, workspace: string, path: string): string {
  const place = resolvePath(workspace, path);
  return isWithin(place, workspace) ? view.path + place.slice(workspace.length) : place;
}

/** An agent that fails again and again is not run any more. */
function atMost({ name, call }: Callable): Callable {
  let runs = 0;
  return {
    name,
    call: async (request, signal) => {
      if (runs++ >= MAX_RUNS) throw noMore(name);
      try {
        return await call(request, signal);
      } catch (error) {
        if (!(error instanceof ModelCallError) || runs < MAX_RUNS) throw error;
        const { message, hint } = error;
        throw new ModelCallError(message, {
          kind: "rejected",
          cause: error,
          ...(hint !== undefined && { hint }),
        });
      }
    },
  };
}

function noMore(name: string): ModelCallError {
  return new ModelCallError(`${name} has been run ${MAX_RUNS} times`, { kind: "rejected" });
}
