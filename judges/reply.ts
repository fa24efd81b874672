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

/** Most characters that are mended in one reply. */
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
  const objects = candidates(text, isCutOff);
  const entries = await lastEntries(text, objects, names);
  if (entries !== null) return replyWith(entries, names);
  return {
    entries: new Map(),
    problem: text.includes("{")
      ? "the reply holds no verdict in the form that was asked for"
      : "the reply holds no JSON object",
  };
}

/**
 * Of the last object that has any. Each is read as well as it can be before an earlier one is tried,
 * which may be a quotation; where one that looks like an answer cannot be read, none is.
 */
async function lastEntries(
  text: string,
  objects: readonly BalancedObject[],
  names: readonly string[],
): Promise<Map<string, Entry> | null> {
  // What is inside of an object that was read belongs to some other criterion.
  let readFrom = Infinity;
  let mendable = MAX_MENDED;
  for (const { start, end, isKeyed } of objects) {
    if (start >= readFrom) continue;
    const source = text.slice(start, end);
    let value = parsed(source);
    if (value === undefined && source.includes("score")) {
      mendable -= source.length;
      value = mendable >= 0 ? await mended(source) : undefined;
      if (!isObject(value) && isKeyed) return null;
    }
    const entries = entriesOf(value, names);
    if (entries.size > 0) {
      return GOES_ON_REGEXP.test(text.slice(end, Math.min(readFrom, text.length))) ? null : entries;
    }
    if (isObject(value)) readFrom = start;
  }
  return null;
}

/** A key of an answer: what is before it is inside of that answer. */
const GOES_ON_REGEXP = /(["'])score\1\s*:/;

/** Names under which models put an answer that was to stand by itself. */
const WRAPPERS = ["answer", "evaluation", "judgement", "judgment", "output", "result", "verdict"];

/** White space and the marks of a code block. */
const FRAME_REGEXP = /^(?:\s|```(?:json)?)*$/;

/** Longer frames are none. */
const MAX_FRAME = 1000;

/** What may be the answer, the last one first. */
function candidates(text: string, isCutOff: boolean): BalancedObject[] {
  const { objects, openAt } = balancedObjects(text, true);
  // What is before a cut-off answer is no answer, and perhaps a quotation.
  if (isCutOff) {
    const first = objects.find(({ start }) => isFrame(text, 0, start));
    return openAt === null && first !== undefined ? [first] : [];
  }
  if (openAt !== null) {
    // Unless only an odd quotation mark hides its end.
    return balancedObjects(text, false).objects.filter(({ start, end }) =>
      start === openAt && isFrame(text, end, text.length)
    );
  }
  const keyed = objects.filter(({ isKeyed }) => isKeyed);
  const unquoted = balancedObjects(text, false);
  if (unquoted.openAt !== null && !isWithin(keyed, unquoted.openAt)) return [];
  const others = unquoted.objects.filter(({ start }) => !isWithin(keyed, start));
  return [...objects.slice(-MAX_OBJECTS), ...others.slice(-MAX_OBJECTS)]
    .filter(({ start, end }) => end - start <= MAX_OBJECT)
    .sort((a, b) => a.end - b.end)
    .slice(-MAX_OBJECTS)
    .reverse();
}

function isFrame(text: string, start: number, end: number): boolean {
  return end - start <= MAX_FRAME && FRAME_REGEXP.test(text.slice(start, end));
}

/** Whether a place is inside of one of these objects, which are in order and apart. */
function isWithin(objects: readonly BalancedObject[], at: number): boolean {
  let [low, high] = [0, objects.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (objects[middle]!.end <= at) low = middle + 1;
    else high = middle;
  }
  return low < objects.length && objects[low]!.start <= at;
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
  const { mend } = await lazily<typeof import("./reply_mending.ts")>(
    "./reply_mending.ts",
    import.meta.url,
  );
  return parsed(mend(text) ?? "");
}

/** Wrappers in wrappers that are looked into. */
const MAX_WRAPPED = 3;

function entriesOf(
  value: unknown,
  names: readonly string[],
  wrapped = 0,
): Map<string, Entry> {
  if (wrapped > MAX_WRAPPED) return new Map();
  if (Array.isArray(value)) return entriesOfList(value, names, wrapped);
  if (!isObject(value)) return new Map();
  const entries = new Map<string, Entry>();
  for (const name of names) {
    const entry = Object.hasOwn(value, name) ? entryOf(value[name]) : null;
    if (entry !== null) entries.set(name, entry);
  }
  if (entries.size > 0) return entries;
  const [only, ...others] = Object.keys(value);
  if (others.length === 0 && only !== undefined && WRAPPERS.includes(only)) {
    return entriesOf(value[only], names, wrapped + 1);
  }
  const entry = names.length === 1 ? entryOf(value) : null;
  if (entry !== null) entries.set(names[0]!, entry);
  return entries;
}

/** Either entries with a name each, or the whole in a list of one. */
function entriesOfList(
  list: readonly unknown[],
  names: readonly string[],
  wrapped: number,
): Map<string, Entry> {
  if (list.length === 1 && isObject(list[0]) && !("name" in list[0])) {
    return entriesOf(list[0], names, wrapped + 1);
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
  // Half a character at the cut, or one that a model escaped, is refused by readers of the details.
  return text.slice(0, MAX_REASONING).toWellFormed();
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
