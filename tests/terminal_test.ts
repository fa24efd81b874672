// What a person at a terminal sees: the real command line in a real pseudo-terminal.

import assert from "node:assert/strict";
import { folder } from "./cli.ts";

const CLI = new URL("../cli.ts", import.meta.url).pathname;

const CHECK = `
  import * as rk from "@rewardkit/cli";
  rk.fileMatches("a.txt", "one\\ntwo\\nthree");
  rk.criterion({ timeout: 60 }, async function waits(workspace) {
    console.log("printed");
    while (!await workspace.exists("go.txt")) await new Promise((next) => setTimeout(next, 50));
    return true;
  });
  rk.criterion(function warns() { return 2; });
`;

/** `script` of util-linux gives a program a terminal of its own. */
const hasScript = await isThere("script");
const hasTmux = await isThere("tmux");

async function isThere(program: string): Promise<boolean> {
  const { success } = await new Deno.Command("sh", { args: ["-c", `command -v ${program}`] })
    .output();
  return success;
}

/** A run in a terminal that is being recorded. */
class Typescript implements AsyncDisposable {
  readonly #folders: AsyncDisposable[] = [];
  readonly #child: Deno.ChildProcess;
  readonly #reading: Promise<void>;
  /** All that was written to the terminal so far. */
  text = "";

  private constructor(
    readonly workspace: string,
    child: Deno.ChildProcess,
    folders: AsyncDisposable[],
  ) {
    this.#child = child;
    this.#folders = folders;
    this.#reading = this.#read();
  }

