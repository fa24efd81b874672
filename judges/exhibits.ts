// Files as blocks of a message.

import type { Attachment } from "./evidence/attachment.ts";
import { fence } from "./guard.ts";
import type { FenceKind } from "./lookalikes.ts";
import type { Block } from "./model.ts";
import { quoteName } from "./quote_name.ts";
import { estimateTokens, fairShare, IMAGE_TOKENS, loadTokenizer } from "./tokens.ts";

/** Each file below a line with its name, all of them in one fence; nothing where there are none. */
export async function exhibit(
  attachments: readonly Attachment[],
  kind: FenceKind,
): Promise<Block[]> {
  if (attachments.length === 0) return [];
  return await fence(attachments.flatMap(blocksOf), kind);
}

function blocksOf({ label, content, note }: Attachment): Block[] {
  const line = `File ${quoteName(label)}`;
  const remark = note === undefined ? "" : ` (${note})`;
  switch (content.type) {
    case "text":
      return [{ type: "text", text: `${line}${remark}:\n${content.text}` }];
    case "image":
      return [
        { type: "text", text: `${line}${remark}, an image:` },
        { type: "image", mediaType: content.mediaType, bytes: content.bytes },
      ];
    case "none":
      return [{ type: "text", text: `${line} is not shown: ${content.reason}` }];
  }
}

/** Attachments that fit, and what was cut or left out for that. */
export interface FittedAttachments {
  attachments: readonly Attachment[];
  warnings: readonly string[];
}

/** Tokens of the line above a file, beside what it says of the file. */
const LINE_TOKENS = 20;

/** About how many tokens attachments take, rather too many than too few. */
export function tokensOf(
  attachments: readonly Attachment[],
  tokensOfText: (text: string) => number = estimateTokens,
): number {
  return attachments.reduce((sum, attachment) => {
    const { content } = attachment;
    const own = content.type === "text"
      ? tokensOfText(content.text)
      : content.type === "image"
      ? IMAGE_TOKENS
      : 0;
    return sum + own + lineTokens(attachment);
  }, 0);
}

function lineTokens({ label, content, note }: Attachment): number {
  const remark = content.type === "none" ? content.reason : note ?? "";
  return LINE_TOKENS + estimateTokens(quoteName(label)) + estimateTokens(remark);
}

/** Most images; services refuse a request with more. */
const MAX_IMAGES = 100;

/** Part of the budget that images may take, and part that lines above files may. */
const IMAGES_PART = 0.5;
const LINES_PART = 0.25;

/**
 * Leaves out images that the model does not take or that are too many, and cuts long texts until
 * everything fits: the graded work must not be able to make a request that a service refuses.
 *
 * @param budget Tokens for all of it.
 */
export async function fitAttachments(
  given: readonly Attachment[],
  { budget, takesImages }: { budget: number; takesImages: boolean },
): Promise<FittedAttachments> {
  const warnings: string[] = [];
  const listed = withinLines(given, budget * LINES_PART, warnings);
  const attachments = withinImages(listed, { budget, takesImages }, warnings);
  if (tokensOf(attachments) <= budget) return { attachments, warnings };

  const tokenizer = await loadTokenizer();
  // Beyond twice the budget an estimate will do: hostile text takes long to count.
  let countable = 2 * budget;
  const count = (text: string) => {
    const tokens = countable > 0 ? tokenizer.count(text) : estimateTokens(text);
    countable -= tokens;
    return tokens;
  };
  const counts = attachments.map(({ content }) =>
    content.type === "text" ? count(content.text) : 0
  );
  const frame = tokensOf(attachments, () => 0);
  const share = fairShare(counts, Math.max(0, budget - frame));
  if (share === Infinity) return { attachments, warnings };
  const cut = attachments.map((attachment, index): Attachment => {
    const { label, content, note } = attachment;
    if (content.type !== "text" || counts[index]! <= share) return attachment;
    const text = tokenizer.cut(content.text, share);
    if (text === content.text) return attachment;
    const own = `cut to ${share} of ${counts[index]} tokens to fit the model`;
    warnings.push(`${label}: ${own}`);
    const notes = note === undefined ? own : `${note}; ${own}`;
    return { ...attachment, content: { type: "text", text }, note: notes };
  });
  return { attachments: cut, warnings };
}

/** As many as their lines have room for. */
function withinLines(
  given: readonly Attachment[],
  most: number,
  warnings: string[],
): readonly Attachment[] {
  let left = most;
  const end = given.findIndex((attachment) => (left -= lineTokens(attachment)) < 0);
  // The first one is there in any case.
  if (end === -1 || given.length === 1) return given;
  const shown = given.slice(0, Math.max(1, end));
  warnings.push(
    `${given.length - shown.length} more files are not shown to the judge: there is no room for ` +
      `their names, the first of them is ${given[shown.length]!.label}`,
  );
  return shown;
}

function withinImages(
  given: readonly Attachment[],
  { budget, takesImages }: { budget: number; takesImages: boolean },
  warnings: string[],
): readonly Attachment[] {
  let left = takesImages
    ? Math.min(MAX_IMAGES, Math.floor(budget * IMAGES_PART / IMAGE_TOKENS))
    : 0;
  const reason = takesImages ? "there is no room for more images" : "the model takes no images";
  return given.map((attachment): Attachment => {
    if (attachment.content.type !== "image" || left-- > 0) return attachment;
    warnings.push(`${attachment.label}: not shown to the judge: ${reason}`);
    return { ...attachment, content: { type: "none", reason } };
  });
}
