// Makes a judge ready to be asked: finds its model and reads what it is shown. Calls nothing.

import type { WorkspaceReader } from "../src/criterion/reader.ts";
import { ConfigError, SubmissionError } from "../src/errors.ts";
import type { JudgeConfig } from "../src/judge_config.ts";
import { lazily } from "../src/lazy.ts";
import { isWithin } from "../src/path.ts";
import { addressedToJudge } from "./addressed.ts";
import type { Attachment } from "./evidence/attachment.ts";
import { type Attachments, readAttachments } from "./evidence/attachments.ts";
import { exhibit, fitAttachments, tokensOf } from "./exhibits.ts";
import { fence, GUARD_CRITERION } from "./guard.ts";
import type { Block, Model } from "./model.ts";
import { resolveModel } from "./providers/models.ts";
import type { Environment } from "./providers/resolve.ts";
import { criteriaOfQuestions, modelInstructions, type Question } from "./question.ts";
import { estimateTokens } from "./tokens.ts";
import type { Trajectory } from "./trajectory.ts";
import type { Unasked } from "./verdicts.ts";

/** A judge TOML, as far as judges need to know it. */
export interface JudgeInput {
  /** As a person would type its path. */
  shown: string;
  config: JudgeConfig;
}

/** A judge that can be asked. */
export interface PreparedJudge {
  config: JudgeConfig;
  model: Model;
  questions: readonly Question[];
  /** Criteria for which there is nothing to judge. */
  unasked: readonly Unasked[];
  warnings: readonly string[];
  /** Everything that it is shown or should have been, without doubles. */
  exhibits: readonly Attachment[];
  reference: readonly Attachment[];
}

/** Tokens that are kept free for thoughts and the answer, and the part of a small context. */
const ANSWER_TOKENS = 32_000;
const ANSWER_PART = 0.25;

/** Part of the room that is used: a model may count a third more tokens than our tokenizer. */
const SAFE_PART = 0.75;

/** Part of what is left that files may take where a trajectory is shown as well. */
const FILES_PART = 0.75;

/** What judges get to see beside their TOML. */
export interface Surroundings {
  environment: Environment;
  /** Reads the workspace, guarded. */
  reader: WorkspaceReader;
}

/**
 * Prepares one judge.
 *
 * @throws {ConfigError} If its model, key or reference is missing.
 */
export async function prepareJudge(
  { shown, config }: JudgeInput,
  surroundings: Surroundings,
): Promise<PreparedJudge> {
  try {
    return await prepare(config, surroundings);
  } catch (error) {
    throw error instanceof ConfigError ? error.at({ file: shown }) : error;
  }
}

async function prepare(
  config: JudgeConfig,
  { environment, reader }: Surroundings,
): Promise<PreparedJudge> {
  const model = resolveModel(config.judge, environment);
  // Meanwhile, the files are read.
  model.load().catch(() => {});
  const reference = await readReference(config, reader);
  requireReference(config, reference.attachments, reader);
  return await new Preparer(config, model, reader, reference).prepare();
}

async function readReference(
  { reference }: JudgeConfig,
  reader: WorkspaceReader,
): Promise<Attachments> {
  if (reference === undefined) return { attachments: [], warnings: [] };
  return await readAttachments([reference], reader);
}

/** The author's mistake; but one that lies in the workspace may have been removed by the agent. */
function requireReference(
  { reference }: JudgeConfig,
  attachments: readonly Attachment[],
  reader: WorkspaceReader,
): void {
  if (reference === undefined || isWithin(reader.resolve(reference), reader.workspace)) return;
  const [only] = attachments;
  if (only !== undefined && (attachments.length > 1 || only.content.type !== "none")) return;
  const reason = only?.content.type === "none" ? only.content.reason : "holds nothing to show";
  throw new ConfigError(`the reference "${reference}" ${reason}`, {
    hint: "Give a file or folder that is there when the judge runs; it starts at the workspace",
  });
}

/** What a set of files shows, fenced; the same for every question that has them. */
interface Shown {
  files: readonly Attachment[];
  blocks: readonly Block[];
}

class Preparer {
  readonly #warnings = new Set<string>();
  readonly #exhibits = new Map<string, Attachment>();
  readonly #shown = new Map<string, Promise<Shown>>();
  #trajectory: Trajectory | null = null;

  constructor(
    readonly config: JudgeConfig,
    readonly model: Model,
    readonly reader: WorkspaceReader,
    readonly reference: Attachments,
  ) {
    this.#warn([...model.warnings, ...reference.warnings]);
  }