  static async start(
    { args = [], env = {}, files = { "checks.ts": CHECK }, columns = 100 }: {
      args?: string[];
      env?: Record<string, string>;
      files?: Record<string, string>;
      columns?: number;
    } = {},
  ): Promise<Typescript> {
    const tests = await folder(files);
    const workspace = await folder({ "a.txt": "one\n2\nthree" });
    const output = await folder({});
    const command = [
      ...[Deno.execPath(), "run", "-A", "--quiet", CLI, tests.path, "-w", workspace.path],
      ...["-o", `${output.path}/reward.json`, ...args],
    ].map((part) => `'${part}'`).join(" ");
    const child = new Deno.Command("script", {
      args: ["-qefc", `stty cols ${columns} rows 30; exec ${command}`, "/dev/null"],
      env: { ...withoutCi(), TERM: "xterm-256color", ...env },
      clearEnv: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    return new Typescript(workspace.path, child, [tests, workspace, output]);
  }

  async #read(): Promise<void> {
    for await (const part of this.#child.stdout.pipeThrough(new TextDecoderStream())) {
      this.text += part;
    }
  }

  /** Waits until something is on the terminal. */
  async shows(pattern: RegExp): Promise<void> {
    let hasEnded = false;
    void this.end().then(() => hasEnded = true);
    while (!pattern.test(this.text)) {
      assert.ok(!hasEnded, `it ended without showing ${pattern}:\n${screen(this.text)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Lets the criterion that waits go on. */
  async goOn(): Promise<void> {
    await Deno.writeTextFile(`${this.workspace}/go.txt`, "");
  }

  async type(text: string): Promise<void> {
    const writer = this.#child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(text));
    writer.releaseLock();
  }

  /** Waits for its end; gives the exit code. */
  async end(): Promise<number> {
    const { code } = await this.#child.status;
    await this.#reading;
    return code;
  }

  async [Symbol.asyncDispose]() {
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // It has ended.
    }
    await this.#child.stdin.close().catch(() => {});
    await this.end();
    for (const one of this.#folders) await one[Symbol.asyncDispose]();
  }
}

function withoutCi(): Record<string, string> {
  const { CI: _ci, NO_COLOR: _colour, GITHUB_ACTIONS: _github, ...env } = Deno.env.toObject();
  return env;
}

/** What is left on the terminal: a screen on which lines are written over and erased. */
function screen(text: string): string {
  const rows: string[][] = [[]];
  let row = 0;
  let column = 0;
  // deno-lint-ignore no-control-regex
  for (const [part] of text.matchAll(/\x1b\[[?0-9;]*[A-Za-z]|[^]/gu)) {
    if (part === "\r") column = 0;
    else if (part === "\n") {
      row++;
      rows[row] ??= [];
    } else if (part === "\x1b[C") column++;
    else if (part.endsWith("A") && part.length > 1) row -= Number(part.slice(2, -1));
    else if (part === "\x1b[K") rows[row]!.length = column;
    else if (part === "\x1b[0J") {
      rows.length = row + 1;
      rows[row]!.length = Math.min(rows[row]!.length, column);
    } else if (!part.startsWith("\x1b")) rows[row]![column++] = part;
  }
  return rows.map((line) => Array.from(line, (character) => character ?? " ").join("")).join("\n");
}

const options = { ignore: !hasScript };
const named = (name: string) => hasScript ? name : `NOT TESTED, script is not there: ${name}`;

Deno.test(
  named("a terminal shows what runs, and then a tree, the diff and the warnings"),
  options,
  async () => {
    await using run = await Typescript.start();
    await run.shows(/checks\.ts.*1 of 3 left, 1 failed, \d s.*waits/);
    assert.match(
      screen(run.text),
      /^printed\n. checks\.ts .*\n.*2 of 3 criteria, 1 failed, \d s, .*$/m,
    );
    await run.goOn();
    assert.equal(await run.end(), 0);
    const left = screen(run.text);
    assert.doesNotMatch(left, /left,|criteria/, "nothing of the progress is left");
    assert.match(left, /^printed\n✓ reward +1\n/);
    assert.match(left, /✗ file_matches:a\.txt +0\n│ +one\n│ +- two\n│ +\+ 2\n│ +three\n/);
    assert.match(left, /✓ waits/);
    assert.match(
      left,
      /\n\n\/.*checks\.ts\n {2}warning: "warns" returned 2, which is outside 0 to 1/,
    );
    assert.match(left, /\nreward: 1\n$/);
    assert.ok(run.text.includes("\x1b[31m- two\x1b[0m"), "in colours");
    assert.ok(
      run.text.lastIndexOf("\x1b[?7h") > run.text.lastIndexOf("\x1b[?7l"),
      "lines wrap again",
    );
  },
);

Deno.test(
  named("NO_COLOR takes the colours, a log and --quiet the lines that change"),
  options,
  async () => {
    const without: [Record<string, string>, string[]][] = [
      [{ CI: "true" }, []],
      [{ TERM: "dumb" }, []],
      [{}, ["--quiet"]],
    ];
    for (const [env, args] of without) {
      await using run = await Typescript.start({ env: { NO_COLOR: "1", ...env }, args });
      await new Promise((resolve) => setTimeout(resolve, 1500));
      await run.goOn();
      assert.equal(await run.end(), 0);
      assert.ok(!run.text.includes("\x1b"));
      assert.match(run.text, /reward: 1/);
      assert.equal(run.text.includes("warning:"), args.length === 0);
      assert.doesNotMatch(run.text, /✓|left/);
    }
    await using run = await Typescript.start({ env: { NO_COLOR: "1" } });
    await run.shows(/1 of 3 left/);
    await run.goOn();
    await run.end();
    assert.ok(!/\[\d+m/.test(run.text));
    assert.match(run.text, /✓ waits/);
  },
);

Deno.test(named("Ctrl-C leaves a clean terminal"), options, async () => {
  await using run = await Typescript.start();
  await run.shows(/1 of 3 left/);
  await run.type("\x03");
  assert.equal(await run.end(), 130);
  assert.doesNotMatch(screen(run.text), /left,|criteria|error|\^C/);
  assert.match(screen(run.text), /^printed\n/);
  assert.ok(run.text.lastIndexOf("\x1b[?7h") > run.text.lastIndexOf("\x1b[?7l"));
});

Deno.test(named("names that are hostile or too long keep to their lines"), options, async () => {
  const name = `漢字🎉\x1b[2J\x1b]0;title\x07${"long".repeat(20)}`;
  await using run = await Typescript.start({ files: { [`${name}.ts`]: CHECK }, columns: 40 });
  await run.shows(/3 criteria/);
  await run.goOn();
  assert.equal(await run.end(), 0);
  assert.ok(!run.text.includes("\x1b[2J") && !run.text.includes("\x1b]0;"));
  assert.doesNotMatch(screen(run.text), /left,|criteria/);
});

Deno.test({
  name: hasTmux
    ? "a terminal that is made smaller and larger stays whole"
    : "NOT TESTED, tmux is not there: resizing",
  ignore: !hasTmux,
}, async () => {
  await using place = await folder({
    "tests/checks.ts": CHECK,
    "tests/漢字漢字漢字漢字漢字漢字漢字.ts": CHECK,
    "ws/a.txt": "one\n2\nthree",
    "out/.keep": "",
  });
  const at = place.path;
  const tmux = async (...args: string[]) => {
    const { stdout } = await new Deno.Command("tmux", {
      args: ["-S", `${at}/socket`, "-f", "/dev/null", ...args],
      env: { ...withoutCi(), TERM: "xterm-256color", LC_ALL: "C.UTF-8" },
      clearEnv: true,
      stdin: "null",
    }).output();
    return new TextDecoder().decode(stdout);
  };
  const shown = () => tmux("capture-pane", "-p");
  const wait = async (pattern: RegExp) => {
    while (!pattern.test(await shown())) await new Promise((resolve) => setTimeout(resolve, 100));
  };
  try {
    const command = `${Deno.execPath()} run -A --quiet ${CLI} ${at}/tests -w ${at}/ws ` +
      `-o ${at}/out/reward.json; sleep 60`;
    await tmux("-u", "new-session", "-d", "-x", "90", "-y", "30", command);
    await wait(/4 of 6 criteria/);
    for (const [columns, rows] of [[50, 30], [24, 12], [120, 40], [60, 20]]) {
      await tmux("resize-window", "-x", String(columns), "-y", String(rows));
      await new Promise((resolve) => setTimeout(resolve, 500));
      const count = async () => (await shown()).match(/^\d of \d criteri/gm)?.length;
      // A terminal may take its time until it tells its programs.
      for (let tries = 0; tries < 50 && await count() !== 1; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      assert.equal(await count(), 1, await shown());
    }
    await Deno.writeTextFile(`${at}/ws/go.txt`, "");
    await wait(/^reward: /m);
    assert.doesNotMatch(await shown(), /left,|\d of \d criteri/);
  } finally {
    await tmux("kill-server");
  }
});
