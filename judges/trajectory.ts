// The trajectory of the graded agent: its steps in ATIF, a JSON format, as a judge reads them.

import type { WorkspaceReader } from "../src/criterion/reader.ts";
import { SubmissionError } from "../src/errors.ts";
import { quoteName } from "./quote_name.ts";
import { readJson } from "./trajectory_json.ts";
import { TrajectoryMedia } from "./trajectory_media.ts";
import {
  isObject,
  listOf,
  MAX_NAME,
  type RawStep,
  readStep,
  runOf,
  type Step,
} from "./trajectory_steps.ts";

/** A trajectory. */
export interface Trajectory {
  /** Which agent it is of, in one line. */
  agent: string;
  /** How many steps it has; {@link Step.count} of all of them. */
  count: number;
  steps: readonly Step[];
  /** What else it says of itself, for the judge. */
  remarks: readonly string[];
  /** What could not be shown. */
  warnings: readonly string[];
}

/** Largest trajectory in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Most steps, those of sub-agents included. */
const MAX_RAW_STEPS = 2_000_000;

/** Steps at either end that are read one by one where there are too many. */
const END_STEPS = 2000;

/** Most steps that are read one by one, and most runs that the others are gathered in. */
const MAX_STEPS = 20_000;
const MAX_RUNS = 10_000;

/** Most levels of trajectories of sub-agents within each other. */
const MAX_LEVELS = 5;

/** Most characters of the notes in a trajectory that are shown. */
const MAX_NOTES = 2000;

/**
 * Reads a trajectory with its images. Fields that it does not know, or that are not of the kind they
 * should be, are shown as JSON rather than refused: the agent's harness wrote them.
 *
 * @param path From the workspace, or absolute.
 * @throws {SubmissionError} If it is missing, too large, no JSON, or without a list of steps. The
 * message begins with the path.
 */
export function readTrajectory(path: string, reader: WorkspaceReader): Trajectory {
  const document = parsed(path, reader);
  if (!isObject(document)) throw malformed(path, `it is ${kindOf(document)}, not an object`);
  if (!Array.isArray(document.steps)) {
    throw malformed(path, `"steps" is ${kindOf(document.steps)}, not a list`);
  }
  const media = new TrajectoryMedia(path, reader);
  const raw = rawSteps(path, document);
  return {
    agent: agentOf(document.agent),
    count: raw.length,
    steps: stepsOf(raw, media),
    remarks: remarksOf(document),
    warnings: media.warnings,
  };
}

function parsed(path: string, reader: WorkspaceReader): unknown {
  const { file, size } = reader.open(path);
  file.close();
  if (size > MAX_BYTES) {
    throw new SubmissionError(
      `"${path}" is too large for a judge: ${size} bytes, the limit is ${MAX_BYTES}`,
    );
  }
  return readJson(reader.readText(path), path);
}

function malformed(path: string, problem: string): SubmissionError {
  return new SubmissionError(
    `"${path}" is no trajectory: ${problem}; expected an object with a list "steps"`,
  );
}

function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? "a text" : `a ${typeof value}`;
}

/** All steps, those of sub-agents after those of their agent. */
function rawSteps(path: string, document: Readonly<Record<string, unknown>>): RawStep[] {
  const raw: RawStep[] = [];
  const add = (part: Readonly<Record<string, unknown>>, owner: string, level: number) => {
    const steps = Array.isArray(part.steps) ? part.steps : [];
    if (raw.length + steps.length > MAX_RAW_STEPS) {
      throw new SubmissionError(
        `"${path}" is too large for a judge: more than ${MAX_RAW_STEPS} steps`,
      );
    }
    for (const [index, value] of steps.entries()) raw.push({ value, number: index + 1, owner });
    if (level === MAX_LEVELS) return;
    for (const other of listOf(part.subagent_trajectories)) {
      if (!isObject(other)) continue;
      const id = [other.trajectory_id, other.session_id].find((id) => typeof id === "string");
      add(other, `sub-agent ${quoteName(String(id ?? "?"), MAX_NAME)} `, level + 1);
    }
  };
  add(document, "", 0);
  return raw;
}

function stepsOf(raw: readonly RawStep[], media: TrajectoryMedia): Step[] {
  const read = (step: RawStep) => readStep(step, media);
  if (raw.length <= MAX_STEPS) return raw.map(read);
  const middle = raw.slice(END_STEPS, -END_STEPS);
  const length = Math.ceil(middle.length / MAX_RUNS);
  const runs: Step[] = [];
  for (let at = 0; at < middle.length; at += length) {
    runs.push(runOf(middle.slice(at, at + length)));
  }
  return [...raw.slice(0, END_STEPS).map(read), ...runs, ...raw.slice(-END_STEPS).map(read)];
}

function agentOf(agent: unknown): string {
  if (!isObject(agent)) return "an agent";
  const parts = [agent.name, agent.version, agent.model_name]
    .filter((part) => typeof part === "string" || typeof part === "number");
  return quoteName(parts.join(" "), 100).slice(1, -1) || "an agent";
}

function remarksOf({ notes, continued_trajectory_ref: next }: Record<string, unknown>): string[] {
  const remarks: string[] = [];
  if (typeof notes === "string" && notes !== "") {
    const shown = notes.slice(0, MAX_NOTES).toWellFormed();
    remarks.push(`Notes in it:\n${shown}${shown.length < notes.length ? " …" : ""}`);
  }
  if (typeof next === "string" && next !== "") {
    remarks.push(`It goes on in ${quoteName(next)}, which is not shown.`);
  }
  return remarks;
}
