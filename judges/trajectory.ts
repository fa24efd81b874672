// The trajectory of the graded agent: its steps in ATIF, a JSON format, as a judge reads them.

import type { WorkspaceReader } from "../src/criterion/reader.ts";
import { SubmissionError } from "../src/errors.ts";
import type { Block } from "./model.ts";
import { TrajectoryMedia } from "./trajectory_media.ts";

/** Something that a step holds, such as its message or the result of a tool. */
export interface StepPart {
  /** What it is, on a line of its own; empty for what needs no name. */
  label: string;
  text: string;
}

/** One step. */
export interface Step {
  /** Its number and who acted. */
  heading: string;
  parts: readonly StepPart[];
  images: readonly Block[];
  /** Names of the tools it called. */
  tools: readonly string[];
}

/** A trajectory. */
export interface Trajectory {
  /** Which agent it is of, in one line. */
  agent: string;
  steps: readonly Step[];
  /** What could not be shown. */
  warnings: readonly string[];
}

/** Largest trajectory in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

type Json = Record<string, unknown>;

/**
 * Reads a trajectory with its images. Fields that it does not know, or that are not of the kind they
 * should be, are shown as JSON rather than refused: the agent's harness wrote them.
 *
 * @throws {SubmissionError} If it is missing, too large, no JSON, or without a list of steps.
 */
export function readTrajectory(path: string, reader: WorkspaceReader): Trajectory {
  const text = reader.readText(path);
  if (text.length > MAX_BYTES) {
    throw new SubmissionError(
      `"${path}" is too large for a judge: the limit is ${MAX_BYTES} bytes`,
    );
  }
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new SubmissionError(`"${path}" is no JSON: ${(error as Error).message}`);
  }
  if (!isObject(document) || !Array.isArray(document.steps)) {
    throw new SubmissionError(`"${path}" is no trajectory: expected an object with "steps"`);
  }
  const media = new TrajectoryMedia(path, reader);
  const steps = document.steps.map((step, index) => readStep(step, index, media));
  return { agent: agentOf(document.agent), steps, warnings: media.warnings };
}

function agentOf(agent: unknown): string {
  if (!isObject(agent)) return "an agent";
  return [agent.name, agent.version, agent.model_name]
    .filter((part) => typeof part === "string" || typeof part === "number").join(" ") || "an agent";
}

function readStep(step: unknown, index: number, media: TrajectoryMedia): Step {
  if (!isObject(step)) {
    const parts = [{ label: "", text: JSON.stringify(step) }];
    return { heading: `Step ${index + 1}`, parts, images: [], tools: [] };
  }
  const images: Block[] = [];
  const read = (content: unknown) => contentText(content, media, images);
  const parts: StepPart[] = [
    { label: "Message:", text: read(step.message) },
    { label: "Reasoning:", text: read(step.reasoning_content) },
  ];
  const tools: string[] = [];
  for (const call of listOf(step.tool_calls)) {
    const name = isObject(call) ? String(call.function_name ?? "?") : "?";
    tools.push(name);
    const given = isObject(call) ? call.arguments ?? {} : call;
    parts.push({
      label: `Call of ${JSON.stringify(name)}${idOf(call, "tool_call_id")} with:`,
      text: read(given),
    });
  }
  const results = isObject(step.observation) ? step.observation.results : step.observation;
  for (const result of listOf(results)) {
    const content = isObject(result) && "content" in result ? result.content : result;
    parts.push({ label: `Result${idOf(result, "source_call_id")}:`, text: read(content) });
  }
  const number = step.step_id ?? index + 1;
  const source = typeof step.source === "string" ? ` (${step.source})` : "";
  return {
    heading: oneLine(`Step ${String(number)}${source}`),
    parts: parts.filter(({ text }) => text !== ""),
    images,
    tools,
  };
}

/** A call and its result are told apart by it when a step makes several. */
function idOf(value: unknown, key: string): string {
  const id = isObject(value) ? value[key] : undefined;
  return typeof id === "string" ? ` ${JSON.stringify(id.slice(0, 60))}` : "";
}

/** Text, or a list of parts with text and media; anything else as JSON. */
function contentText(content: unknown, media: TrajectoryMedia, images: Block[]): string {
  if (content === undefined || content === null) return "";
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return JSON.stringify(content);
  return content.map((part) => {
    if (typeof part === "string") return part;
    if (isObject(part) && part.type === "text" && typeof part.text === "string") return part.text;
    if (isObject(part) && isObject(part.source)) {
      const shown = media.read(String(part.type ?? "media"), part.source);
      if ("block" in shown) images.push(shown.block);
      return shown.text;
    }
    return JSON.stringify(part);
  }).join("\n");
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").slice(0, 100);
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
