// Messages between coordinator and cell: JSON, a line each, over a Unix socket of their own.

import { SandboxError } from "../errors.ts";

/** Longest message in bytes: room for a command's whole output and for 5,000 declarations. */
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;

const NEWLINE = 0x0a;

/** One end of the channel. */
export class Channel {
  readonly #connection: Deno.Conn;
  readonly #token: string;
  #writing: Promise<void> = Promise.resolve();

  /**
   * @param token Stands before each message that is sent, so that nobody else who gets hold of the
   * socket's descriptor in this process can forge one.
   */
  constructor(connection: Deno.Conn, token = "") {
    this.#connection = connection;
    this.#token = token;
  }

  /** Queues a message; whether it arrived shows in the answer. */
  send(message: unknown): void {
    const bytes = new TextEncoder().encode(`${this.#token}${JSON.stringify(message)}\n`);
    this.#writing = this.#writing.then(() => writeAll(this.#connection, bytes)).catch(() => {});
  }

  /**
   * The messages that arrive, until the other end closes.
   *
   * @param token What must stand before each.
   * @throws {SandboxError} If a message has no such token, is too long or no JSON.
   */
  async *receive(token = ""): AsyncGenerator<unknown> {
    const pending = new Pending();
    const buffer = new Uint8Array(64 * 1024);
    while (true) {
      const count = await this.#connection.read(buffer).catch(() => null);
      if (count === null) return;
      let from = 0;
      for (let end = buffer.indexOf(NEWLINE); end !== -1 && end < count;) {
        pending.add(buffer.subarray(from, end));
        yield parse(pending.take(), token);
        from = end + 1;
        end = buffer.indexOf(NEWLINE, from);
      }
      if (from === count) continue;
      pending.add(buffer.subarray(from, count));
    }
  }

  close(): void {
    try {
      this.#connection.close();
    } catch {
      // The other end's death closed it.
    }
  }
}

async function writeAll(connection: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    written += await connection.write(bytes.subarray(written));
  }
}

/** A message as far as it has arrived, in one buffer: it may come byte by byte. */
class Pending {
  #bytes: Uint8Array = new Uint8Array(64 * 1024);
  #length = 0;

  /** @throws {SandboxError} If it gets too long. */
  add(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > MAX_MESSAGE_BYTES) throw new SandboxError("A message is too long");
    if (length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(length, 2 * this.#bytes.length));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    this.#bytes.set(piece, this.#length);
    this.#length = length;
  }

  /**
   * The message, as text.
   *
   * @throws {SandboxError} If it holds too many values.
   */
  take(): string {
    const bytes = this.#bytes.subarray(0, this.#length);
    if (bytes.length > UNCHECKED_BYTES) refuseFlood(bytes);
    const text = new TextDecoder().decode(bytes);
    this.#length = 0;
    if (this.#bytes.length > UNCHECKED_BYTES) this.#bytes = new Uint8Array(64 * 1024);
    return text;
  }
}

/** Most bytes of a message whose values are not counted. */
const UNCHECKED_BYTES = 1024 * 1024;

/** Most values, and deepest nesting, of a long message: real ones are a few long texts. */
const MAX_VALUES = 1_000_000;
const MAX_DEPTH = 300;

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, OPEN_OBJECT, CLOSE_LIST, CLOSE_OBJECT] = [
  ...'"\\,[{]}',
].map((character) => character.charCodeAt(0));

/** The parser of the engine needs a hundred times the memory of a flood of empty lists. */
function refuseFlood(bytes: Uint8Array): void {
  let values = 0;
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes[at];
    if (code === QUOTE) at = endOfText(bytes, at);
    else if (code === COMMA) values++;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      values++;
      depth++;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
    if (values > MAX_VALUES || depth > MAX_DEPTH) {
      throw new SandboxError("A message holds too many values");
    }
  }
}

/** Index of the closing quotation mark. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = bytes.indexOf(QUOTE!, start + 1);
  while (at !== -1 && isEscaped(bytes, at)) at = bytes.indexOf(QUOTE!, at + 1);
  return at === -1 ? bytes.length : at;
}

function isEscaped(bytes: Uint8Array, at: number): boolean {
  let backslashes = 0;
  while (bytes[at - 1 - backslashes] === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

function parse(line: string, token: string): unknown {
  if (!line.startsWith(token)) throw new SandboxError("A message came without its token");
  try {
    return JSON.parse(line.slice(token.length));
  } catch {
    throw new SandboxError("A message is no JSON");
  }
}
