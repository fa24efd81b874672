// Reads XML as it arrives, without building a tree.

import { SubmissionError } from "../../src/errors.ts";

/** Who wants to know what is in a document. Names come without their namespace prefix. */
export interface XmlHandler {
  /** A start tag. `attributes` is its text, for {@link attribute}. */
  open(name: string, attributes: string): void;
  /** Text between tags, with its entities replaced; not all of it need come at once. */
  text(text: string): void;
  close(name: string): void;
}

/** Longest tag or text in UTF-16 units; a cell of a workbook has at most 32,767 characters. */
const MAX_TOKEN_LENGTH = 1 << 22;
const MAX_DEPTH = 256;

/** Longest tag: one that is cut into many pieces is looked through again with each. */
const MAX_TAG_LENGTH = 1 << 16;

const MARKUP: readonly [start: string, end: string][] = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
];

/**
 * Reads a whole document.
 *
 * @param chunks The text, cut anywhere.
 * @param part How a message names the document.
 * @throws {SubmissionError} If it is not well-formed, nested too deep, or declares a document type:
 * no workbook does, and entities of its own are how small files become large ones.
 */
export async function readXml(
  chunks: AsyncIterable<string>,
  part: string,
  handler: XmlHandler,
): Promise<void> {
  const reader = new XmlReader(part, handler);
  for await (const chunk of chunks) reader.write(chunk);
  reader.end();
}

class XmlReader {
  readonly #part: string;
  readonly #handler: XmlHandler;
  readonly #open: string[] = [];
  #buffer = "";
  #sawRoot = false;

  constructor(part: string, handler: XmlHandler) {
    this.#part = part;
    this.#handler = handler;
  }

  write(chunk: string): void {
    const buffer = this.#buffer + chunk;
    let at = 0;
    while (at < buffer.length) {
      const start = buffer.indexOf("<", at);
      if (start === -1) break;
      if (start > at) this.#text(buffer.slice(at, start));
      at = start;
      const end = this.#markup(buffer, at);
      if (end === -1) break;
      at = end;
    }
    this.#buffer = buffer.slice(at);
    if (this.#buffer.length > MAX_TOKEN_LENGTH) throw this.#malformed("a tag or text is too long");
  }

  end(): void {
    if (this.#buffer.trim() !== "" || this.#open.length > 0 || !this.#sawRoot) {
      throw this.#malformed("it breaks off");
    }
  }

  /** Index behind the markup that starts at `at`; -1 while its end is still to come. */
  #markup(buffer: string, at: number): number {
    const second = buffer[at + 1];
    if (second === undefined) return -1;
    if (second === "!" || second === "?") return this.#special(buffer, at);
    const end = tagEnd(buffer, at + 1);
    if (end === -1) {
      if (buffer.length - at > MAX_TAG_LENGTH) throw this.#malformed("a tag is too long");
      return -1;
    }
    if (second === "/") this.#close(buffer.slice(at + 2, end).trimEnd());
    else this.#start(buffer.slice(at + 1, end));
    return end + 1;
  }

  #special(buffer: string, at: number): number {
    for (const [start, end] of MARKUP) {
      if (!buffer.startsWith(start, at)) continue;
      const found = buffer.indexOf(end, at + start.length);
      if (found === -1) return -1;
      if (start === "<![CDATA[") {
        this.#handler.text(buffer.slice(at + start.length, found).replace(/\r\n?/g, "\n"));
      }
      return found + end.length;
    }
    if (buffer.length - at < "<![CDATA[".length) return -1;
    throw this.#malformed("it declares a document type");
  }

  #start(tag: string): void {
    const isEmpty = tag.endsWith("/");
    const nameEnd = endOfName(tag);
    const name = tag.slice(0, nameEnd);
    if (
      name === "" || this.#open.length === MAX_DEPTH || this.#open.length === 0 && this.#sawRoot
    ) {
      throw this.#malformed("its tags are not nested as they should be");
    }
    this.#sawRoot = true;
    const local = localName(name);
    this.#handler.open(local, tag.slice(nameEnd, isEmpty ? -1 : undefined));
    if (isEmpty) this.#handler.close(local);
    else this.#open.push(name);
  }

  #close(name: string): void {
    if (this.#open.pop() !== name) throw this.#malformed("its tags do not match");
    this.#handler.close(localName(name));
  }

  #text(text: string): void {
    if (this.#open.length > 0) {
      this.#handler.text(decodeEntities(text.replace(/\r\n?/g, "\n")));
    } else if (text.trim() !== "") throw this.#malformed("there is text outside of its element");
  }

  #malformed(reason: string): SubmissionError {
    return new SubmissionError(`its part "${this.#part}" is not well-formed XML: ${reason}`);
  }
}

/**
 * The value of an attribute in the text of a start tag; undefined if it is not there.
 *
 * @example
 * ```ts
 * import { attribute } from "./xml.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(attribute(` r:id='1' name = "a &gt; b"`, "name"), "a > b");
 * assert.equal(attribute(` r:id='1'`, "id"), "1", "without its namespace prefix");
 * ```
 */
export function attribute(attributes: string, name: string): string | undefined {
  if (attributes === "") return undefined;
  // Sticky, so that it stops at the first mistake and never starts over: it stays linear.
  const pattern = /\s*([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;
  for (let match = pattern.exec(attributes); match !== null; match = pattern.exec(attributes)) {
    if (localName(match[1]!) === name) return decodeEntities(match[2] ?? match[3] ?? "");
  }
}

/** Index of the `>` that ends a tag: one in quotes is part of an attribute. */
function tagEnd(buffer: string, from: number): number {
  for (let at = from; at < buffer.length; at++) {
    const character = buffer[at]!;
    if (character === ">") return at;
    if (character !== '"' && character !== "'") continue;
    at = buffer.indexOf(character, at + 1);
    if (at === -1) return -1;
  }
  return -1;
}

/** Index of the first white space or slash. */
function endOfName(tag: string): number {
  let at = 0;
  while (at < tag.length && tag.charCodeAt(at) > 0x20 && tag[at] !== "/") at++;
  return at;
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
]);

function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(#x[\da-fA-F]+|#\d+|\w+)?;?/g, (entity, name?: string) => {
    const code = name?.startsWith("#x")
      ? parseInt(name.slice(2), 16)
      : name?.startsWith("#")
      ? parseInt(name.slice(1), 10)
      : ENTITIES.get(name ?? "")?.codePointAt(0) ?? NaN;
    if (!entity.endsWith(";") || !(code > 0 && code <= 0x10ffff)) {
      throw new SubmissionError(`it holds an unknown entity, "${entity.slice(0, 20)}"`);
    }
    return String.fromCodePoint(code);
  });
}
