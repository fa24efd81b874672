// The scores as a tree of text, for the terminal.

import { codeLine, cut, oneLine, widthOf } from "./columns.ts";
import { mismatchLines } from "./mismatch_text.ts";
import { type Colour, painter } from "./paint.ts";
import type { CriterionScore } from "../score/criterion_score.ts";
import type { GroupNode, LeafNode, ScoreNode } from "../score/tree.ts";

/** How the tree is drawn. */
export interface TreeOptions {
  /** With escape sequences of the terminal. Default false. */
  colours?: boolean;
  /** Columns that a line may take; longer names are cut. At least 40. Default 100. */
  width?: number;
  /** If more criteria of a file than that score 1, they are only counted. Default: none is. */
  maxPassed?: number;
  /** Most other criteria of a file that are shown. Default: all. */
  maxFailed?: number;
  /** Whether warnings and errors of files stand in the tree. Default true. */
  notes?: boolean;
}

/** A line of the tree: a score, or a note on the score above it. */
interface Row {
  /** Lines of the tree in front. */
  stem: string;
  mark: Mark | null;
  text: string;
  /** Its white space counts. */
  isCode?: true;
  score?: number;
  weight?: number;
  colour?: Colour;
}

type Mark = "✓" | "✗" | "~" | "!";
const MARK_COLOURS: Record<Mark, Colour> = { "✓": "green", "✗": "red", "~": "yellow", "!": "red" };

const SIDE_COLOURS = { expected: "red", found: "green", both: "dim" } as const;

/** Columns for what follows a name: `  0.3333  × 2.5`. */
const SCORE_WIDTH = 20;

/**
 * Draws the rewards and what they are made of: a line for each score, `✓` where it is at least 1,
 * `✗` where it is at most 0, `~` in between, `!` where there is an error; what was expected and
 * found, reasons, errors and warnings on lines below. What names and messages hold can neither break a line nor steer a
 * terminal.
 *
 * @param rewards What `reward.json` holds; `null` if errors allow no reward.
 * @param details What `reward-details.json` holds.
 *
 * @example
 * ```ts
 * import { treeText } from "./tree_text.ts";
 * import assert from "node:assert/strict";
 *
 * const criteria = [
 *   { name: "file_exists:a.txt", value: 1, raw: true, weight: 3 },
 *   { name: "tidy", value: 0, raw: false, weight: 1 },
 * ];
 * assert.equal(
 *   treeText({ reward: 0.75 }, { reward: { score: 0.75, criteria, kind: "programmatic" } }),
 *   `~ reward                  0.75
 * ├─ ✓ file_exists:a.txt       1  × 3
 * └─ ✗ tidy                    0`,
 * );
 * ```
 */
export function treeText(
  rewards: Readonly<Record<string, number>> | null,
  details: Readonly<Record<string, ScoreNode>>,
  { colours = false, width = 100, ...shown }: TreeOptions = {},
): string {
  // Not looked up in the objects: a reward may be called "constructor".
  const nodes = new Map(Object.entries(details));
  const scores = new Map(Object.entries(rewards ?? {}));
  const names = new Set([...nodes.keys(), ...scores.keys()]);
  const rows = [...names].flatMap((name): Row[] => {
    const node = nodes.get(name);
    const score = scores.get(name) ?? node?.score ?? 0;
    const own: Row = { stem: "", mark: markOf(score, hasError(node)), text: name, score };
    return [{ ...own, colour: "bold" }, ...(node === undefined ? [] : below(node, "", shown))];
  });
  if (rewards === null) {
    rows.push({ stem: "", mark: "!", text: "no reward: errors while grading", colour: "red" });
  }
  return draw(rows, Math.max(width, 40), colours);
}

type Shown = Omit<TreeOptions, "colours" | "width">;

function below(node: ScoreNode, stem: string, shown: Shown): Row[] {
  return node.kind === "group" ? belowGroup(node, stem, shown) : belowLeaf(node, stem, shown);
}

function belowGroup({ components, errors = [] }: GroupNode, stem: string, shown: Shown): Row[] {
  const notes = shown.notes === false ? [] : errors.map(({ message }) => message);
  return branches(components, notes, stem, ({ name, weight, detail }, own, inner) => [
    {
      stem: own,
      mark: markOf(detail.score, hasError(detail)),
      text: name,
      score: detail.score,
      weight,
    },
    ...below(detail, inner, shown),
  ]);
}

