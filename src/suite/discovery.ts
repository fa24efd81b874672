// Reads a tests folder: what scores in it, and how it is configured.

import { UsageError } from "../errors.ts";
import { lazily } from "../lazy.ts";
import type { JudgeOptions } from "./judge_toml.ts";
import { nearest } from "../nearest.ts";
import { Problems } from "./problems.ts";
import { readRewardToml, type RewardToml } from "./reward_toml.ts";
import type { CheckFile, Folder, JudgeFile, Suite } from "./suite.ts";
import type { Table } from "./table.ts";

/** A criterion that a Python check file calls. */
const PYTHON_NAME_REGEXP = /\b(?:rk|rewardkit)\.([a-z]+(?:_[a-z]+)+)\(/;

/** How to read a tests folder. */
export interface SuiteOptions extends JudgeOptions {
  /** Let several agents share the workspace. */
  yolo?: boolean;
}

const CHECK_FILE_REGEXP = /^(.+)\.(?:ts|mts|js|mjs)$/;
const DECLARATION_REGEXP = /\.d\.m?ts$/;
const PYTHON_CHECKS_REGEXP = /^[ \t]*(?:from[ \t]+rewardkit\b|import[ \t].*\brewardkit\b)/m;

/**
 * Reads a tests folder, without loading any of its check files.
 *
 * Hidden files, folders whose names start with "." or "__", `node_modules`, and links to folders
 * are left out.
 *
 * @throws {UsageError} If there is no such folder, or it cannot be read.
 * @throws {DiscoveryError} If anything in it is wrong; holds every problem.
 *
 * @example
 * ```ts ignore
 * import { readSuite } from "./discovery.ts";
 *
 * const suite = await readSuite("/tests");
 * console.log(suite.checkFiles.map((file) => file.id));
 * ```
 */
export async function readSuite(testsDir: string, options: SuiteOptions = {}): Promise<Suite> {
  const discovery = new Discovery(realFolder(testsDir), testsDir, options);
  return await discovery.read();
}

function realFolder(testsDir: string): string {
  let path: string;
  let isDirectory: boolean;
  try {
    path = Deno.realPathSync(testsDir);
    isDirectory = Deno.statSync(path).isDirectory;
  } catch (error) {
    throw new UsageError(
      error instanceof Deno.errors.NotFound
        ? `Tests folder not found: ${testsDir}`
        : `Cannot read the tests folder ${testsDir}: ${(error as Error).message}`,
      { cause: error },
    );
  }
  if (!isDirectory) throw new UsageError(`The tests folder ${testsDir} is a file, not a folder`);
  return path;
}

class Discovery {
  readonly #problems = new Problems();
  readonly #checkFiles: CheckFile[] = [];
  readonly #judges: JudgeFile[] = [];
  readonly #ignored: string[] = [];

  constructor(
    readonly testsDir: string,
    readonly shown: string,
    readonly options: SuiteOptions,
  ) {}

  async read(): Promise<Suite> {
    const root = await this.#readFolder("", "");
    if (this.options.yolo !== true && this.#judges.length > 0) await this.#refuseSharing();
    this.#problems.throwIfAny();
    return {
      testsDir: this.testsDir,
      shown: this.shown,
      checkFiles: this.#checkFiles.sort(byId),
      judges: this.#judges.sort(byId),
      root,
      ignored: this.#ignored,
      warnings: this.#problems.warnings,
    };
  }

  async #readFolder(id: string, name: string): Promise<Folder> {
    const checkFiles: CheckFile[] = [];
    const judges: JudgeFile[] = [];
    const folders: Folder[] = [];
    let reward: RewardToml = { rewards: [], scoring: new Map() };

    for (const entry of this.#entries(id)) {
      const file = this.#place(id, entry.name);
      const stem = checkStem(entry.name);
      if (entry.isDirectory) {
        folders.push(await this.#readFolder(file.id, entry.name));
      } else if (stem !== undefined) {
        checkFiles.push({ ...file, stem });
      } else if (entry.name.endsWith(".py")) {
        await this.#refusePythonChecks(file);
      } else if (entry.name === "reward.toml") {
        const table = await this.#parse(file);
        if (table !== undefined) reward = readRewardToml(table, id === "");
      } else if (entry.name.endsWith(".toml")) {
        const judge = await this.#readJudge({ ...file, stem: entry.name.slice(0, -5) });
        if (judge !== undefined) judges.push(judge);
      }
    }
    this.#checkFiles.push(...checkFiles);
    this.#judges.push(...judges);
    return { id, shown: below(this.shown, id), name, checkFiles, judges, folders, ...reward };
  }

  /** What may score, sorted by name. */
  #entries(id: string): Deno.DirEntry[] {
    const path = below(this.testsDir, id);
    let entries: Deno.DirEntry[];
    try {
      entries = [...Deno.readDirSync(path)];
    } catch (error) {
      const message = `cannot be read: ${(error as Error).message}`;
      if (id === "") throw new UsageError(`The tests folder ${this.shown} ${message}`);
      this.#problems.add({ file: below(this.shown, id) }, message);
      return [];
    }
    return entries
      .filter(({ name }) => !name.startsWith("."))
      .sort((a, b) => a.name < b.name ? -1 : 1)
      .flatMap((entry) => this.#resolve(id, entry) ?? []);
  }

  /** Decides about links and special files; only folders and readable files remain. */
  #resolve(id: string, entry: Deno.DirEntry): Deno.DirEntry | undefined {
    const { name } = entry;
    if (entry.isDirectory) {
      return name.startsWith("__") || name === "node_modules" ? undefined : entry;
    }
    if (entry.isFile || !mayScore(name) && !entry.isSymlink) return entry;
    const { path, shown } = this.#place(id, name);
    let target: Deno.FileInfo | undefined;
    try {
      target = Deno.statSync(path);
    } catch {
      // A broken link; what it would have been tells whether that matters.
    }
    if (target?.isFile) return { name, isFile: true, isDirectory: false, isSymlink: false };
    if (target?.isDirectory) {
      this.#problems.warn(shown, "is a link to a folder and is not followed");
    } else if (mayScore(name)) {
      this.#problems.add(
        { file: shown },
        target === undefined ? "is a link that leads nowhere" : "is not a regular file",
      );
    }
    return undefined;
  }

  #place(folder: string, name: string): Omit<CheckFile, "stem"> {
    const id = folder === "" ? name : `${folder}/${name}`;
    return { path: below(this.testsDir, id), id, shown: below(this.shown, id), folder };
  }

  async #refusePythonChecks({ path, shown }: Omit<CheckFile, "stem">): Promise<void> {
    const source = new TextDecoder().decode(this.#readBytes(path, shown));
    if (!PYTHON_CHECKS_REGEXP.test(source)) return;
    const used = PYTHON_NAME_REGEXP.exec(source)?.[1] ?? "file_exists";
    const { functionNameOf } = await lazily<typeof import("../criterion/builtin.ts")>(
      "../criterion/builtin.ts",
      import.meta.url,
    );
    this.#problems.add(
      { file: shown },
      "is a Python check file (it imports rewardkit), which cannot be run",
      `Rewrite it as a .ts file that has import * as rk from "@rewardkit/cli": rk.${used}(…) ` +
        `becomes rk.${
          functionNameOf(used)
        }(…), options go into an object at the end; see docs/python.md`,
    );
  }

  async #readJudge(file: CheckFile): Promise<JudgeFile | undefined> {
    const table = await this.#parse(file);
    if (table === undefined) return undefined;
    if (table.has("judge") || table.has("criterion")) {
      const { readJudgeToml } = await lazily<typeof import("./judge_toml.ts")>(
        "./judge_toml.ts",
        import.meta.url,
      );
      return { ...file, config: readJudgeToml(table, file.path, this.options) };
    }
    this.#ignored.push(file.id);
    const slip = table.keys().find((key) => nearest(key, ["judge", "criterion"]) !== undefined) ??
      (file.stem.toLowerCase() === "reward" ? `${file.stem}.toml` : undefined);
    if (slip !== undefined) {
      const meant = nearest(slip, ["judge", "criterion", "reward.toml"]);
      this.#problems.warn(file.shown, `is ignored: it has "${slip}" where "${meant}" may be meant`);
    }
    return undefined;
  }

  async #parse({ path, shown }: Omit<CheckFile, "stem">): Promise<Table | undefined> {
    const bytes = this.#readBytes(path, shown);
    if (bytes === undefined) return undefined;
    const { parseToml } = await lazily<typeof import("./toml.ts")>("./toml.ts", import.meta.url);
    return await parseToml(bytes, shown, this.#problems);
  }

  #readBytes(path: string, shown: string): Uint8Array | undefined {
    try {
      return Deno.readFileSync(path);
    } catch (error) {
      this.#problems.add({ file: shown }, `cannot be read: ${(error as Error).message}`);
      return undefined;
    }
  }

  async #refuseSharing(): Promise<void> {
    const { sharingAgents } = await lazily<typeof import("./agent_runs.ts")>(
      "./agent_runs.ts",
      import.meta.url,
    );
    for (const { shown } of sharingAgents(this.#judges)) {
      this.#problems.add(
        { file: shown },
        "the tests folder makes more than one run of an agent, and this judge is not isolated",
        "Set isolated = true in [judge], or pass --yolo to let them share the workspace",
      );
    }
  }
}

/** Paths are put together by hand: loading `node:path` takes longer than reading a tests folder. */
function below(folder: string, id: string): string {
  return id === "" ? folder : `${folder.replace(/\/+$/, "")}/${id}`;
}

function byId(a: CheckFile, b: CheckFile): number {
  return a.id < b.id ? -1 : 1;
}

function checkStem(name: string): string | undefined {
  return DECLARATION_REGEXP.test(name) ? undefined : CHECK_FILE_REGEXP.exec(name)?.[1];
}

function mayScore(name: string): boolean {
  return checkStem(name) !== undefined || name.endsWith(".toml") || name.endsWith(".py");
}
