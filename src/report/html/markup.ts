// HTML that nobody else's text can break out of.

/** Markup that is safe to stand in a page. */
export class Markup {
  readonly html: string;

  /** Only of what was escaped or is our own. */
  constructor(html: string) {
    this.html = html;
  }
}

/** What can be put into markup: texts are escaped. */
export type Content = Markup | string | number | null | readonly Content[];

/**
 * Markup with values in it; texts among them are escaped, in elements as in quoted attributes.
 *
 * @example
 * ```ts
 * import { markup } from "./markup.ts";
 * import assert from "node:assert/strict";
 *
 * const name = '<img src=x onerror="alert(1)">';
 * assert.equal(
 *   markup`<b title="${name}">${[1, " & 2"]}</b>`.html,
 *   '<b title="&lt;img src=x onerror=&quot;alert(1)&quot;&gt;">1 &amp; 2</b>',
 * );
 * ```
 */
export function markup(parts: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return new Markup(
    parts.map((part, index) => part + (index < values.length ? htmlOf(values[index]!) : ""))
      .join(""),
  );
}

function htmlOf(content: Content): string {
  if (content === null) return "";
  if (content instanceof Markup) return content.html;
  if (Array.isArray(content)) return content.map(htmlOf).join("");
  return escaped(String(content));
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Text that shows as it is: what means something to HTML is escaped, what cannot be seen, or would
 * turn the text around it, becomes U+FFFD.
 */
function escaped(text: string): string {
  return text.toWellFormed()
    // deno-lint-ignore no-control-regex
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd")
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
