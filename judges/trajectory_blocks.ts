// A trajectory as blocks of a message, cut so that every step stays visible.

import { imageTokens } from "./image_tokens.ts";
import { quoteName } from "./quote_name.ts";
import type { Block } from "./model.ts";
import { estimateTokens, fairShare, loadTokenizer, type Tokenizer } from "./tokens.ts";
import type { Trajectory } from "./trajectory.ts";
import type { Step } from "./trajectory_steps.ts";

/** What a judge is shown of a trajectory. */
export interface TrajectoryBlocks {
  blocks: Block[];
  /** Absent when all of it is shown. */
  warning?: string;
  /** About how many tokens it takes: never more than the budget, but for a budget of less than 60. */
  tokens: number;
}

/** Part of the budget that images may take. */
const IMAGES_PART = 0.5;

/** Tokens that each content keeps at least, where steps are shown one by one. */
const LEAST_TOKENS = 20;

/** Tokens that a block takes beside its text. */
const BLOCK_TOKENS = 4;

/** Tokens that a line about several steps takes at most, as a rule. */
const LINE_TOKENS = 40;

/** Characters of a content for each token that there is; more than that is not counted. */
const COUNTED = 8;

/**
 * A block for each step, and its images after it. Where that is more than the budget, long contents
 * are cut and short ones kept; where even the headings are too many, the first and the last steps
 * are shown like that and those between them told in runs.
 *
 * @param budget Tokens for all of it.
 * @param options `takesImages`: whether the model does; default true.
 */
export async function trajectoryBlocks(
  trajectory: Trajectory,
  budget: number,
  { takesImages = true }: { takesImages?: boolean } = {},
): Promise<TrajectoryBlocks> {
  const { count, remarks } = trajectory;
  const title = `The trajectory of ${trajectory.agent}: ${counted(count)}.` +
    (count === 0 ? " It did nothing." : "");
  const { steps, left } = withoutImages(trajectory.steps, takesImages ? budget * IMAGES_PART : 0);
  const lost = left === 0 ? [] : [
    `${left} images of the trajectory are not shown to the judge: ` +
    (takesImages ? "there is no room for them" : "the model takes none"),
  ];
  const opening = [title, ...remarks].join("\n");
  const whole = [text(opening), ...steps.flatMap((step) => blocksOf(step, ({ text }) => text))];
  const estimate = sum(whole.map((block) => tokensOf(block, estimateTokens)));
  if (estimate <= budget && steps.every(({ count }) => count === 1)) {
    return { blocks: whole, tokens: estimate, ...warned(lost) };
  }
  const cutter = new Cutter(await loadTokenizer());
  const short = text(cutter.tokensOf([text(opening)]) <= budget / 4 ? opening : title);
  const room = budget - cutter.tokensOf([short]);
  const { blocks: shown, cut } = cutter.fit(steps, room) ?? cutter.fitEnds(steps, room);
  const blocks = [short, ...shown];
  const tokens = cutter.tokensOf(blocks);
  if (cut !== null) {
    lost.unshift(`the trajectory is cut for the judge to ${tokens} tokens: ${cut}`);
  }
  return { blocks, tokens, ...warned(lost) };
}

function warned(warnings: readonly string[]): { warning?: string } {
  return warnings.length === 0 ? {} : { warning: warnings.join("; ") };
}

/** The last images that fit: they show what became of the work. */
function withoutImages(
  steps: readonly Step[],
  budget: number,
): { steps: readonly Step[]; left: number } {
  let room = budget;
  let left = 0;
  const kept = steps.toReversed().map((step) => {
    const images = step.images.toReversed().filter(({ bytes }) => {
      const tokens = imageTokens(bytes) + BLOCK_TOKENS;
      // After the first that does not fit, none does.
      room = tokens <= room ? room - tokens : 0;
      return room > 0;
    }).toReversed();
    const lost = step.images.length - images.length;
    if (lost === 0) return step;
    left += lost;
    const remark = lost === 1 ? "an image is" : `${lost} images are`;
    return { ...step, images, heading: `${step.heading} (${remark} left out)` };
  });
  return { steps: kept.reverse(), left };
}

/** Steps that fit. */
interface Fitted {
  blocks: Block[];
  /** What was more than the budget, for people; `null` where nothing is cut. */
  cut: string | null;
}

class Cutter {
  readonly #tokenizer: Tokenizer;

  constructor(tokenizer: Tokenizer) {
    this.#tokenizer = tokenizer;
  }

