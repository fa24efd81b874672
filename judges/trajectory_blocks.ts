// A trajectory as blocks of a message, cut so that every step stays visible.

import type { Block } from "./model.ts";
import { estimateTokens, fairShare, IMAGE_TOKENS, loadTokenizer } from "./tokens.ts";
import type { Step, Trajectory } from "./trajectory.ts";

/** What a judge is shown of a trajectory. */
export interface TrajectoryBlocks {
  blocks: Block[];
  /** Absent when all of it is shown. */
  warning?: string;
}

/** Tokens that a line about several steps may take. */
const RUN_TOKENS = 60;

/** Tokens that each content keeps at least, where steps are shown one by one. */
const LEAST_TOKENS = 12;

/**
 * A block for each step, and its images after it. Where that is more than the budget, long contents
 * are cut and short ones kept; where even the headings are too many, steps are told in runs.
 *
 * @param budget Tokens for all of it.
 */
export async function trajectoryBlocks(
  { agent, steps }: Trajectory,
  budget: number,
): Promise<TrajectoryBlocks> {
  const title = `The trajectory of ${agent}: ${count(steps.length)}.`;
  if (steps.length === 0) return { blocks: [text(`${title} It did nothing.`)] };
  const whole = steps.map((step) => stepText(step, ({ text }) => text));
  const images = steps.reduce((sum, step) => sum + step.images.length, 0) * IMAGE_TOKENS;
  const estimate = whole.reduce((sum, text) => sum + estimateTokens(text), images);
  if (estimate <= budget) return { blocks: blocksOf(title, steps, whole) };

  const tokenizer = await loadTokenizer();
  // Longer than any budget: not worth counting to its end.
  const longest = Math.max(1000, budget * 8);
  const counts = steps.map(({ parts }) =>
    parts.map(({ text }) => tokenizer.count(text.slice(0, longest)))
  );
  const frame = steps.map((step) => tokenizer.count(stepText(step, () => "")) + 4);
  const fixed = frame.reduce((sum, tokens) => sum + tokens, images + tokenizer.count(title) + 8);
  const all = counts.flat();
  const total = all.reduce((sum, tokens) => sum + tokens, fixed);
  if (total <= budget) return { blocks: blocksOf(title, steps, whole) };

  const warning = `the trajectory is cut for the judge: ${total} tokens, ${budget} are left for it`;
  if (budget - fixed < all.length * LEAST_TOKENS) {
    return {
      blocks: [
        text(`${title} It is too long to show each step; several are told in one line.`),
        ...runs(steps, budget),
      ],
      warning,
    };
  }
  const share = fairShare(all, budget - fixed);
  const cut = steps.map((step, at) =>
    stepText(
      step,
      ({ text }, part) =>
        counts[at]![part]! <= share ? text : tokenizer.cut(text.slice(0, longest), share),
    )
  );
  return { blocks: blocksOf(title, steps, cut), warning };
}

function stepText(
  { heading, parts }: Step,
  shown: (part: Step["parts"][number], index: number) => string,
): string {
  const lines = parts.map((part, index) => `${part.label}\n${shown(part, index)}`);
  return [heading, ...lines].join("\n");
}

function blocksOf(title: string, steps: readonly Step[], texts: readonly string[]): Block[] {
  return [text(title), ...steps.flatMap(({ images }, at) => [text(texts[at]!), ...images])];
}

/** Neighbouring steps in one line each, as many lines as there is room for. */
function runs(steps: readonly Step[], budget: number): Block[] {
  const lines = Math.max(1, Math.min(steps.length, Math.floor(budget / RUN_TOKENS) - 1));
  const length = Math.ceil(steps.length / lines);
  const told: string[] = [];
  for (let at = 0; at < steps.length; at += length) {
    const run = steps.slice(at, at + length);
    const [first, last] = [run[0]!.heading, run.at(-1)!.heading];
    const tools = tallied(run.flatMap(({ tools }) => tools));
    told.push(
      `${run.length === 1 ? first : `${first} to ${last}, ${count(run.length)}`}${tools}`
        .slice(0, RUN_TOKENS * 2),
    );
  }
  return [text(told.join("\n"))];
}

function tallied(tools: readonly string[]): string {
  if (tools.length === 0) return "";
  const counts = Map.groupBy(tools, (tool) => tool);
  const named = [...counts].sort(([, a], [, b]) => b.length - a.length).slice(0, 3)
    .map(([tool, calls]) => `${tool.slice(0, 20)} × ${calls.length}`);
  return `; tools: ${named.join(", ")}`;
}

function count(steps: number): string {
  return `${steps} ${steps === 1 ? "step" : "steps"}`;
}

function text(content: string): Block {
  return { type: "text", text: content };
}
