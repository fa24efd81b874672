// Plays what a page of the documentation shows: writes its files, grades them, runs its commands.

import assert from "node:assert/strict";
import { folder, rewardkit } from "../cli.ts";
import { type ModelServer, startModelServer } from "../model_server.ts";

/** What a page says is to be done, in its order. */
export type Step =
  /** Everything before is put away. */
  | { kind: "scene" }
  | { kind: "file"; path: string; text: string }
  /** Grades; `expected` is the reward, or the exit code where there is none. */
  | { kind: "grade"; args: string[]; expected: Record<string, number> | number }
  /** Runs a shell script; `…` in what it prints stands for anything. */
  | { kind: "shell"; script: string; prints: string | null }
  | { kind: "script"; script: string; prints: string | null }
  /** Answers of a model from here on. */
  | { kind: "model"; answer: string }
  /** A server that answers with a text, for which `localhost:8000` stands. */
  | { kind: "serve"; text: string };

const DIRECTIVE =
  /^<!-- (scene|file|hidden|prepare|grade|shell|script|model|serve|not run)\b:? ?([^]*?)\s*-->$/;

/**
 * Reads the steps of a page. An example without a comment that says what is to be done with it is
 * an error: each is to be tried.
 */
export function stepsOf(markdown: string, page: string): Step[] {
  const steps: Step[] = [{ kind: "scene" }];
  let pending: { verb: string; rest: string } | null = null;
  for (const [part] of markdown.matchAll(/^<!-- [^]*?-->$|^```[^]*?^```$/gm)) {
    const directive = DIRECTIVE.exec(part);
    if (directive !== null) {
      const [, verb, rest] = directive;
      const step = stepOf(verb!, rest!);
      if (step === null) pending = { verb: verb!, rest: rest! };
      else steps.push(step);
      continue;
    }
    if (part.startsWith("<!-- deno-fmt-")) continue;
    if (part.startsWith("<!--")) throw new Error(`${page}: what is to be done by ${part}`);
    const [, language, text] = /^```(\S*)[^\n]*\n([^]*?)^```$/m.exec(part)!;
    const last = steps.at(-1)!;
    if (language === "text" || language === "json") {
      const isPrinted = last.kind === "shell" || last.kind === "script";
      if (pending === null && isPrinted && last.prints === null) last.prints = text!;
    } else if (pending === null) {
      throw new Error(`${page}: an example that nothing is done with:\n${text}`);
    }
    if (pending?.verb === "file") {
      steps.push({ kind: "file", path: pending.rest, text: text! });
    } else if (pending?.verb === "shell" || pending?.verb === "script") {
      steps.push({ kind: pending.verb, script: text!, prints: null });
    }
    pending = null;
  }
  return steps;
}

/** A step that needs no example after it. */
function stepOf(verb: string, rest: string): Step | null {
  if (verb === "scene") return { kind: "scene" };
  if (verb === "model") return { kind: "model", answer: rest };
  if (verb === "serve") return { kind: "serve", text: rest };
  if (verb === "prepare") return { kind: "shell", script: rest, prints: null };
  if (verb === "hidden") {
    const [path, ...lines] = rest.split("\n");
    return { kind: "file", path: path!, text: lines.map((line) => `${line}\n`).join("") };
  }
  if (verb !== "grade") return null;
  const [args, expected] = rest.split("=>").map((text) => text.trim());
  return { kind: "grade", args: args!.split(" "), expected: JSON.parse(expected!) };
}

const ROOT = new URL("../../", import.meta.url).pathname;

/** A folder in which `tests` and `app` stand for `/tests` and `/app`. */
export class Stage implements AsyncDisposable {
  readonly path: string;
  #server: ModelServer | null = null;
  #site: Deno.HttpServer<Deno.NetAddr> | null = null;

  constructor(path: string) {
    this.path = path;
  }

  static async open(): Promise<Stage> {
    const { path } = await folder({ "app/.keep": "", "logs/.keep": "", "bin/rewardkit": KIT });
    await Deno.remove(`${path}/app/.keep`);
    await Deno.chmod(`${path}/bin/rewardkit`, 0o755);
    return new Stage(path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
    await this.#site?.shutdown();
    await Deno.remove(this.path, { recursive: true });
  }

  async play(step: Exclude<Step, { kind: "scene" }>): Promise<void> {
    if (step.kind === "file") await this.#write(step.path, step.text);
    else if (step.kind === "model") await this.#answerBy(step.answer);
    else if (step.kind === "serve") this.#serve(step.text);
    else if (step.kind === "grade") await this.#grade(step.args, step.expected);
    else await this.#run(step);
  }

  async #write(path: string, text: string): Promise<void> {
    const file = `${this.path}/${path.replace(/^\//, "")}`;
    await Deno.mkdir(file.slice(0, file.lastIndexOf("/")), { recursive: true });
    const port = this.#site?.addr.port ?? 8000;
    await Deno.writeTextFile(
      file,
      this.#here(text).replaceAll("localhost:8000", `localhost:${port}`),
    );
    if (text.startsWith("#!")) await Deno.chmod(file, 0o755);
  }

  async #answerBy(answer: string): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
    this.#server = startModelServer([{ text: answer, repeat: true }]);
  }

  #serve(text: string): void {
    const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
    this.#site = Deno.serve(options, () => new Response(text));
  }

  get #environment(): Record<string, string> {
    return {
      NO_COLOR: "1",
      PATH: `${this.path}/bin:${Deno.env.get("PATH")}`,
      DENO: Deno.execPath(),
      KIT: ROOT,
      ...this.#server?.environment,
    };
  }

  async #grade(args: string[], expected: Record<string, number> | number): Promise<void> {
    const given = args.map((argument) => this.#here(argument));
    await using run = await rewardkit([...given, "--workspace", `${this.path}/app`], {
      cwd: this.path,
      env: this.#environment,
    });
    const said = `rewardkit ${args.join(" ")}\n${run.stderr}${
      JSON.stringify(run.details, null, 2)
    }`;
    if (typeof expected === "number") assert.equal(run.code, expected, said);
    else assert.deepEqual(run.reward, expected, said);
  }

  /** A path of the page, in this folder. */
  #here(text: string): string {
    return text.replaceAll(/(?<![\w.}])\/(tests|app|logs)\b/g, `${this.path}/$1`);
  }

  async #run({ kind, script, prints }: Step & { kind: "shell" | "script" }): Promise<void> {
    const text = this.#here(script);
    let args = ["-e", "-c", text];
    if (kind === "script") {
      const file = `${this.path}/script.ts`;
      await Deno.writeTextFile(file, text);
      const config = `--config=${ROOT}deno.json`;
      args = ["-c", `exec "$DENO" run -A --quiet ${config} ${file}`];
    }
    const { code, stdout, stderr } = await new Deno.Command("sh", {
      args,
      cwd: this.path,
      env: this.#environment,
      stdin: "null",
    }).output();
    const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    const printed = `${decode(stdout)}${decode(stderr)}`.replaceAll(this.path, "");
    const said = `${script}\n${printed}`;
    if (prints === null) assert.equal(code, 0, said);
    else assert.ok(patternOf(prints).test(printed), said);
  }
}

/** As a user has installed it. */
const KIT = `#!/bin/sh
exec "$DENO" run -A --quiet --config="$KIT/deno.json" "$KIT/cli.ts" "$@"
`;

function patternOf(prints: string): RegExp {
  const parts = prints.trim().split("…").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^]*?")}\\s*$`);
}
