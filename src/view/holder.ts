// The process that holds a view's namespaces, as the coordinator sees it.

import { deadline } from "../deadline.ts";
import { SandboxError } from "../errors.ts";
import { HOLDER_SCRIPT } from "./holder_script.ts";
import { systemPath } from "./programs.ts";
import { Refusal, type Step } from "./refusal.ts";
import { startProgram } from "../own_children.ts";

/** What a holder is to make. */
export interface HolderOptions {
  /** Absolute path of `unshare`. */
  unshare: string;
  /** Whether it gets a user namespace, in which it is root. */
  ownsUsers: boolean;
  /** Absolute path of the view's folder. */
  folder: string;
  workspace: string;
  /** Absolute path of `fuse-overlayfs`; `null` is the kernel's overlayfs. */
  fuse: string | null;
  /** Options of the mount, each with a comma in front. */
  options: string;
  layers: "disk" | "memory";
  /** Whether it is to be found out if the layers are good for anything. */
  tries: boolean;
  /** Paths, from the workspace, at which something else is mounted; outer ones first. */
  mounted: readonly string[];
}

/** Seconds in which mounts are made, or namespaces cleared. */
const PATIENCE_SEC = 20;

/**
 * A process that is the first of its own process namespace, and in its own mount namespace. When it
 * ends, the kernel kills whatever lives there; it ends with this process.
 */
export class Holder {
  /** Its number, as seen from here. */
  readonly pid: number;
  readonly #child: Deno.ChildProcess;
  #isEnding = false;
  #hasEnded = false;

  private constructor(child: Deno.ChildProcess, pid: number) {
    this.pid = pid;
    this.#child = child;
    child.status.then(() => this.#hasEnded = true);
    // A view that somebody has forgotten does not keep this process alive.
    child.unref();
  }

  /** @throws {Refusal} If the system does not allow it. */
  static async start(options: HolderOptions): Promise<Holder> {
    const child = spawn(options);
    const limit = deadline(PATIENCE_SEC, () => kill(child));
    const answer = await firstLine(child.stdout);
    limit.cancel();
    const [word, detail] = answer.split(" ");
    if (word === "ok") {
      await child.stderr.cancel();
      return new Holder(child, Number(detail));
    }
    await child.stdin.close().catch(() => {});
    const said = await new Response(child.stderr).text();
    await child.status;
    throw new Refusal((detail as Step | undefined) ?? "namespace", said);
  }

  /** @throws {SandboxError} If something has ended it: nobody must be led outside in its stead. */
  requireAlive(): void {
    if (this.#hasEnded && !this.#isEnding) {
      throw new SandboxError("The view of an isolated criterion was ended by something else", {
        hint: "Perhaps the machine has run out of memory",
      });
    }
  }

  /** Kills what lives in the namespaces and waits until it is dead. */
  async end(): Promise<void> {
    this.#isEnding = true;
    this.#child.ref();
    const limit = deadline(PATIENCE_SEC, () => kill(this.#child));
    await this.#child.stdin.close().catch(() => {});
    await this.#child.status;
    limit.cancel();
  }
}

function spawn(
  { unshare, ownsUsers, folder, workspace, fuse, options, layers, tries, mounted }: HolderOptions,
): Deno.ChildProcess {
  const namespaces = ["--mount", "--pid", "--fork", "--kill-child", "--propagation", "private"];
  const users = ownsUsers ? ["--user", "--map-root-user"] : [];
  const script = ["/bin/sh", "-c", HOLDER_SCRIPT, "sh"];
  const named = [folder, workspace, fuse ?? "", options, layers, tries ? "try" : ""];
  const { mode, uid, gid } = Deno.statSync(workspace);
  const said = `${(mode! & 0o7777).toString(8)} ${uid}:${gid}`;
  return startProgram(unshare, {
    args: [...users, ...namespaces, ...script, ...named, ownsUsers ? "own" : "", said, ...mounted],
    cwd: "/",
    clearEnv: true,
    env: { PATH: systemPath(), LC_ALL: "C" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    // What a terminal sends to its foreground group is none of its business.
    detached: true,
  });
}

function kill(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It has ended.
  }
}

/** Empty if there is none. Nobody reads on. */
async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const part of stream.pipeThrough(new TextDecoderStream())) {
    text += part;
    if (text.includes("\n")) break;
  }
  return text.split("\n")[0]!.trim();
}
