// Grades with agent judges whose programs are stand-ins, in folders of the test's own.

import { type CliRun, rewardkit } from "./cli.ts";
import { FakeAgents, type FakeOptions } from "./conformance/fake_agent.ts";

/** What is graded, and by what. */
export interface AgentSetup extends FakeOptions {
  /** Name of the agent. Default: `claude-code`. */
  judge?: string;
  /** Further lines of `[judge]`. */
  settings?: string;
  /** Default: one yes-or-no criterion `ok`. */
  criteria?: string;
  /** Files of the tests folder beside `judge.toml`. */
  tests?: Record<string, string>;
  /** Default: `a.txt`. */
  workspace?: Record<string, string>;
}

/** How one run of the command line differs from others of its setup. */
export interface RunChanges {
  env?: Record<string, string>;
  /** Where it is called. */
  cwd?: string;
  /** In place of grading: `check`. */
  command?: string;
}

/** Keys that an agent finds and no other, as a caller's environment may have them. */
export const KEYS = {
  ANTHROPIC_API_KEY: "sk-ant-KEY-of-the-claude-judge-0001",
  OPENAI_API_KEY: "sk-proj-KEY-of-the-codex-judge-0002",
};

/** Variables that would change what a test finds. */
const UNSET = [
  ...["ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CONFIG_DIR"],
  ...["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"],
  ...["CODEX_API_KEY", "CODEX_AUTH_JSON", "OPENAI_BASE_URL", "OPENAI_API_BASE"],
  ...["REWARDKIT_JUDGE", "REWARDKIT_MODEL", "REWARDKIT_REASONING_EFFORT", "REWARDKIT_LOG_DIR"],
  ...["REWARDKIT_FORCE_SUBSCRIPTION"],
];

/** One question. */
export const OK = '[[criterion]]\nname = "ok"\ndescription = "Is it right?"\n';

/** Two questions. */
export const TWO = '[[criterion]]\nname = "first"\ndescription = "ALPHA"\n' +
  '[[criterion]]\nname = "second"\ndescription = "BRAVO"\ntype = "likert"\n';

/** A tests folder with an agent judge, a workspace, and programs that stand in for agents. */
export class AgentBench implements AsyncDisposable {
  readonly root: string = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "rewardkit-test-" }));
  readonly tests: string = `${this.root}/tests`;
  readonly workspace: string = `${this.root}/ws`;
  readonly output: string = `${this.root}/out`;
  readonly fakes: FakeAgents;
  /** Folder for temporary ones: what is left in it shows what was not removed. */
  readonly #temporary = `${this.root}/tmp`;

  constructor({ judge = "claude-code", settings = "", criteria = OK, ...setup }: AgentSetup) {
    this.fakes = new FakeAgents(`${this.root}/fake`, setup);
    for (const folder of [this.#temporary, `${this.root}/home`]) Deno.mkdirSync(folder);
    writeAll(this.tests, {
      "judge.toml": `[judge]\njudge = "${judge}"\n${settings}\n${criteria}`,
      ...setup.tests,
    });
    writeAll(this.workspace, setup.workspace ?? { "a.txt": "hello" });
  }

  /** Runs the command line to its end. */
  async run(args: string[] = [], { command, cwd, env }: RunChanges = {}): Promise<CliRun> {
    return await rewardkit([...(command === undefined ? [] : [command]), ...this.#args(args)], {
      output: this.output,
      env: { ...this.env, ...env },
      ...(cwd !== undefined && { cwd }),
    });
  }

  /** Starts the command line. */
  start(args: string[] = []): Deno.ChildProcess {
    return new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "-A", "--quiet", new URL("../cli.ts", import.meta.url).pathname],
        ...this.#args(args),
        ...["--output", `${this.output}/reward.json`],
      ],
      env: this.env,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
  }

  #args(args: readonly string[]): string[] {
    return [this.tests, "--workspace", this.workspace, ...args];
  }

  /** Of the command line; beside what the test itself has. */
  get env(): Record<string, string> {
    return {
      ...Object.fromEntries(UNSET.map((name) => [name, ""])),
      ...ownCaches(),
      ...KEYS,
      HOME: `${this.root}/home`,
      TMPDIR: this.#temporary,
      PATH: `${this.fakes.bin}:${Deno.env.get("PATH")}`,
    };
  }

  /** Names of temporary folders that are there. */
  get temporary(): string[] {
    return namesIn(this.#temporary);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.root, { recursive: true });
  }
}

/** Where this Deno finds what it has downloaded, for runs with a home of their own. */
export function ownCaches(): Record<string, string> {
  const [own, cache, registry] = ["DENO_DIR", "XDG_CACHE_HOME", "NPM_CONFIG_REGISTRY"]
    .map((name) => Deno.env.get(name));
  return {
    DENO_DIR: own || `${cache || `${Deno.env.get("HOME")}/.cache`}/deno`,
    ...(registry !== undefined && { NPM_CONFIG_REGISTRY: registry }),
  };
}

/** Names of what lies in a folder, sorted; none if it is no folder or not there. */
export function namesIn(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    if (error instanceof Deno.errors.NotADirectory) return [];
    throw error;
  }
}

function writeAll(folder: string, files: Record<string, string>): void {
  Deno.mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const path = `${folder}/${name}`;
    Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    Deno.writeTextFileSync(path, text);
  }
}

/** What `claude` prints. */
export function claudeSays(verdict: unknown, changes: Record<string, unknown> = {}): string {
  return JSON.stringify({
    type: "result",
    is_error: false,
    result: "done",
    session_id: "sess-1",
    total_cost_usd: 0.25,
    usage: { input_tokens: 100, output_tokens: 20 },
    ...(verdict !== undefined && { structured_output: verdict }),
    ...changes,
  });
}

/** What `codex` prints, without an answer. */
export const CODEX_EVENTS = [
  { type: "thread.started", thread_id: "th-1" },
  { type: "turn.completed", usage: { input_tokens: 100, output_tokens: 20 } },
].map((event) => `${JSON.stringify(event)}\n`).join("");

/** A verdict. */
export const YES = { reasoning: "because", score: "yes" };
