// The folders and processes of a run: set up before anything is loaded, gone when it is over.

import { ProcessGroups, RUN_VARIABLE } from "./command/groups.ts";
import { deadline } from "./deadline.ts";
import type { OsSandbox } from "./confinement/confinement.ts";
import { UsageError } from "./errors.ts";
import { lazily } from "./lazy.ts";
import { Cells, collectingWorker } from "./sandbox/cells.ts";
import type { Confine } from "./sandbox/grade.ts";
import { noPermissions, permissionsFor, type Roots, union } from "./sandbox/permissions.ts";
import type { WorkerPermissions } from "./sandbox/protocol.ts";
import type { View } from "./view/view.ts";
import type { Views } from "./view/views.ts";
import { type LinkRule, readSources, type Sources } from "./sandbox/specifiers.ts";
import type { Settings } from "./settings.ts";

/** What a run needs from the time its folders are known until its processes are gone. */
export interface Stage {
  /** The tests folder as it was given. */
  testsDir: string;
  roots: Roots;
  sources: Sources;
  cells: Cells;
  groups: ProcessGroups;
  privateDir: string;
  /** Makes throw-away views of the workspace. */
  views: { make(): Promise<View> };
  /** Confines the programs of strangers; `null`: they run as they are. */
  confine: Confine | null;
  /** The sandbox that strangers' processes live in; `null`: nobody's do. */
  osSandbox: OsSandbox | null;
  /** What confines strangers: an operating system's sandbox, or `deno` alone; `null`: nobody is. */
  sandbox: string | null;
  /** Ends everything that was started. Returns the ids of processes that would not end. */
  end(): Promise<number[]>;
}

/**
 * Does something with the processes of a run, and ends them, whatever comes of it.
 *
 * @throws {UsageError} If the workspace is not there.
 */
export async function withStage<T>(
  testsDir: string,
  settings: Settings,
  work: (stage: Stage) => Promise<T>,
): Promise<T> {
  const { signal } = settings;
  signal?.throwIfAborted();
  const roots = { workspace: realWorkspace(settings.workspace), tests: realTests(testsDir) };
  const sources = readSources(roots.tests, linkRule(settings));
  const osSandbox = await osSandboxFor(settings);
  signal?.throwIfAborted();
  const privateDir = choosePrivateDir();
  const groups = new ProcessGroups({ folder: privateDir, ownsProcess: settings.ownsProcess });
  const cells = new Cells({
    privateDir,
    mark: { [RUN_VARIABLE]: groups.mark },
    importMap: importMap(sources),
    heapMiB: settings.memoryLimitMiB,
    osSandbox,
    onOutput: outputTap(settings),
  });
  const views = new LazyViews(roots.workspace, privateDir, settings);
  const confine = confining(osSandbox, settings);
  const sandbox = settings.untrusted === null ? null : osSandbox?.name ?? "deno";
  const end = async () => {
    await cells.end();
    await views.end();
    return await groups.endAll();
  };
  let working: Promise<T> | null = null;
  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => {});
  const abort = () => aborted.reject(signal!.reason);
  signal?.addEventListener("abort", abort);
  try {
    // Before the folder is there: no kill comes too early for it to be removed.
    groups.guard();
    Deno.mkdirSync(privateDir, { mode: 0o700 });
    // It starts while the rest of this program is loaded and the folder is read.
    if (settings.untrusted === null && sources.texts.size > 0) {
      cells.shared(likelyPermissions(roots), collectingWorker(roots));
    }
    const stage = {
      testsDir,
      roots,
      sources,
      cells,
      groups,
      privateDir,
      views,
      confine,
      osSandbox,
      sandbox,
      end,
    };
    working = work(stage);
    return await Promise.race([working, aborted.promise]);
  } finally {
    signal?.removeEventListener("abort", abort);
    await end();
    if (signal?.aborted) await settled(working);
    await Deno.remove(privateDir, { recursive: true }).catch(() => {});
    // What was being made when the run was interrupted may come after that.
    await groups.unguard(!signal?.aborted);
  }
}

/** Seconds that interrupted work gets to notice: it may be about to write into the run's folder. */
const SETTLE_SEC = 2;

async function settled(working: Promise<unknown> | null): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const limit = deadline(SETTLE_SEC, resolve);
  await Promise.race([working?.catch(() => {}), late]);
  limit.cancel();
}

/** Views of the workspace, whose code is loaded with the first. */
class LazyViews {
  #views: Promise<Views> | null = null;
  readonly #load: () => Promise<Views>;

