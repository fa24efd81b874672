// What agents recorded and printed, kept beside the reward for people.

import { redact } from "../providers/redact.ts";
import type { AgentOutput } from "./agent.ts";

/** Most characters of one log. */
const MAX_LOG = 64 * 1024 * 1024;

/** Longest part of a file's name that a label makes. */
const MAX_LABEL = 80;

/** The logs of one judge. Every name is new, so nothing that lies there is written over. */
export class JudgeLogs {
  /** Absolute paths, in the order in which they were written. */
  readonly paths: string[] = [];
  /** Why a log is not there, for people. */
  readonly warnings: string[] = [];
  readonly #folder: string | null;
  readonly #agent: string;
  readonly #secrets: readonly string[];

  /**
   * @param folder Where they go; `null` keeps none.
   * @param secrets Are not written.
   */
  constructor(folder: string | null, agent: string, secrets: readonly string[]) {
    this.#folder = folder;
    this.#agent = agent;
    this.#secrets = secrets;
  }

  /** Copies an agent's own record of a session. */
  async saveSession(label: string, path: string | null): Promise<void> {
    if (this.#folder === null) return;
    if (path === null) {
      this.warnings.push(`${label}: ${this.#agent} left no record of its session`);
      return;
    }
    let text: string;
    try {
      text = await readRegular(path);
    } catch (error) {
      this.warnings.push(
        `${label}: the record of the session cannot be read: ${(error as Error).message}`,
      );
      return;
    }
    await this.#write(`trajectory.${this.#agent}.${fileLabel(label)}`, "jsonl", text);
  }

  /** Keeps what a run printed that gave no answer; its path, or `null` if it is not kept. */
  async saveOutput(
    label: string,
    { code, stdout, stderr }: AgentOutput,
  ): Promise<string | null> {
    const text = `exit code: ${code}\n\n--- stdout ---\n${stdout}\n--- stderr ---\n${stderr}\n`;
    return await this.#write(`process.${this.#agent}.${fileLabel(label)}`, "txt", text);
  }

  async #write(name: string, extension: string, text: string): Promise<string | null> {
    if (this.#folder === null) return null;
    const path = `${this.#folder}/${name}.${crypto.randomUUID().replaceAll("-", "")}.${extension}`;
    try {
      await Deno.mkdir(this.#folder, { recursive: true });
      // Through no link that somebody has put there.
      await Deno.writeTextFile(path, redact(text, this.#secrets), { createNew: true });
      this.paths.push(path);
      return path;
    } catch (error) {
      this.warnings.push(`${path} cannot be written: ${(error as Error).message}`);
      return null;
    }
  }
}

/**
 * Reads a file that an agent wrote: at most {@link MAX_LOG} bytes of it, and no link, FIFO or
 * device.
 */
export async function readRegular(path: string): Promise<string> {
  const { isFile, size } = await Deno.lstat(path);
  if (!isFile) throw new Error("it is not a regular file");
  if (size <= MAX_LOG) return await Deno.readTextFile(path);
  const file = await Deno.open(path);
  try {
    const bytes = new Uint8Array(MAX_LOG);
    for (let at = 0; at < MAX_LOG;) {
      const count = await file.read(bytes.subarray(at));
      if (count === null) break;
      at += count;
    }
    return `${new TextDecoder().decode(bytes)}\n[${size - MAX_LOG} more bytes]\n`;
  } finally {
    file.close();
  }
}

/** A criterion's name can hold anything. */
function fileLabel(label: string): string {
  return label.replace(/[^\w-]+/g, "_").slice(0, MAX_LABEL);
}
