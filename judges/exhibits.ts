// Files as blocks of a message.

import type { Attachment } from "./evidence/attachment.ts";
import { fence, type FenceKind, quoteName } from "./guard.ts";
import type { Block } from "./model.ts";
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

/** Tokens of the line above a file. */
const LINE_TOKENS = 30;

/** About how many tokens attachments take, rather too many than too few. */
export function tokensOf(attachments: readonly Attachment[]): number {
  return attachments.reduce((sum, { content }) => {
    const own = content.type === "text"
      ? estimateTokens(content.text)
      : content.type === "image"
      ? IMAGE_TOKENS
      : 0;
    return sum + own + LINE_TOKENS;
  }, 0);
}

/**
 * Cuts long texts until everything fits, and leaves images out where the model takes none.
 *
 * @param budget Tokens for all of it.
 */
export async function fitAttachments(
  given: readonly Attachment[],
  { budget, takesImages }: { budget: number; takesImages: boolean },
): Promise<FittedAttachments> {
  const warnings: string[] = [];
  const attachments = takesImages ? given : given.map((attachment): Attachment => {
    if (attachment.content.type !== "image") return attachment;
    const reason = "the model takes no images";
    warnings.push(`${attachment.label}: not shown to the judge: ${reason}`);
    return { ...attachment, content: { type: "none", reason, isMissing: false } };
  });
  if (tokensOf(attachments) <= budget) return { attachments, warnings };

  const tokenizer = await loadTokenizer();
  const counts = attachments.map(({ content }) =>
    content.type === "text" ? tokenizer.count(content.text) : 0
  );
  const frame = tokensOf(attachments.filter(({ content }) => content.type !== "text")) +
    counts.filter((count) => count > 0).length * LINE_TOKENS;
  const share = fairShare(counts, Math.max(0, budget - frame));
  if (share === Infinity) return { attachments, warnings };
  const cut = attachments.map((attachment, index): Attachment => {
    const { label, content, note } = attachment;
    if (content.type !== "text" || counts[index]! <= share) return attachment;
    const own = `cut to ${share} of ${counts[index]} tokens to fit the model`;
    warnings.push(`${label}: ${own}`);
    return {
      ...attachment,
      content: { type: "text", text: tokenizer.cut(content.text, share) },
      note: note === undefined ? own : `${note}; ${own}`,
    };
  });
  return { attachments: cut, warnings };
}
