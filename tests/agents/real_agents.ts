// The real programs of agents, pointed to a stand-in for their models.

import { agentNamed } from "../../judges/agents/registry.ts";
import { findProgram } from "../../judges/agents/program.ts";
import { RewardKitError } from "../../src/errors.ts";
import { type CliRun, folder, rewardkit } from "../cli.ts";
import { type Answerer, type ModelServer, type Reply, startModelServer } from "../model_server.ts";

/** The versions that are tested. */
const VERSIONS = { "claude-code": "2.1.197", "codex": "0.171.0" } as const;

/** An agent whose real program is tested. */
export type RealAgent = keyof typeof VERSIONS;

/**
 * Whether a real program can be had; it is installed from npm if it is not there. If it cannot be
 * had, its tests are to be ignored, and one more says why: Deno shows names and counts of ignored
 * tests, but with `--quiet` nothing that is printed while a file loads.
 */
export async function canRun(name: RealAgent): Promise<boolean> {
  try {
    await findProgram(await agentNamed(name), {
      version: VERSIONS[name],
      environment: Deno.env.toObject(),
      workspace: "/nonexistent",
      install: true,
      onNotice: console.log,
    });
    return true;
  } catch (error) {
    if (!(error instanceof RewardKitError)) throw error;
    Deno.test({
      name: `NOT TESTED HERE: the real ${name}: ${error.message}`,
      ignore: true,
      fn: () => {},
    });
    return false;
  }
}

/** What the graded agent left, and what the judge is told. */
export interface Setup {
  workspace?: Record<string, string>;
  /** Further lines of `[judge]`. */
  settings?: string;
  /** Tables after `[judge]`. */
  servers?: string;
  script: readonly Reply[] | Answerer;
}

/** A judge with a real program, its model's stand-in, and a workspace. */
export class RealBench implements AsyncDisposable {
  readonly server: ModelServer;
  readonly tests: string;
  readonly workspace: string;
  /** Home of the user, and temporary folder: what is left in them shows what was not removed. */
  readonly home: string;
  readonly temporary: string;
  readonly #disposables: AsyncDisposable[];

  private constructor(
    server: ModelServer,
    folders: readonly ({ path: string } & AsyncDisposable)[],
  ) {
    this.server = server;
    this.#disposables = [server, ...folders];
    [this.tests, this.workspace, this.home, this.temporary] = folders.map(({ path }) => path) as [
      string,
      string,
      string,
      string,
    ];
  }

  static async make(agent: RealAgent, setup: Setup): Promise<RealBench> {
    const toml = [
      `[judge]\njudge = "${agent}"\nversion = "${VERSIONS[agent]}"\ntimeout = 60`,
      setup.settings ?? "",
      setup.servers ?? "",
      '[[criterion]]\nname = "ok"\ndescription = "Is it right?"\n',
    ].join("\n");
    const tests = await folder({ "review.toml": toml });
    const workspace = await folder(setup.workspace ?? { "a.txt": "hello\n" });
    const [home, temporary] = [await folder({}), await folder({})];
    const server = startModelServer(setup.script);
    return new RealBench(server, [tests, workspace, home, temporary]);
  }

  /** Variables of the command line: another home, and the user's cache of programs. */
  get env(): Record<string, string> {
    const cache = Deno.env.get("XDG_CACHE_HOME") || `${Deno.env.get("HOME")}/.cache`;
    return {
      ...this.server.environment,
      HOME: this.home,
      TMPDIR: this.temporary,
      XDG_CACHE_HOME: cache,
      DENO_DIR: Deno.env.get("DENO_DIR") || `${cache}/deno`,
    };
  }

  /** Runs the command line to its end. */
  async run(): Promise<CliRun> {
    return await rewardkit([this.tests, "--workspace", this.workspace], { env: this.env });
  }

  /**
   * Starts the command line, and sends it a signal.
   *
   * @param options When; default: as soon as the agent waits for its model.
   * @throws {Error} If the command line ends before that.
   */
  async interrupted(
    signal: Deno.Signal,
    { when = () => this.server.requests.length > 0 }: { when?: () => boolean } = {},
  ): Promise<{ code: number; stdout: string }> {
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "-A", "--quiet", new URL("../../cli.ts", import.meta.url).pathname],
        ...[this.tests, "--workspace", this.workspace, "--output", `${this.home}/out/reward.json`],
      ],
      env: { NO_COLOR: "1", ...this.env },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    let hasEnded = false;
    const ended = child.output().finally(() => hasEnded = true);
    while (!when() && !hasEnded) await sleep(20);
    if (hasEnded) throw new Error(new TextDecoder().decode((await ended).stderr));
    child.kill(signal);
    const { code, stdout } = await ended;
    return { code, stdout: new TextDecoder().decode(stdout) };
  }

  /** What was sent to the model, as one text. */
  get sent(): string {
    return JSON.stringify(this.server.requests.map(({ body }) => body));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const disposable of this.#disposables) await disposable[Symbol.asyncDispose]();
  }
}

/** Waits until something is so, at most ten seconds; says whether it is. */
export async function comesTrue(isSo: () => boolean): Promise<boolean> {
  for (const end = performance.now() + 10_000; !isSo(); await sleep(20)) {
    if (performance.now() > end) return false;
  }
  return true;
}

function sleep(ms: number): Promise<void> {
  return new Promise((wake) => setTimeout(wake, ms));
}

/** Names of everything below a folder, sorted; links are not followed. */
export function namesBelow(root: string): string[] {
  const visit = (folder: string): string[] =>
    [...Deno.readDirSync(`${root}/${folder}`)].flatMap(({ name, isDirectory }) => {
      const path = folder === "" ? name : `${folder}/${name}`;
      return isDirectory ? [path, ...visit(path)] : [path];
    });
  return visit("").sort();
}

/** Lines of processes whose command line or environment holds a text. */
export function processesWith(text: string): string[] {
  return [...Deno.readDirSync("/proc")].flatMap(({ name }) => {
    if (!/^\d+$/.test(name) || Number(name) === Deno.pid) return [];
    try {
      const [line, environment] = ["cmdline", "environ"].map((file) =>
        Deno.readTextFileSync(`/proc/${name}/${file}`).replaceAll("\0", " ")
      );
      return `${line} ${environment}`.includes(text) ? [line!] : [];
    } catch {
      return [];
    }
  });
}
