// The steps of a trajectory as texts.

import { quoteName } from "./quote_name.ts";
import type { ImageBlock, TrajectoryMedia } from "./trajectory_media.ts";

/** Something that a step holds, such as its message or the result of a tool. */
export interface StepPart {
  /** What it is, on a line of its own; empty for what needs no name. */
  label: string;
  text: string;
}

/** One step, or a run of steps that are not shown one by one. */
export interface Step {
  /** For a line about several: `12`. Of a run, the first and the last. */
  first: string;
  last: string;
  /** How many steps it stands for. */
  count: number;
  /** Its number and who acted; empty for a run. */
  heading: string;
  parts: readonly StepPart[];
  images: readonly ImageBlock[];
  /** Names of the tools it called, and how often. */
  tools: ReadonlyMap<string, number>;
}

/** A step as it was written. */
export interface RawStep {
  value: unknown;
  /** Its place, from 1. */
  number: number;
  /** Begins its name: empty, or which sub-agent made it. */
  owner: string;
}

/** Most calls, and most results, of one step that are shown each by itself. */
const MAX_PARTS = 1000;

/** Most parts of one message or result. */
const MAX_CONTENTS = 100_000;

/** Most characters of a name in headings and labels, which are never cut. */
export const MAX_NAME = 60;

/** Whether a value of a JSON document is an object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One step with all that it holds. */
export function readStep({ value, number, owner }: RawStep, media: TrajectoryMedia): Step {
  if (!isObject(value)) {
    const name = `${owner}${number}`;
    return {
      first: name,
      last: name,
      count: 1,
      heading: `Step ${name}`,
      parts: [{ label: "", text: shielded(asJson(value)) }],
      images: [],
      tools: new Map(),
    };
  }
  const images: ImageBlock[] = [];
  const read = (content: unknown) => shielded(contentText(content, media, images));
  const parts: StepPart[] = [
    { label: "Message:", text: read(value.message) },
    { label: "Reasoning:", text: read(value.reasoning_content) },
    ...partsOf("calls", listOf(value.tool_calls), (call) => ({
      label: `Call of ${quoteName(toolOf(call), MAX_NAME)}${idOf(call, "tool_call_id")} with:`,
      text: read(isObject(call) ? call.arguments ?? {} : call),
    })),
    ...partsOf(
      "results",
      listOf(isObject(value.observation) ? resultsOf(value.observation) : value.observation),
      (result) => ({
        label: `Result${idOf(result, "source_call_id")}:`,
        text: read(isObject(result) ? resultContent(result) : result),
      }),
    ),
  ];
  const name = nameOf({ value, number, owner });
  return {
    first: name,
    last: name,
    count: 1,
    heading: `Step ${name}${sourceOf(value)}`,
    parts: parts.filter(({ text }) => text !== ""),
    images,
    tools: toolsOf([value]),
  };
}

/** The first ones, and how many more there are: no agent makes as many calls in one step. */
function partsOf(
  what: string,
  values: readonly unknown[],
  partOf: (value: unknown) => StepPart,
): StepPart[] {
  const left = values.length - MAX_PARTS;
  const parts = values.slice(0, MAX_PARTS).map(partOf);
  return left <= 0 ? parts : [...parts, { label: "", text: `[${left} more ${what}]` }];
}

/** Several steps that are only counted. */
export function runOf(steps: readonly RawStep[]): Step {
  return {
    first: nameOf(steps[0]!),
    last: nameOf(steps.at(-1)!),
    count: steps.length,
    heading: "",
    parts: [],
    images: [],
    tools: toolsOf(steps.map(({ value }) => value)),
  };
}

function nameOf({ value, number, owner }: RawStep): string {
  const id = isObject(value) ? value.step_id ?? number : number;
  const shown = Number.isSafeInteger(id) ? String(id) : quoteName(textOf(id), MAX_NAME);
  return `${owner}${shown}`;
}

/** Who acted. A context that was copied from another trajectory was not done again. */
function sourceOf({ source, is_copied_context: isCopied }: Record<string, unknown>): string {
  const actor = typeof source === "string" && /^\w{1,20}$/.test(source)
    ? source
    : source === undefined || source === null
    ? ""
    : quoteName(textOf(source), MAX_NAME);
  const known = [actor, isCopied === true ? "copied context" : ""].filter((part) => part !== "");
  return known.length === 0 ? "" : ` (${known.join(", ")})`;
}

function toolsOf(steps: readonly unknown[]): Map<string, number> {
  const tools = new Map<string, number>();
  for (const step of steps) {
    if (!isObject(step)) continue;
    for (const call of listOf(step.tool_calls)) {
      const name = toolOf(call).slice(0, MAX_NAME);
      tools.set(name, (tools.get(name) ?? 0) + 1);
    }
  }
  return tools;
}

function toolOf(call: unknown): string {
  if (!isObject(call) || call.function_name === undefined) return "?";
  return textOf(call.function_name);
}

/** A call and its result are told apart by it when a step makes several. */
function idOf(value: unknown, key: string): string {
  const id = isObject(value) ? value[key] : undefined;
  return typeof id === "string" ? ` ${quoteName(id, MAX_NAME)}` : "";
}

function resultsOf(observation: Record<string, unknown>): unknown {
  return "results" in observation ? observation.results : [observation];
}

/** What a result says, and which trajectories of sub-agents it refers to. */
function resultContent(result: Record<string, unknown>): unknown {
  const { source_call_id: _, content, subagent_trajectory_ref: ref, ...others } = result;
  if (ref === undefined || ref === null) return "content" in result ? content : others;
  const told = `[by a sub-agent: ${asJson(ref)}]`;
  return Array.isArray(content) ? [...content, told] : [content ?? "", told];
}

/** Text, or a list of parts with text and media; anything else as JSON. */
function contentText(content: unknown, media: TrajectoryMedia, images: ImageBlock[]): string {
  if (content === undefined || content === null) return "";
  if (!Array.isArray(content)) return textOf(content);
  const left = content.length - MAX_CONTENTS;
  const more = left <= 0 ? [] : [`[${left} more parts]`];
  return [...content.slice(0, MAX_CONTENTS), ...more].map((part) => {
    if (!isObject(part)) return textOf(part);
    if (part.type === "text" && typeof part.text === "string") return part.text;
    const shown = media.read(part);
    if (shown?.block !== undefined) images.push(shown.block);
    return shown?.text ?? asJson(part);
  }).filter((text) => text !== "").join("\n");
}

/** A text as it is, anything else as JSON. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : asJson(value);
}

function asJson(value: unknown): string {
  return JSON.stringify(value) ?? "";
}

/** Lines that look like our headings and labels. */
const OURS_REGEXP =
  /^(?=steps? (?:\d|"|sub-agent)|(?:message|reasoning|result(?: "[^"\n]{0,80}")?):$|call of ")/gim;

/** No content can pass for another step or for a result: what looks like one is moved to the right. */
function shielded(text: string): string {
  return text.replace(OURS_REGEXP, "  ");
}

/** A list; one value stands for a list of it, and none for an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}
