// `--watch` through the command line: what makes it grade again, what does not, and how it ends.

import assert from "node:assert/strict";
import { folder } from "./cli.ts";

const CLI = new URL("../cli.ts", import.meta.url).pathname;

/** A watching command line. */
class Watching implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  #stderr = "";
  #stdout = "";
  readonly #read: Promise<unknown>;

  constructor(args: string[]) {
    this.#child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--quiet", CLI, ...args, "--watch"],
      env: { NO_COLOR: "1" },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const { stdout, stderr } = this.#child;
    this.#read = Promise.all([
      collect(stdout, (text) => this.#stdout += text),
      collect(stderr, (text) => this.#stderr += text),
    ]);
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** How often it has graded and come to rest. */
  get rests(): number {
    return this.#stderr.match(/^watching /gm)?.length ?? 0;
  }

  /** Waits until something holds; meanwhile does something again and again. */
  async until(holds: () => boolean, meanwhile: () => unknown = () => {}): Promise<void> {
    const end = performance.now() + 120_000;
    for (let turn = 0; !holds(); turn++) {
      assert.ok(
        performance.now() < end,
        `waited in vain; it printed:\n${this.#stdout}${this.#stderr}`,
      );
      if (turn % 10 === 0) await meanwhile();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Interrupts it, and says with which code it ends. */
  async interrupt(): Promise<number> {
    this.#child.kill("SIGINT");
    const { code } = await this.#child.status;
    await this.#read;
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // It has ended.
    }
    await this.#child.status;
    await this.#read;
  }
}

async function collect(stream: ReadableStream<Uint8Array>, take: (text: string) => void) {
  for await (const text of stream.pipeThrough(new TextDecoderStream())) take(text);
}

const IMPORT = 'import * as rk from "@rewardkit/cli";\n';

Deno.test("--watch grades again after a change of the workspace and of the tests folder", async () => {
  await using tests = await folder({ "a.ts": `${IMPORT}rk.fileExists("a.txt");\n` });
  await using workspace = await folder({});
  const output = `${workspace.path}/out/reward.json`;
  await using watching = new Watching([tests.path, "-w", workspace.path, "-o", output]);
  await watching.until(() => watching.rests === 1);
  assert.equal(watching.stdout, "reward: 0\n");

  const touch = () => Deno.writeTextFile(`${workspace.path}/a.txt`, "");
  await watching.until(() => watching.stdout.endsWith("reward: 1\n"), touch);
  assert.equal(await Deno.readTextFile(output), '{\n  "reward": 1\n}\n');

  const check = (text: string) => Deno.writeTextFile(`${tests.path}/a.ts`, `${IMPORT}${text}`);
  await check("rk.fileExits('a.txt');\n");
  await watching.until(() => /error: .*a\.ts: TypeError: .*fileExits/.test(watching.stderr));
  await assert.rejects(Deno.stat(output));
  await Deno.writeTextFile(`${tests.path}/reward.toml`, "[[reward\n");
  await watching.until(() => /error: .*reward\.toml:1:\d+: is not TOML/.test(watching.stderr));
  await Deno.remove(`${tests.path}/reward.toml`);
  await check("rk.fileExists('a.txt');\nrk.fileExists('b.txt');\n");
  await watching.until(() => watching.stdout.endsWith("reward: 0.5\n"));
  assert.doesNotMatch(watching.stderr, /it was there before this run/);
  assert.equal(await watching.interrupt(), 130);
});

Deno.test("--watch does not grade again for what checks and grading write, nor for hidden files", async () => {
  await using tests = await folder({
    "a.ts": `${IMPORT}rk.commandSucceeds("echo x >> runs; mkdir -p made; date > made/$$");\n`,
  });
  await using workspace = await folder({});
  // The worst place for the output.
  const output = `${tests.path}/reward.json`;
  await using watching = new Watching([tests.path, "-w", workspace.path, "-o", output]);
  await watching.until(() => watching.rests === 1);
  await Deno.writeTextFile(`${tests.path}/.a.ts.swp`, "");
  await Deno.mkdir(`${workspace.path}/node_modules`);
  await Deno.writeTextFile(`${workspace.path}/node_modules/x`, "");
  await new Promise((resolve) => setTimeout(resolve, 600));
  await Deno.writeTextFile(`${tests.path}/b.ts`, `${IMPORT}rk.fileExists("made");\n`);
  await watching.until(() => watching.rests === 2);
  assert.equal(await Deno.readTextFile(`${workspace.path}/runs`), "x\nx\n");
  assert.equal(await watching.interrupt(), 130);
  assert.equal(watching.stdout, "reward: 1\nreward: 1\n");
});

Deno.test("--watch ends a grading whose checks have changed, and Ctrl-C ends everything", async () => {
  const sleeping = (name: string) =>
    `${IMPORT}rk.commandSucceeds("echo $$ > ${name}; sleep 300", { timeout: 400 });\n`;
  await using tests = await folder({ "a.ts": sleeping("first") });
  await using workspace = await folder({});
  await using output = await folder({});
  const args = [tests.path, "-w", workspace.path, "-o", `${output.path}/reward.json`];
  await using watching = new Watching(args);
  const pidOf = (name: string) => {
    try {
      return Deno.readTextFileSync(`${workspace.path}/${name}`).trim();
    } catch {
      return "";
    }
  };
  await watching.until(() => pidOf("first") !== "");
  await Deno.writeTextFile(`${tests.path}/a.ts`, sleeping("second"));
  await watching.until(() => pidOf("second") !== "");
  assert.ok(!isRunning(pidOf("first")));
  assert.equal(await watching.interrupt(), 130);
  assert.ok(!isRunning(pidOf("second")));
  assert.deepEqual([watching.stdout, watching.stderr], ["", ""]);
});

function isRunning(pid: string): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(Deno.readTextFileSync(`/proc/${pid}/stat`));
  } catch {
    return false;
  }
}

