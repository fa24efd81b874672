// What is known of something, as names and values.

import type { JsonValue } from "../../score/criterion_score.ts";
import { type Content, type Markup, markup } from "./markup.ts";

/** Longest list that is shown in a line. */
const MAX_IN_LINE = 120;

/**
 * A list of names and values; `null` if there are none. Values of whatever shape are shown.
 *
 * @param entries Those that are `undefined` are left out.
 */
export function factList(entries: readonly (readonly [string, JsonValue | undefined])[]) {
  const shown = entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
  if (shown.length === 0) return null;
  return markup`<dl class="facts">${
    shown.map(([name, value]) =>
      markup`<div><dt>${name.replaceAll("_", " ")}</dt><dd>${valueOf(value)}</dd></div>`
    )
  }</dl>`;
}

function valueOf(value: JsonValue): Content {
  if (typeof value === "string") return textOf(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (!Array.isArray(value)) return factList(Object.entries(value)) ?? "none";
  const isPlain = value.every((item) => typeof item !== "object" || item === null);
  const line = value.map(String).join(", ");
  if (isPlain && line.length <= MAX_IN_LINE) return markup`<bdi>${line || "none"}</bdi>`;
  return markup`<ul>${value.map((item) => markup`<li>${valueOf(item)}</li>`)}</ul>`;
}

/** A text of somebody: in its own direction, line ends kept. */
export function textOf(text: string): Markup {
  return text.includes("\n") ? markup`<pre>${text}</pre>` : markup`<bdi>${text}</bdi>`;
}
