// Whole answers of the stand-in as the events that a service would send piece by piece.

/** A message of Anthropic's API. */
interface Message {
  model?: unknown;
  content: readonly ContentBlock[];
  stop_reason: string;
  usage: { input_tokens?: number; output_tokens?: number };
}

interface ContentBlock {
  type: string;
  text?: string;
  input?: unknown;
}

/** A response of OpenAI's API. */
interface ModelResponse {
  status: string;
  output: readonly OutputItem[];
}

interface OutputItem {
  id: string;
  type: string;
  content?: readonly { type: string; text?: string }[];
}

/** The events of an answer of Anthropic's Messages. */
export function messageEvents(message: Message): string {
  const { content, stop_reason, usage, ...head } = message;
  return [
    event("message_start", {
      message: { ...head, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
    }),
    ...content.flatMap(blockEvents),
    event("message_delta", {
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: usage.output_tokens },
    }),
    event("message_stop", {}),
  ].join("");
}

function blockEvents(block: ContentBlock, index: number): string[] {
  const isTool = block.type === "tool_use";
  const delta = isTool
    ? { type: "input_json_delta", partial_json: JSON.stringify(block.input) }
    : { type: "text_delta", text: block.text };
  return [
    event("content_block_start", {
      index,
      content_block: isTool ? { ...block, input: {} } : { ...block, text: "" },
    }),
    event("content_block_delta", { index, delta }),
    event("content_block_stop", { index }),
  ];
}

/** The events of an answer of OpenAI's Responses. */
export function responseEvents(response: ModelResponse): string {
  return [
    event("response.created", { response: { ...response, status: "in_progress", output: [] } }),
    ...response.output.flatMap(itemEvents),
    event("response.completed", { response }),
  ].join("");
}

function itemEvents(item: OutputItem, index: number): string[] {
  const text = item.content?.[0]?.text;
  const delta = { output_index: index, content_index: 0, item_id: item.id, delta: text };
  return [
    event("response.output_item.added", {
      output_index: index,
      item: { ...item, ...(item.content && { content: [] }) },
    }),
    ...(text === undefined ? [] : [event("response.output_text.delta", delta)]),
    event("response.output_item.done", { output_index: index, item }),
  ];
}

function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}
