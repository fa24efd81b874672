// What a judge would be sent, for people, without sending it.

import type { Attachment } from "./evidence/attachment.ts";
import type { PreparedJudge } from "./preparation.ts";
import { type Question, requestFor } from "./question.ts";
import { IMAGE_TOKENS, loadTokenizer, type Tokenizer } from "./tokens.ts";

/** What a judge would be sent. */
export interface JudgeSummary {
  kind: "llm" | "agent";
  /** The judge as it is configured: a model, or an agent and its model. */
  model: string;
  reasoningEffort: string | null;
  /** Names and kinds of its criteria, the guard's question included where it is asked. */
  criteria: { name: string; type: string }[];
  /** Calls of a model or runs of an agent, when each answer can be used at once. */
  calls: number;
  /** About how many tokens all calls send; of an agent: those of the prompts alone. */
  tokens: number;
  files: ShownFile[];
  reference: ShownFile[];
  /** What cannot be judged, and what is not shown. */
  notes: string[];
}

/** A file that is shown, or why it is not. */
export interface ShownFile {
  name: string;
  /** Bytes. */
  size: number;
  /** About how many tokens it takes; 0 where it is not shown. */
  tokens: number;
  note?: string;
}

/** Sums up what a judge would be sent. */
export async function summaryOf(
  { config, questions, unasked, warnings, exhibits, reference }: PreparedJudge,
): Promise<JudgeSummary> {
  const tokenizer = await loadTokenizer();
  const perSample = questions.reduce((sum, question) => sum + tokensOf(question, tokenizer), 0);
  const asked = questions.flatMap(({ criteria }) => criteria);
  const left = unasked.flatMap(({ criteria }) => criteria);
  return {
    kind: "llm",
    model: config.judge,
    reasoningEffort: config.reasoningEffort ?? null,
    criteria: [...asked, ...left].map(({ name, scale }) => ({ name, type: scale.type })),
    calls: questions.length * config.samples,
    tokens: perSample * config.samples,
    files: exhibits.map((file) => shownFile(file, tokenizer)),
    reference: reference.map((file) => shownFile(file, tokenizer)),
    notes: [
      ...new Set(unasked.map(({ reason }) => `nothing to judge yet: ${reason}`)),
      ...warnings,
    ],
  };
}

function shownFile({ label, size, content, note }: Attachment, tokenizer: Tokenizer): ShownFile {
  const remark = content.type === "none" ? content.reason : note;
  return {
    name: label,
    size,
    tokens: content.type === "text"
      ? tokenizer.count(content.text)
      : content.type === "image"
      ? IMAGE_TOKENS
      : 0,
    ...(remark !== undefined && { note: remark }),
  };
}

function tokensOf(question: Question, tokenizer: Tokenizer): number {
  const request = requestFor(question, question.criteria);
  const shown = request.blocks.reduce(
    (sum, block) => sum + (block.type === "text" ? tokenizer.count(block.text) : IMAGE_TOKENS),
    0,
  );
  return shown + tokenizer.count(request.system) + tokenizer.count(JSON.stringify(request.schema));
}