  constructor(
    workspace: string,
    privateDir: string,
    { isolation, onEvent }: Settings,
  ) {
    this.#load = async () => {
      const { Views } = await lazily<typeof import("./view/views.ts")>(
        "./view/views.ts",
        import.meta.url,
      );
      const onWarning = (message: string) => onEvent({ type: "warning", message });
      return new Views({ workspace, privateDir, isolation, onWarning });
    };
  }

  async make(): Promise<View> {
    return await (await (this.#views ??= this.#load())).make();
  }

  async end(): Promise<void> {
    await (await this.#views)?.end();
  }
}

/** Deno follows links; an operating system's sandbox shows what they lead to only if it is granted. */
function linkRule({ untrusted }: Settings): LinkRule {
  return untrusted?.sandbox === "deno" ? "folder" : "tests";
}

/** @throws {UsageError} If strangers are to be kept in one, and there is none. */
async function osSandboxFor({ untrusted }: Settings): Promise<OsSandbox | null> {
  if (untrusted?.sandbox !== "os") return null;
  const { findOsSandbox } = await lazily<typeof import("./confinement/find.ts")>(
    "./confinement/find.ts",
    import.meta.url,
  );
  return await findOsSandbox();
}

/** What a stranger may start sees what the ceiling says, and may change the workspace. */
function confining(osSandbox: OsSandbox | null, { untrusted }: Settings): Confine | null {
  if (osSandbox === null || untrusted === null) return null;
  const { read, write, net } = untrusted.allow;
  return (argv, { workspace, cwd }) =>
    osSandbox.wrap(argv, {
      read: read === true ? [] : read,
      write: [...(write === true ? [] : write), workspace],
      net: net === true || net.length > 0,
      cwd,
    });
}

/** Longest path of a folder in which a Unix socket can still have a name. */
const MAX_SOCKET_FOLDER = 90;

/** A path at which nothing is yet. */
function choosePrivateDir(): string {
  const name = `rewardkit-${crypto.randomUUID().slice(0, 18)}`;
  const path = `${Deno.realPathSync(Deno.env.get("TMPDIR") || "/tmp")}/${name}`;
  // A comma cannot be said in the flag that lets the cell use its socket.
  const fits = path.length <= MAX_SOCKET_FOLDER && !path.includes(",");
  return fits ? path : `/tmp/${name}`;
}

function realWorkspace(workspace: string): string {
  try {
    const real = Deno.realPathSync(workspace);
    if (Deno.statSync(real).isDirectory) return real;
  } catch (error) {
    const reason = error instanceof Deno.errors.NotFound
      ? "not found"
      : `cannot be read: ${(error as Error).message}`;
    throw new UsageError(`Workspace ${reason}: ${workspace}`, {
      hint: "Give the folder with the graded work with --workspace",
      cause: error,
    });
  }
  throw new UsageError(`The workspace ${workspace} is not a folder`, {
    hint: "Give the folder with the graded work with --workspace",
  });
}

/** The folder's real path; what is wrong with it is told by whoever reads it. */
function realTests(testsDir: string): string {
  try {
    return Deno.realPathSync(testsDir);
  } catch {
    return testsDir;
  }
}

/** What Reward Kit's own name stands for in check files. */
export function importMap({ ownSpecifiers }: Sources): Record<string, string> {
  const checks = new URL("../checks.ts", import.meta.url).href;
  return {
    ...Object.fromEntries([...ownSpecifiers].map((name) => [name, checks])),
    ...CODEC_PACKAGES,
  };
}

/**
 * Packages that built-ins load. A cell has no `deno.json`, so a checkout's bare names would mean
 * nothing to it; in a published package they are written out.
 */
const CODEC_PACKAGES = { "@jsquash/jpeg/": "npm:/@jsquash/jpeg@1.6.0/" };

/** Most bytes of what check files print that are passed on: a log must not be filled. */
const MAX_OUTPUT_BYTES = 64 * 1024;

function outputTap({ onEvent }: Settings): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder();
  let left = MAX_OUTPUT_BYTES;
  return (bytes) => {
    if (left <= 0) return;
    onEvent({ type: "output", text: decoder.decode(bytes.subarray(0, left), { stream: true }) });
    left -= bytes.length;
    if (left > 0) return;
    onEvent({ type: "output", text: "\n" });
    onEvent({
      type: "warning",
      message: `check files print more than the ${MAX_OUTPUT_BYTES / 1024} KiB that are shown`,
    });
  };
}

/** What most check files need, so that one cell can load and run them. */
export function likelyPermissions(roots: Roots): WorkerPermissions {
  return union(noPermissions(), permissionsFor([{ needs: [], readsByDefault: true }], roots));
}