Deno.test("--watch is for grading, and says when a folder is not there", async () => {
  await using tests = await folder({ "a.ts": "" });
  for (
    const [args, message] of [
      [["check", tests.path], /error: --watch is for grading, not for check/],
      [[`${tests.path}/gone`, "-w", tests.path], /error: Cannot watch .*gone: /],
    ] as const
  ) {
    await using watching = new Watching([...args]);
    await watching.until(() => message.test(watching.stderr));
  }
});

/** Ships with every Debian. */
function hasScript(): boolean {
  try {
    return new Deno.Command("script", { args: ["--version"], stdout: "null" }).outputSync().success;
  } catch {
    return false;
  }
}

Deno.test({
  name: "--watch clears a terminal before it grades again",
  ignore: !hasScript(),
  fn: clearsTerminal,
});

async function clearsTerminal(): Promise<void> {
  await using tests = await folder({ "a.ts": `${IMPORT}rk.fileExists("a.txt");\n` });
  await using workspace = await folder({});
  await using output = await folder({});
  const words = [Deno.execPath(), "run", "-A", "--quiet", CLI, tests.path, "--watch"];
  words.push("--workspace", workspace.path, "--output", `${output.path}/reward.json`);
  const shown = `${output.path}/shown`;
  // On a pseudo-terminal whose end is a file.
  const child = new Deno.Command("script", {
    args: ["--quiet", "--flush", "--command", words.map((word) => `'${word}'`).join(" "), shown],
    // A log, wherever the tests run: what is told of is the clearing alone.
    env: { NO_COLOR: "1", TERM: "xterm", CI: "true" },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  try {
    const CLEARED = "\x1b[2J\x1b[3J\x1b[H";
    const read = () => Deno.readTextFile(shown).catch(() => "");
    const until = async (text: string) => {
      const end = performance.now() + 120_000;
      while (!(await read()).includes(text)) {
        assert.ok(performance.now() < end, `waited in vain; it printed:\n${await read()}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    await until("reward: 0\r\nwatching ");
    assert.ok(!(await read()).includes(CLEARED));
    await Deno.writeTextFile(`${tests.path}/b.ts`, `${IMPORT}rk.fileNotExists("a.txt");\n`);
    await until(`${CLEARED}reward: 0.5\r\nwatching `);
  } finally {
    child.kill("SIGTERM");
    await child.status;
  }
}
