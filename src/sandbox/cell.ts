// A cell as the coordinator sees it: a process that hosts Workers, and can be killed.

import type { OsSandbox } from "../confinement/confinement.ts";
import { deadline } from "../deadline.ts";
import { SandboxError } from "../errors.ts";
import type { View } from "../view/view.ts";
import { cellProgram, lazyFolders } from "./cell_program.ts";
import { Channel } from "./channel.ts";
import type { CellWorker, WorkerListener, WorkerRequest } from "./cell_worker.ts";
import { union } from "./permissions.ts";
import { parseFromCell, type ToCell, type ToWorker, type WorkerPermissions } from "./protocol.ts";
import { Spare } from "./spare.ts";
import { startProgram } from "../own_children.ts";

/** What is the same for every cell of a run. */
export interface CellSettings {
  /** Folder of the run's own, which nobody else can enter; the channel's socket lies in it. */
  privateDir: string;
  /** Variable by which the processes of the run are known. */
  mark: Readonly<Record<string, string>>;
  /** Specifiers in check files that mean this copy of Reward Kit, and what they stand for. */
  importMap: Record<string, string>;
  /** Largest heap of one Worker in MiB. */
  heapMiB: number;
  /** Where cells of strangers run; `null`: in Deno's own sandbox alone. */
  osSandbox?: OsSandbox | null;
  /** Takes what Workers print. */
  onOutput: (bytes: Uint8Array) => void;
}

/** What is particular to one cell. */
export interface CellOptions {
  /**
   * A Worker that the process opens as soon as it runs, before it is even heard of: somebody will
   * ask for it.
   */
  first?: WorkerRequest;
  /** A stranger's check file is loaded into it. Default false. */
  isStranger?: boolean;
  /** The view of the workspace that it lives in. Default: none. */
  view?: View;
}

/** Longest that a cell may take to say its first word, in seconds. */
const START_LIMIT_SEC = 30;

/** A running cell. Everything in it ends with {@link Cell.kill}, busy or not. */
export class Cell {
  readonly permissions: WorkerPermissions;
  /** What is being computed in it; when it dies and there is one entry, that one did it. */
  readonly running = new Set<unknown>();
  /** URLs of the check files that it has been told to load. */
  readonly #files = new Set<string>();
  readonly #child: Deno.ChildProcess;
  readonly #listeners = new Map<number, WorkerListener>();
  readonly #queued: ToCell[] = [];
  /** Workers opened ahead, by what was asked for. */
  readonly #spares = new Map<string, { spare: Spare; worker: CellWorker }>();
  #channel: Channel | null = null;
  #opened = 0;
  #lost: string | null = null;
  /** Settles when the process is gone. */
  readonly ended: Promise<void>;

