// Programs that stand in for those of agents, with replies that are laid down beforehand.

/** What a program does once. */
export interface FakeReply {
  /** Only for a prompt that holds this. */
  match?: string;
  /** Any number of times. */
  repeat?: boolean;
  stdout?: string;
  stderr?: string;
  /** Exit code. Default: 0. */
  code?: number;
  /** Seconds between its last word and its end. */
  sleep?: number;
  /** Written before it says anything, at paths that may begin with `$OUT`, `$CWD`, `$CODEX_HOME` or
   * `$HOME/.claude`, which is the folder that claude has been told to use. */
  files?: Readonly<Record<string, string>>;
  /** Run by `sh` after the rest. `$root/notes` is a folder for what the test should know. */
  script?: string;
}

/** What programs do. */
export interface FakeOptions {
  /** Their names. Default: `claude` and `codex`. */
  tools?: readonly string[];
  /** Each is given once, to the first start that it fits. */
  replies?: readonly FakeReply[];
  /** What they print for `--version`, by name. */
  versions?: Readonly<Record<string, string>>;
}

/** A start of one of the programs. */
export interface FakeCall {
  tool: string;
  args: readonly string[];
  cwd: string;
  /** Names of what lies there. */
  cwdFiles: readonly string[];
  env: Readonly<Record<string, string>>;
  stdin: string;
  /** Its settings, by name: `schema.json`, `mcp.json`, `config.toml`, `auth.json`. */
  files: Readonly<Record<string, { mode: number; text: string }>>;
  /** Programs that ran at the time of its start, itself included. */
  running: number;
}

const PROGRAM = new URL("fake_agent.sh", import.meta.url);

/** Programs for a test, in a folder of their own. */
export class FakeAgents {
  readonly #folder: string;

  /** @param folder Absolute; is made. */
  constructor(folder: string, { tools, replies = [], versions = {} }: FakeOptions) {
    this.#folder = folder;
    for (const name of ["bin", "calls", "running", "versions", "replies", "notes"]) {
      Deno.mkdirSync(`${folder}/${name}`, { recursive: true });
    }
    for (const tool of tools ?? ["claude", "codex"]) {
      // No link: a program that goes by its name must not find the name of the link's target.
      Deno.copyFileSync(PROGRAM, `${this.bin}/${tool}`);
      Deno.chmodSync(`${this.bin}/${tool}`, 0o755);
    }
    for (const [tool, text] of Object.entries(versions)) {
      Deno.writeTextFileSync(`${folder}/versions/${tool}`, text);
    }
    for (const [index, reply] of replies.entries()) {
      layDown(reply, `${folder}/replies/${1001 + index}`);
    }
  }

  /** For the front of PATH. */
  get bin(): string {
    return `${this.#folder}/bin`;
  }

  /** Names of the files that scripts have left in `$root/notes`. */
  get notes(): string[] {
    return [...Deno.readDirSync(`${this.#folder}/notes`)].map(({ name }) => name);
  }

  /** Every start so far, in order. */
  get calls(): FakeCall[] {
    const names = [...Deno.readDirSync(`${this.#folder}/calls`)].map(({ name }) => name).sort();
    return names.map((name) => readCall(`${this.#folder}/calls/${name}`));
  }

  /** Every start that was to judge. */
  get runs(): FakeCall[] {
    return this.calls.filter(({ tool, args }) =>
      (tool === "claude" || tool === "codex") && args[0] !== "--version"
    );
  }
}

function layDown(
  { match, repeat, stdout, stderr, code = 0, sleep, files = {}, script }: FakeReply,
  folder: string,
): void {
  Deno.mkdirSync(`${folder}/files`, { recursive: true });
  const texts = { match, stdout, stderr, script, code: `${code}`, sleep: sleep?.toString() };
  for (const [name, text] of Object.entries(texts)) {
    if (text !== undefined) Deno.writeTextFileSync(`${folder}/${name}`, text);
  }
  if (repeat === true) Deno.writeTextFileSync(`${folder}/repeat`, "");
  for (const [index, [path, text]] of Object.entries(files).entries()) {
    const file = `${folder}/files/${index}`;
    Deno.mkdirSync(file);
    Deno.writeTextFileSync(`${file}/path`, path);
    Deno.writeTextFileSync(`${file}/text`, text);
  }
}

function readCall(folder: string): FakeCall {
  const read = (name: string) => {
    try {
      return Deno.readTextFileSync(`${folder}/${name}`);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return "";
      throw error;
    }
  };
  const split = (text: string, end: string) => text.split(end).slice(0, -1);
  return {
    tool: read("tool"),
    args: split(read("args"), "\0"),
    cwd: read("cwd").trimEnd(),
    cwdFiles: split(read("cwd_files"), "\n"),
    env: Object.fromEntries(
      split(read("env"), "\0").map((variable) => {
        const at = variable.indexOf("=");
        return [variable.slice(0, at), variable.slice(at + 1)];
      }),
    ),
    stdin: read("stdin"),
    files: settingsIn(`${folder}/files`),
    running: split(read("running"), "\n").length,
  };
}

function settingsIn(folder: string): FakeCall["files"] {
  let names: string[];
  try {
    names = [...Deno.readDirSync(folder)].map(({ name }) => name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return {};
    throw error;
  }
  return Object.fromEntries(names.map((name) => {
    const path = `${folder}/${name}`;
    return [name, { mode: Deno.statSync(path).mode! & 0o777, text: Deno.readTextFileSync(path) }];
  }));
}
