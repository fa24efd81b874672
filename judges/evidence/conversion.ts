// Documents to Markdown, in a process that can be killed: their formats are large, and they were
// written by whoever is graded.

import { cellEnvironment } from "../../src/command/environment.ts";
import { deadline } from "../../src/deadline.ts";
import { denoProgram } from "../../src/deno_program.ts";
import { OWN_PLACE } from "../../src/own_folder.ts";
import type { DocumentKind } from "./content.ts";
import { startProgram } from "../../src/own_children.ts";

/** The process's program, named as a type so that `deno cache` gets it, and its packages, as well. */
export type DocumentsProgram = typeof import("./documents/main.ts");

/** A document's text, or why there is none. */
export type Converted = { markdown: string; note?: string } | { problem: string };

/** Seconds for one document. */
const TIMEOUT_SEC = 30;

/** Largest heap of the process in MiB. */
const HEAP_MIB = 512;

/** KiB of data, buffers included, which the limit of the heap does not count. */
const DATA_KIB = (HEAP_MIB + 1536) * 1024;

/** Most bytes of the answer. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** Turns a document into Markdown. Never throws for what is in the document. */
export async function convertDocument(kind: DocumentKind, bytes: Uint8Array): Promise<Converted> {
  const entry = new URL("./documents/main.ts", import.meta.url);
  const child = startProgram("/bin/sh", {
    args: [
      ...["-c", 'ulimit -d "$0" 2>/dev/null; exec "$@"', `${DATA_KIB}`, denoProgram()],
      "run",
      "--quiet",
      "--no-prompt",
      "--no-check",
      // A checkout's `deno.json` says what packages are called; what lies around others has no say.
      ...(OWN_PLACE === "checkout" ? [] : ["--no-config", "--no-lock"]),
      `--v8-flags=--max-old-space-size=${HEAP_MIB}`,
      entry.href,
      kind,
    ],
    clearEnv: true,
    env: cellEnvironment({ NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" }),
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  });
  let isLate = false;
  const limit = deadline(TIMEOUT_SEC, () => {
    isLate = true;
    kill(child);
  });
  try {
    // It may end without having read everything.
    const writing = new Response(bytes as Uint8Array<ArrayBuffer>).body!.pipeTo(child.stdin)
      .catch(() => {});
    const text = await readAnswer(child);
    await writing;
    const { success } = await child.status;
    if (isLate) return { problem: `it takes more than ${TIMEOUT_SEC} s to read` };
    if (text === null) return { problem: "its text is too large" };
    return success ? parseAnswer(text) : { problem: "it cannot be read with the memory there is" };
  } finally {
    limit.cancel();
    kill(child);
  }
}

async function readAnswer(child: Deno.ChildProcess): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of child.stdout) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_ANSWER_BYTES) {
      kill(child);
      return null;
    }
  }
  return text;
}

/** The process has read a hostile document: its word is checked like one. */
function parseAnswer(text: string): Converted {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return { problem: "it cannot be read" };
  }
  const { markdown, note, problem } = (answer ?? {}) as Record<string, unknown>;
  if (typeof problem === "string") return { problem };
  if (typeof markdown !== "string") return { problem: "it cannot be read" };
  return { markdown, ...(typeof note === "string" && { note }) };
}

function kill(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It has ended.
  }
}