  tokensOf(blocks: readonly Block[]): number {
    return sum(blocks.map((block) => tokensOf(block, (text) => this.#tokenizer.count(text))));
  }

  /** Every step with its heading and at least a little of each content; `null` if too much. */
  fit(steps: readonly Step[], budget: number): Fitted | null {
    if (steps.some(({ count }) => count > 1)) return null;
    const texts = steps.flatMap(({ parts }) => parts.map(({ text }) => text));
    // Cheap to rule out, before anything is counted.
    if (steps.length * (BLOCK_TOKENS + 3) + texts.length * LEAST_TOKENS > budget) return null;
    const fixed = this.tokensOf(steps.flatMap((step) => blocksOf(step, () => "")));
    const characters = fairShare(texts.map(({ length }) => length), budget * COUNTED);
    const counts = texts.map((text) => this.#tokenizer.count(text.slice(0, characters)) + 1);
    const total = fixed + sum(counts);
    if (total <= budget && characters === Infinity) {
      return { blocks: steps.flatMap((step) => blocksOf(step, ({ text }) => text)), cut: null };
    }
    if (budget - fixed < sum(counts.map((tokens) => Math.min(tokens, LEAST_TOKENS)))) return null;
    const whole = characters === Infinity ? `${total}` : `about ${
      Math.round(
        fixed +
          sum(texts.map(({ length }, at) => counts[at]! * Math.max(1, length / characters))),
      )
    }`;
    const cut = `it has ${whole}, and long contents were shortened`;
    let room = budget - fixed;
    for (let share = fairShare(counts, room); share > 0;) {
      let next = 0;
      const blocks = steps.flatMap((step) =>
        blocksOf(step, ({ text }) => {
          const tokens = counts[next++]!;
          if (tokens <= share && text.length <= characters) return text;
          return this.#tokenizer.cut(text, Math.min(tokens, share));
        })
      );
      // Where a cut content meets its label, tokens can be others: the outcome is counted.
      const excess = this.tokensOf(blocks) - budget;
      if (excess <= 0) return { blocks, cut };
      room -= excess;
      share = Math.min(share - 1, fairShare(counts, room));
    }
    return null;
  }

  /** The first and the last steps, and runs of those between them. */
  fitEnds(steps: readonly Step[], budget: number): Fitted {
    const half = budget / 2;
    let used = 0;
    let ends = 0;
    // At most a third of all: otherwise the middle has less room than it needs.
    for (; ends < steps.length / 3; ends++) {
      const pair = [steps[ends]!, steps.at(-1 - ends)!];
      if (pair.some(({ count }) => count > 1)) break;
      used += this.tokensOf(pair.flatMap((step) => blocksOf(step, () => "")));
      used += 4 * LEAST_TOKENS * sum(pair.map(({ parts }) => parts.length));
      if (used > half) break;
    }
    const first = steps.slice(0, ends);
    const last = steps.slice(steps.length - ends);
    const shown = ends === 0 ? null : this.fit([...first, ...last], half);
    const count = sum(steps.map(({ count }) => count));
    const all = `it has ${counted(count)}, which are too many to show each of them`;
    if (shown === null) return { blocks: this.#runs(steps, budget), cut: all };
    const between = steps.slice(ends, steps.length - ends);
    const runs = this.#runs(between, budget - this.tokensOf(shown.blocks));
    const split = sum(first.map(({ images }) => 1 + images.length));
    return {
      blocks: [...shown.blocks.slice(0, split), ...runs, ...shown.blocks.slice(split)],
      cut: `${all}; the first and the last ${ends} are shown`,
    };
  }

  /** Neighbouring steps in one line each, as many lines as there is room for. */
  #runs(steps: readonly Step[], budget: number): Block[] {
    for (let most = Math.ceil(budget / LINE_TOKENS); most > 1; most = Math.floor(most * 0.8)) {
      const length = Math.ceil(steps.length / most);
      const lines: string[] = [];
      for (let at = 0; at < steps.length; at += length) {
        lines.push(runLine(steps.slice(at, at + length)));
      }
      const block = text(["Too many steps to show each of them:", ...lines].join("\n"));
      if (this.tokensOf([block]) <= budget) return [block];
    }
    return [text(`${counted(sum(steps.map(({ count }) => count)))} not shown.`)];
  }
}

function blocksOf(step: Step, shown: (part: Step["parts"][number]) => string): Block[] {
  const parts = step.parts.map((part) =>
    part.label === "" ? shown(part) : `${part.label}\n${shown(part)}`
  );
  return [text([step.heading, ...parts].join("\n")), ...step.images];
}

function tokensOf(block: Block, count: (text: string) => number): number {
  return BLOCK_TOKENS + (block.type === "text" ? count(block.text) : imageTokens(block.bytes));
}

/** Most tools that a line about several steps names. */
const MAX_TOOLS = 3;

function runLine(steps: readonly Step[]): string {
  const [first, last] = [steps[0]!.first, steps.at(-1)!.last];
  const tools = new Map<string, number>();
  for (const step of steps) {
    for (const [tool, calls] of step.tools) tools.set(tool, (tools.get(tool) ?? 0) + calls);
  }
  const named = [...tools].sort(([, a], [, b]) => b - a).slice(0, MAX_TOOLS)
    .map(([tool, calls]) => `${quoteName(tool, 24)} × ${calls}`);
  const more = tools.size > MAX_TOOLS ? [`${tools.size - MAX_TOOLS} others`] : [];
  const called = named.length === 0 ? "" : `; tools: ${[...named, ...more].join(", ")}`;
  const count = sum(steps.map(({ count }) => count));
  return count === 1
    ? `Step ${first}${called}`
    : `Steps ${first} to ${last}: ${counted(count)}${called}`;
}

function counted(steps: number): string {
  return `${steps} ${steps === 1 ? "step" : "steps"}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function text(content: string): Block {
  return { type: "text", text: content };
}
