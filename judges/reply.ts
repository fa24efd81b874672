// Finds the verdicts in what a model wrote.

import { lazily } from "../src/lazy.ts";
import type { JsonValue } from "../src/score/criterion_score.ts";
import { type BalancedObject, balancedObjects } from "./reply_objects.ts";

/** What a model answered for one criterion; the score has not been held against its scale. */
export interface Entry {
  score: JsonValue;
  reasoning: string;
}

/** The verdicts that were found. */
export interface Reply {
  /** By name of the criterion. */
  entries: Map<string, Entry>;
  /** Why those that lack were not found; absent when none lacks. */
  problem?: string;
}

/** Most characters of reasoning that are kept. */
const MAX_REASONING = 20_000;

/** Most objects that are tried, from the last one on; a reply has one, and perhaps a few quoted. */
const MAX_OBJECTS = 200;

/** Longest object in characters that is tried. */
const MAX_OBJECT = 1024 * 1024;

/** Longest object in characters that is mended. */
const MAX_MENDED = 256 * 1024;

/**
 * Reads a reply: JSON as a whole, or else the last JSON object in it that holds a wanted name, as a
 * verdict quoted from the graded work comes earlier. One that is not quite JSON (raw line breaks,
 * trailing commas, comments, bad escapes) is mended; one that is cut off never is.
 *
 * One criterion is answered by `{"reasoning": …, "score": …}`, bare or under its name, several by an
 * object of them or by a list of them with a `name` each.
 *
 * @param isCutOff Whether the reply is known to be incomplete.
 */
export async function readReply(
  text: string,
  names: readonly string[],
  { isCutOff = false }: { isCutOff?: boolean } = {},
): Promise<Reply> {
  if (text.trim() === "") {
    return { entries: new Map(), problem: "the reply was empty" };
  }
  const whole = entriesOf(parsed(text), names);
  if (whole.size > 0) return replyWith(whole, names);
  const quoted = candidates(text, true, isCutOff);
  const unquoted = candidates(text, false, isCutOff);
  for (const objects of [quoted, unquoted]) {
    const entries = await firstEntries(text, objects, names, (source) => parsed(source));
    if (entries !== null) return replyWith(entries, names);
  }
  const objects = quoted.length > 0 ? quoted : unquoted;
  const entries = await firstEntries(text, objects, names, mended);
  if (entries !== null) return replyWith(entries, names);
  return {
    entries: new Map(),
    problem: objects.length > 0
      ? "the reply holds no verdict in the form that was asked for"
      : "the reply holds no JSON object",
  };
}

/** Of the first object that has any. */
async function firstEntries(
  text: string,
  objects: readonly BalancedObject[],
  names: readonly string[],
  read: (source: string) => unknown,
): Promise<Map<string, Entry> | null> {
  // What is inside of an object that was read belongs to some other criterion.
  let readFrom = Infinity;
  for (const { start, end } of objects) {
    if (start >= readFrom) continue;
    const value = await read(text.slice(start, end));
    const entries = entriesOf(value, names);
    if (entries.size > 0) return entries;
    if (isObject(value)) readFrom = start;
  }
  return null;
}

/** Names under which models put an answer that was to stand by itself. */
const WRAPPERS = ["answer", "evaluation", "judgement", "judgment", "output", "result", "verdict"];

/** The last one first. */
function candidates(text: string, heedsQuotes: boolean, isCutOff: boolean): BalancedObject[] {
  return balancedObjects(text, heedsQuotes)
    .filter(({ start, end, depth }) => end - start <= MAX_OBJECT && (!isCutOff || depth === 0))
    .slice(-MAX_OBJECTS)
    .reverse();
}

function replyWith(entries: Map<string, Entry>, names: readonly string[]): Reply {
  if (names.every((name) => entries.has(name))) return { entries };
  return { entries, problem: "the reply leaves this criterion out" };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function mended(text: string): Promise<unknown> {
  if (text.length > MAX_MENDED) return undefined;
  const { mend } = await lazily<typeof import("./reply_mending.ts")>(
    "./reply_mending.ts",
    import.meta.url,
  );
  return parsed(mend(text) ?? "");
}

function entriesOf(value: unknown, names: readonly string[]): Map<string, Entry> {
  if (Array.isArray(value)) return entriesOfList(value, names);
  if (!isObject(value)) return new Map();
  const entries = new Map<string, Entry>();
  for (const name of names) {
    const entry = Object.hasOwn(value, name) ? entryOf(value[name]) : null;
    if (entry !== null) entries.set(name, entry);
  }
  if (entries.size > 0) return entries;
  const [only, ...others] = Object.keys(value);
  if (others.length === 0 && only !== undefined && WRAPPERS.includes(only)) {
    return entriesOf(value[only], names);
  }
  const entry = names.length === 1 ? entryOf(value) : null;
  if (entry !== null) entries.set(names[0]!, entry);
  return entries;
}

/** Either entries with a name each, or the whole in a list of one. */
function entriesOfList(list: readonly unknown[], names: readonly string[]): Map<string, Entry> {
  if (list.length === 1 && isObject(list[0]) && !("name" in list[0])) {
    return entriesOf(list[0], names);
  }
  const entries = new Map<string, Entry>();
  for (const item of list) {
    if (!isObject(item) || typeof item.name !== "string" || !names.includes(item.name)) continue;
    const entry = entryOf(item);
    if (entry !== null) entries.set(item.name, entry);
  }
  return entries;
}

function entryOf(value: unknown): Entry | null {
  if (!isObject(value) || !Object.hasOwn(value, "score")) return null;
  return { score: value.score as JsonValue, reasoning: reasoningOf(value.reasoning) };
}

/** No reason to ask again: the verdict is there. */
function reasoningOf(reasoning: unknown): string {
  if (reasoning === undefined || reasoning === null) return "";
  const text = typeof reasoning === "string" ? reasoning : JSON.stringify(reasoning);
  return text.slice(0, MAX_REASONING);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