  async prepare(): Promise<PreparedJudge> {
    const { config, model } = this;
    const unasked: Unasked[] = [];
    const questions: Question[] = [];
    const lack = await this.#readTrajectory();
    for (const asked of criteriaOfQuestions(config)) {
      const question = lack ?? await this.#question(asked);
      if (typeof question !== "string") questions.push(question);
      else {
        const criteria = asked.criteria.filter((criterion) => criterion !== GUARD_CRITERION);
        unasked.push({ criteria, reason: question });
      }
    }
    return {
      config,
      model,
      questions,
      unasked,
      warnings: [...this.#warnings],
      exhibits: [...this.#exhibits.values()],
      reference: this.reference.attachments,
    };
  }

  /** Why nothing can be judged: a judge of the agent's steps must not go by its files alone. */
  async #readTrajectory(): Promise<string | null> {
    const { trajectory } = this.config;
    if (trajectory === undefined) return null;
    const { readTrajectory } = await lazily<typeof import("./trajectory.ts")>(
      "./trajectory.ts",
      import.meta.url,
    );
    try {
      this.#trajectory = readTrajectory(trajectory, this.reader);
    } catch (error) {
      if (!(error instanceof SubmissionError)) throw error;
      return `the trajectory ${error.message}`;
    }
    this.#warn(this.#trajectory.warnings);
    return null;
  }

  /** A question with all that it shows, or what the graded work lacks for it. */
  async #question(
    { title, criteria }: ReturnType<typeof criteriaOfQuestions>[number],
  ): Promise<Question | string> {
    const paths = this.#pathsFor(criteria);
    const { files, blocks } = await this.#show(paths);
    if (paths.length > 0 && this.#trajectory === null && files.every(isNothing)) {
      const reasons = files.map(({ label, content }) =>
        content.type === "none" ? `${label} ${content.reason}` : label
      );
      return reasons.join("; ") || `${paths.join(", ")} holds nothing to show`;
    }
    return {
      ...(title !== undefined && { title }),
      criteria,
      blocks,
      instructions: this.#instructions(files.length > 0),
    };
  }

  #instructions(files: boolean): Question["instructions"] {
    const { reference, promptTemplate: template } = this.config;
    const trajectory = this.#trajectory !== null;
    const shows = { files, reference: reference !== undefined, trajectory };
    return modelInstructions({ shows, ...(template !== undefined && { template }) });
  }

  #pathsFor(criteria: Question["criteria"]): readonly string[] {
    const { config } = this;
    const [only] = criteria;
    if (config.mode === "batched") return config.files;
    if (only !== GUARD_CRITERION) return only?.files ?? config.files;
    return [...new Set(config.criteria.flatMap(({ files }) => files ?? config.files))];
  }

  #show(paths: readonly string[]): Promise<Shown> {
    const key = JSON.stringify(paths);
    const known = this.#shown.get(key) ?? this.#read(paths);
    this.#shown.set(key, known);
    return known;
  }

  async #read(paths: readonly string[]): Promise<Shown> {
    const { attachments: files, warnings } = await readAttachments(paths, this.reader);
    this.#warn(warnings);
    for (const file of files) this.#exhibits.set(file.label, file);
    this.#warnOfAddresses(files);
    return { files, blocks: await this.#blocks(files) };
  }

  async #blocks(files: readonly Attachment[]): Promise<Block[]> {
    const { model, reference } = this;
    const trajectory = this.#trajectory;
    const room = this.#room();
    const takesImages = model.takesImages !== false;
    const budget = trajectory === null ? room : Math.floor(room * FILES_PART);
    // However much the submission holds, half of the room is the reference's if it needs it.
    const forReference = Math.max(Math.floor(budget / 2), budget - tokensOf(files));
    const comparison = await fitAttachments(reference.attachments, {
      budget: forReference,
      takesImages,
    });
    const taken = tokensOf(comparison.attachments);
    const work = await fitAttachments(files, { budget: Math.max(0, budget - taken), takesImages });
    this.#warn([...work.warnings, ...comparison.warnings]);
    const left = room - taken - tokensOf(work.attachments);
    const blocks = [
      ...await exhibit(work.attachments, "submission"),
      ...await exhibit(comparison.attachments, "reference"),
      ...(trajectory === null ? [] : await this.#fenceTrajectory(trajectory, left)),
    ];
    // Services refuse a message without content.
    return blocks.length > 0 ? blocks : [{ type: "text", text: "There are no files to show." }];
  }

  /** Tokens for what is shown, beside the longest system prompt and an answer. */
  #room(): number {
    const { contextTokens } = this.model;
    const instructions = this.#instructions(true);
    const prompts = criteriaOfQuestions(this.config).map(({ criteria }) => instructions(criteria));
    const answer = Math.min(ANSWER_TOKENS, contextTokens * ANSWER_PART);
    // The longest one stands for all: they differ in a few words.
    const longest = estimateTokens(prompts.reduce((a, b) => a.length >= b.length ? a : b, ""));
    return Math.max(0, Math.floor((contextTokens - answer - longest) * SAFE_PART));
  }

  async #fenceTrajectory(trajectory: Trajectory, budget: number): Promise<Block[]> {
    const { trajectoryBlocks } = await lazily<typeof import("./trajectory_blocks.ts")>(
      "./trajectory_blocks.ts",
      import.meta.url,
    );
    const { blocks, warning } = await trajectoryBlocks(trajectory, Math.max(0, budget), {
      takesImages: this.model.takesImages !== false,
    });
    if (warning !== undefined) this.#warn([warning]);
    const texts = blocks.flatMap((block) => block.type === "text" ? [block.text] : []);
    this.#warnOfAddress("the trajectory", texts);
    return await fence(blocks, "trajectory");
  }

  #warnOfAddresses(files: readonly Attachment[]): void {
    for (const { label, content } of files) {
      this.#warnOfAddress(label, [label, ...(content.type === "text" ? [content.text] : [])]);
    }
  }

  /** Whoever reads the details should know of it, whether a guard is asked or not. */
  #warnOfAddress(where: string, texts: readonly string[]): void {
    const found = texts.map(addressedToJudge).find((place) => place !== null);
    if (found) this.#warn([`${where}: text that may be addressed to the judge: ${found}`]);
  }

  #warn(warnings: readonly string[]): void {
    for (const warning of warnings) this.#warnings.add(warning);
  }
}

function isNothing({ content }: Attachment): boolean {
  return content.type === "none";
}
