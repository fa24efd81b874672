// A run of the command line that something will kill, in folders of its own.

import { ownCaches } from "../agent_run.ts";
import { FakeAgents } from "../conformance/fake_agent.ts";
import { type Process, processesOf, processIds, type Role } from "./processes.ts";
import { AGENT_REPLY, type Suite, WORKSPACE } from "./suite.ts";

const CLI = new URL("../../cli.ts", import.meta.url).pathname;

/** What an earlier run is made to have left at the output path: no run of a suite can give it. */
export const EARLIER = '{"reward": 0.0123}\n';

/** How a run ended, and what it had written by then. */
export interface Ending {
  status: Deno.CommandStatus;
  stderr: string;
  /** Content of the two files; `null` if there is none. */
  reward: string | null;
  details: string | null;
}

/** A run and its folders, which are removed on disposal. */
export class Victim implements AsyncDisposable {
  readonly suite: Suite;
  readonly root: string = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "rewardkit-test-" }));
  readonly output: string = `${this.root}/out`;
  readonly workspace: string = `${this.root}/work`;
  readonly temporary: string = `${this.root}/tmp`;
  readonly #child: Deno.ChildProcess;
  readonly #ended: Promise<Ending>;
  readonly #others: ReadonlySet<number>;
  /** Whether it has ended, by itself or not. */
  hasEnded = false;

  constructor(suite: Suite, env: Record<string, string>) {
    this.suite = suite;
    for (const name of ["tests", "work", "tmp", "out", "home"]) {
      Deno.mkdirSync(`${this.root}/${name}`);
    }
    const fakes = new FakeAgents(`${this.root}/fake`, { replies: [AGENT_REPLY] });
    write(`${this.root}/tests`, suite.files);
    write(this.workspace, WORKSPACE);
    write(this.output, { "reward.json": EARLIER, "reward-details.json": EARLIER });
    const flags = suite.flags.map((flag) => flag.replace("WORKSPACE", this.workspace));
    const places = ["--workspace", this.workspace, "--output", `${this.output}/reward.json`];
    this.#others = processIds();
    this.#child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--quiet", CLI, `${this.root}/tests`, ...places, ...flags],
      env: {
        ...ownCaches(),
        ...env,
        NO_COLOR: "1",
        HOME: `${this.root}/home`,
        TMPDIR: this.temporary,
        PATH: `${fakes.bin}:${Deno.env.get("PATH")}`,
      },
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    this.#ended = this.#end();
  }

  async #end(): Promise<Ending> {
    // Not to its end: what outlives a killed run would keep it open.
    const stderr = new TextCollector(this.#child.stderr);
    const status = await this.#child.status;
    this.hasEnded = true;
    const [reward, details] = ["reward.json", "reward-details.json"]
      .map((name) => readOrNull(`${this.output}/${name}`));
    return { status, stderr: await stderr.take(), reward: reward!, details: details! };
  }

  /** Waits for its end. */
  get ended(): Promise<Ending> {
    return this.#ended;
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Its processes of one role that are there now. */
  processes(role: Role): Process[] {
    return processesOf(this.root, this.#others).filter((process) => process.role === role);
  }

  /** Whether it has come as far as having something to clean up. */
  get hasFolder(): boolean {
    return [...Deno.readDirSync(this.temporary)].length > 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.root, { recursive: true });
  }
}

/** What comes from a stream, which somebody may hold open for ever. */
class TextCollector {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #text = "";

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.getReader();
    void this.#collect();
  }

  async #collect(): Promise<void> {
    for (let part; !(part = await this.#reader.read()).done;) {
      this.#text += this.#decoder.decode(part.value, { stream: true });
    }
  }

  async take(): Promise<string> {
    await this.#reader.cancel();
    return this.#text;
  }
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    Deno.writeTextFileSync(`${folder}/${name}`, text);
  }
}

/** The text of a file; `null` if there is none. */
export function readOrNull(path: string): string | null {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
