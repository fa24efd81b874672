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
    let pending: Uint8Array[] = [];
    let pendingBytes = 0;
    const buffer = new Uint8Array(64 * 1024);
    while (true) {
      const count = await this.#connection.read(buffer).catch(() => null);
      if (count === null) return;
      let from = 0;
      for (let end = buffer.indexOf(NEWLINE); end !== -1 && end < count;) {
        yield parse(joined(pending, pendingBytes, buffer.subarray(from, end)), token);
        pending = [];
        pendingBytes = 0;
        from = end + 1;
        end = buffer.indexOf(NEWLINE, from);
      }
      if (from === count) continue;
      pending.push(buffer.slice(from, count));
      pendingBytes += count - from;
      if (pendingBytes > MAX_MESSAGE_BYTES) throw new SandboxError("A message is too long");
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

function joined(pending: Uint8Array[], pendingBytes: number, last: Uint8Array): string {
  const decoder = new TextDecoder();
  if (pendingBytes === 0) return decoder.decode(last);
  const bytes = new Uint8Array(pendingBytes + last.length);
  let at = 0;
  for (const part of [...pending, last]) {
    bytes.set(part, at);
    at += part.length;
  }
  return decoder.decode(bytes);
}

function parse(line: string, token: string): unknown {
  if (!line.startsWith(token)) throw new SandboxError("A message came without its token");
  try {
    return JSON.parse(line.slice(token.length));
  } catch {
    throw new SandboxError("A message is no JSON");
  }
}