  private constructor(
    child: Deno.ChildProcess,
    permissions: WorkerPermissions,
    connecting: Promise<Deno.Conn>,
  ) {
    this.#child = child;
    this.permissions = permissions;
    this.ended = child.status.then(({ code, signal }) => {
      const isOutOfMemory = code === 133 || code === 134;
      const reason = isOutOfMemory ? "ran out of memory" : `ended its process with code ${code}`;
      // Anybody can have killed it: whoever does it to itself does it again.
      this.#lose(reason, signal === "SIGKILL");
    });
    connecting.then((connection) => this.#listen(connection), (error) => {
      this.kill(`did not start: ${error.message}`);
    });
  }

  /**
   * Starts the process; Workers can be opened at once.
   *
   * @param permissions The most that its Workers may do.
   */
  static start(
    settings: CellSettings,
    permissions: WorkerPermissions,
    { first, isStranger = false, view }: CellOptions = {},
  ): Cell {
    const socket = `${settings.privateDir}/${crypto.randomUUID().slice(0, 8)}`;
    const listener = Deno.listen({ transport: "unix", path: socket });
    const { argv, env } = cellProgram({
      ...settings,
      permissions,
      socket,
      isStranger,
      ...(view !== undefined && { view }),
      ...(first !== undefined && { first: JSON.stringify(opening(0, first)) }),
    });
    const child = startProgram(argv[0]!, {
      args: argv.slice(1),
      clearEnv: true,
      env,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    });
    for (const stream of [child.stdout, child.stderr]) void drain(stream, settings.onOutput);
    const cell = new Cell(child, permissions, acceptOne(listener, socket, child));
    if (first !== undefined) cell.#keep(first, (spare) => cell.#add(first, spare));
    return cell;
  }

  get isLost(): boolean {
    return this.#lost !== null;
  }

  /**
   * Opens a Worker, or takes one that was opened ahead if it is just the same; its messages go to
   * `listener`.
   */
  open(request: WorkerRequest, listener: WorkerListener): CellWorker {
    const key = JSON.stringify(request);
    const ahead = this.#spares.get(key);
    this.#spares.delete(key);
    if (ahead !== undefined) {
      ahead.spare.handTo(listener);
      return ahead.worker;
    }
    if (this.#lost === null) this.#send(opening(this.#opened, request));
    return this.#add(request, listener);
  }

  /** Opens a Worker on the guess that somebody will ask for just this one. */
  openAhead(request: WorkerRequest): void {
    this.#keep(request, (spare) => this.open(request, spare));
  }

  #keep(request: WorkerRequest, open: (spare: Spare) => CellWorker): void {
    const spare = new Spare();
    const worker = open(spare);
    this.#spares.set(JSON.stringify(request), { spare, worker });
  }

  /** Listens to a Worker that the process has been told to open, and prepares it. */
  #add({ setting }: WorkerRequest, listener: WorkerListener): CellWorker {
    const worker = this.#opened++;
    if (this.#lost !== null) queueMicrotask(() => listener.onLost(this.#lost!, false));
    else this.#listeners.set(worker, listener);
    if (setting !== undefined) {
      this.#send({ type: "post", worker, message: { type: "prepare", setting } });
    }
    return {
      cell: this,
      post: (message) => this.#send({ type: "post", worker, message }),
      close: () => {
        if (!this.#listeners.delete(worker)) return;
        this.#send({ type: "close", worker });
      },
    };
  }

  /**
   * Ends the process, whatever its Workers do.
   *
   * @param isBlamed Somebody has been blamed already, or nobody is.
   */
  kill(reason = "was ended", isBlamed = true): void {
    this.#lose(reason, isBlamed);
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // It is dead already.
    }
  }

  /**
   * Whether what is running must have done it. Code of another file may still be at work although
   * what it was asked for has ended: it may have left a timer.
   */
  #isOneToBlame(): boolean {
    return this.running.size === 1 && this.#files.size <= 1;
  }

  #send(message: ToCell): void {
    if (message.type === "post") this.#noteFile(message.message);
    if (this.#channel === null) this.#queued.push(message);
    else this.#channel.send(message);
  }

  #noteFile(message: ToWorker): void {
    const file = message.type === "collect"
      ? message.file
      : message.type === "prepare"
      ? message.setting.file
      : undefined;
    if (file !== undefined) this.#files.add(file);
  }

  async #listen(connection: Deno.Conn): Promise<void> {
    // Known to the cell's main thread only, so that a Worker that gets at the socket cannot speak
    // for another.
    const token = crypto.randomUUID();
    const channel = new Channel(connection);
    channel.send({ type: "start", token } satisfies ToCell);
    this.#channel = channel;
    for (const message of this.#queued.splice(0)) channel.send(message);
    try {
      for await (const value of channel.receive(token)) {
        const message = parseFromCell(value);
        const listener = this.#listeners.get(message.worker);
        if (message.type === "message") listener?.onMessage(message.message);
        else {
          this.#listeners.delete(message.worker);
          listener?.onLost(message.reason, this.#isOneToBlame());
        }
      }
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error;
      this.kill(error.message, false);
    } finally {
      channel.close();
      // The process may take a moment to be gone; its status tells why.
      await Promise.race([this.ended, new Promise<void>((resolve) => deadline(0.2, resolve))]);
      this.kill("closed its channel");
    }
  }

  #lose(reason: string, isBlamed = false): void {
    if (this.#lost !== null) return;
    this.#lost = reason;
    const isAlone = !isBlamed && this.#isOneToBlame();
    for (const listener of this.#listeners.values()) listener.onLost(reason, isAlone);
    this.#listeners.clear();
  }
}

/** Asks the process for a Worker, which may load our own modules beside what it is granted. */
function opening(worker: number, { entry, permissions }: WorkerRequest): ToCell {
  const own = union(permissions, { read: lazyFolders() });
  return { type: "open", worker, entry, permissions: own };
}

/** The first to connect is the cell; nobody else can, since the socket is gone then. */
async function acceptOne(
  listener: Deno.UnixListener,
  socket: string,
  child: Deno.ChildProcess,
): Promise<Deno.Conn> {
  const limit = deadline(START_LIMIT_SEC, () => listener.close());
  void child.status.then(() => {
    try {
      listener.close();
    } catch {
      // It has accepted.
    }
  });
  try {
    return await listener.accept();
  } finally {
    limit.cancel();
    try {
      listener.close();
    } catch {
      // Closed by the timer or by the child's death.
    }
    await Deno.remove(socket).catch(() => {});
  }
}

async function drain(
  stream: ReadableStream<Uint8Array>,
  onOutput: (bytes: Uint8Array) => void,
): Promise<void> {
  try {
    for await (const chunk of stream) onOutput(chunk);
  } catch {
    // The process was killed in the middle of a word.
  }
}