function belowLeaf(
  { criteria, errors = [], warnings = [] }: LeafNode,
  stem: string,
  { notes = true, maxPassed = Infinity, maxFailed = Infinity }: Shown,
): Row[] {
  const told = new Set(criteria.map(({ error }) => error));
  const ofFile = errors.map(({ message }) => message).filter((message) => !told.has(message));
  const passed = criteria.filter(hasPassed);
  const failed = criteria.filter((criterion) => !hasPassed(criterion));
  const hidden = new Set([
    ...(passed.length > maxPassed ? passed : []),
    ...failed.slice(failed.length > maxFailed ? maxFailed : Infinity),
  ]);
  const rest = [
    hiddenRow("✗", failed.filter((criterion) => hidden.has(criterion)), "more failed"),
    hiddenRow("✓", passed.filter((criterion) => hidden.has(criterion)), "passed"),
  ].filter((row) => row !== null);
  const items = [...criteria.filter((criterion) => !hidden.has(criterion)), ...rest];
  return branches(
    items,
    notes ? [...ofFile, ...warnings] : [],
    stem,
    (item, own, inner) => "mark" in item ? [{ ...item, stem: own }] : ofCriterion(item, own, inner),
  );
}

function hasPassed({ value, error }: CriterionScore): boolean {
  return error === undefined && value >= 1;
}

/** A line for criteria that are left out; `null` if there are none. */
function hiddenRow(mark: Mark, { length }: readonly unknown[], what: string): Row | null {
  if (length === 0) return null;
  return { stem: "", mark, text: `${length} ${what}`, colour: "dim" };
}

function ofCriterion(
  { name, value, weight, error, reasoning, expected, found }: CriterionScore,
  stem: string,
  inner: string,
): Row[] {
  const rows: Row[] = [
    { stem, mark: markOf(value, error !== undefined), text: name, score: value, weight },
  ];
  const indented = `${inner}  `;
  if (error !== undefined) rows.push({ stem: indented, mark: null, text: error, colour: "red" });
  if (expected !== undefined && found !== undefined && value < 1) {
    for (const { side, text } of mismatchLines(expected, found)) {
      rows.push({ stem: indented, mark: null, text, isCode: true, colour: SIDE_COLOURS[side] });
    }
  }
  if (reasoning !== undefined) {
    rows.push({ stem: indented, mark: null, text: reasoning, colour: "dim" });
  }
  return rows;
}

/** Rows of each item on a branch of its own, then the notes on the last branches. */
function branches<T>(
  items: readonly T[],
  notes: readonly string[],
  stem: string,
  rowsOf: (item: T, own: string, inner: string) => Row[],
): Row[] {
  const count = items.length + notes.length;
  const branch = (index: number) => index === count - 1 ? ["└─ ", "   "] : ["├─ ", "│  "];
  return [
    ...items.flatMap((item, index) => {
      const [own, inner] = branch(index);
      return rowsOf(item, stem + own, stem + inner);
    }),
    ...notes.map((text, index): Row => ({
      stem: stem + branch(items.length + index)[0],
      mark: "!",
      text,
      colour: "yellow",
    })),
  ];
}

function markOf(score: number, isError: boolean): Mark {
  if (isError) return "!";
  // What shows as 1 counts as 1.
  return score >= 1 ? "✓" : score <= 0 ? "✗" : "~";
}

function hasError(node: ScoreNode | undefined): boolean {
  if (node === undefined) return false;
  if ((node.errors?.length ?? 0) > 0) return true;
  return node.kind === "group" && node.components.some(({ detail }) => hasError(detail));
}

function draw(rows: readonly Row[], width: number, colours: boolean): string {
  const paint = painter(colours);
  const lefts = rows.map(({ stem, mark, text, isCode, score }) => {
    const lead = mark === null ? stem : `${stem}${mark} `;
    const room = width - lead.length - (score === undefined ? 0 : SCORE_WIDTH);
    return { lead, text: cut(isCode ? codeLine(text) : oneLine(text), Math.max(room, 8)) };
  });
  const column = Math.max(
    0,
    ...rows.map(({ score }, row) => {
      const { lead, text } = lefts[row]!;
      return score === undefined ? 0 : lead.length + widthOf(text);
    }),
  );
  return rows.map(({ stem, mark, score, weight, colour }, row) => {
    const { lead, text } = lefts[row]!;
    const isNote = score === undefined;
    const sign = mark === null ? "" : `${paint(mark, isNote ? colour : MARK_COLOURS[mark])} `;
    const left = `${paint(stem, "dim")}${sign}${paint(text, colour)}`;
    if (isNote) return left;
    const gap = " ".repeat(column - lead.length - widthOf(text));
    const weighted = weight === undefined || weight === 1 ? "" : `  × ${weight}`;
    return `${left}${gap}${String(score).padStart(8)}${paint(weighted, "dim")}`;
  }).join("\n");
}
