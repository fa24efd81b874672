// Attacks that take a whole run to try: on the run itself, on other files of it, from the graded
// work. Each stands beside an innocent file that must lose nothing.

import { type CliRun, folder, rewardkit } from "../cli.ts";
import type { Mode } from "./attack.ts";

/** Texts of files, by path. */
export type Files = Readonly<Record<string, string>>;

/**
 * One attack, or several that share a run. In files, scripts and flags `$TESTS`, `$WORKSPACE`,
 * `$OUTSIDE` (where nobody has any business), `$ROOT` (holds all of them) and `$DENO` stand for
 * paths; a `.ts` file starts with an import of Reward Kit as `rk`.
 */
export interface Scenario {
  name: string;
  /** What is at stake. */
  protects: string;
  tests: Files;
  workspace?: Files;
  /** Shell; runs in `$ROOT` first, for what a text cannot say: links, FIFOs, sparse files. */
  setup?: string;
  /** Arguments in every mode. */
  flags?: readonly string[];
  /** Arguments where check files are strangers'. */
  grants?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Set: nothing is graded. */
  command?: "check" | "discover" | "permissions";
  /** How it ends in the modes in which it is tried. */
  ends: Partial<Record<Mode, Ending>>;
  /** How many attacks it stands for. Default 1. */
  count?: number;
}

/** How a run has to end. */
export interface Ending {
  /** Default 0; several: it depends on chance, and either is right. */
  code?: number | readonly number[];
  /** Criteria, by name: the score, or what the error says. */
  values?: Readonly<Record<string, number | RegExp>>;
  /** Must be in what is printed. */
  says?: RegExp;
  /** Must be neither in what is printed nor in a result. */
  hides?: RegExp;
  /** Seconds that it may take at most. */
  withinSec?: number;
  /** Whatever else must hold; throws if it does not. */
  holds?: (ended: Ended) => void | Promise<void>;
  /** The attack gets what it wants, and why that is accepted. */
  accepted?: string;
}

/** A run that has ended; its folders are still there. */
export interface Ended extends CliRun {
  root: string;
  values: Readonly<Record<string, number | string>>;
}

/** Loses nothing in any scenario. */
const INNOCENT = `
  rk.fileContains("innocent.txt", "hello", { name: "innocent built-in" });
  rk.criterion(async function innocent(workspace) {
    return await workspace.readText("innocent.txt") === "hello\\n";
  });`;

const MODE_FLAGS: Record<Mode, readonly string[]> = {
  trusted: [],
  untrusted: ["--untrusted"],
  deno: ["--untrusted", "--sandbox=deno"],
};

/** Tries a scenario. Throws what is wrong with how it ended. */
export async function attempt(scenario: Scenario, mode: Mode): Promise<void> {
  const { workspace = {}, setup, flags = [], grants = [], env = {}, command } = scenario;
  await using at = await folder({ "outside/secret.txt": "SECRET\n", "tmp/x": "", "output/x": "" });
  const root = at.path;
  const fill = (text: string) => expand(text, root);
  const tests = { "innocent/innocent.ts": INNOCENT, ...scenario.tests };
  await write(`${root}/workspace`, { "innocent.txt": "hello\n", ...workspace }, fill);
  await write(`${root}/tests`, tests, (text, name) => withImport(fill(text), name));
  if (setup !== undefined) await shell(fill(setup), root);
  const args = [...MODE_FLAGS[mode], ...flags, ...mode === "trusted" ? [] : grants].map(fill);
  const start = performance.now();
  const run = await rewardkit(
    [...command ? [command] : [], `${root}/tests`, "-w", `${root}/workspace`, ...args],
    // The run's own folders are made there, out of everybody else's sight.
    { output: `${root}/output`, env: { TMPDIR: `${root}/tmp`, ...env }, cwd: root },
  );
  const seconds = (performance.now() - start) / 1000;
  await expect(scenario.ends[mode]!, { ...run, root, values: valuesOf(run) }, seconds);
}

/** Names of the regular files in a folder, sorted. */
export async function plainFiles(folder: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  return entries.filter(({ isFile }) => isFile).map(({ name }) => name).sort();
}

function expand(text: string, root: string): string {
  const places: Record<string, string> = {
    ROOT: root,
    TESTS: `${root}/tests`,
    WORKSPACE: `${root}/workspace`,
    OUTSIDE: `${root}/outside`,
    DENO: Deno.execPath(),
  };
  return text.replace(/\$([A-Z]+)\b/g, (all, name) => places[name] ?? all);
}

function withImport(text: string, name: string): string {
  return name.endsWith(".ts") ? `import * as rk from "@rewardkit/cli";\n${text}` : text;
}

async function write(
  place: string,
  files: Files,
  fill: (text: string, name: string) => string,
): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = `${place}/${name}`;
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(path, fill(text, name));
  }
}

async function shell(script: string, cwd: string): Promise<void> {
  const command = new Deno.Command("sh", { args: ["-ec", script], cwd, stderr: "piped" });
  const { success, stderr } = await command.output();
  if (!success) throw new Error(`setup: ${new TextDecoder().decode(stderr)}`);
}

interface Node {
  criteria?: { name: string; value: number; error?: string }[];
  components?: { detail: Node }[];
}

/** Every criterion of a run: its error, or else its score. */
function valuesOf({ details }: CliRun): Record<string, number | string> {
  const all = new Map<string, number | string>();
  const visit = ({ criteria = [], components = [] }: Node) => {
    for (const { name, value, error } of criteria) all.set(name, error ?? value);
    for (const { detail } of components) visit(detail);
  };
  for (const node of Object.values(details ?? {})) visit(node);
  return Object.fromEntries(all);
}

async function expect(ending: Ending, ended: Ended, seconds: number): Promise<void> {
  const { code = 0, values = {}, says, hides, withinSec = 60, holds } = ending;
  const printed = `${ended.stdout}\n${ended.stderr}`;
  const wrong: string[] = [];
  if (![code].flat().includes(ended.code)) wrong.push(`exit code ${ended.code}, expected ${code}`);
  const innocents = ended.details === null ? {} : { "innocent built-in": 1, "innocent": 1 };
  for (const [name, expected] of Object.entries({ ...innocents, ...values })) {
    const found = ended.values[name];
    const isRight = expected instanceof RegExp
      ? typeof found === "string" && expected.test(found)
      : found === expected;
    if (!isRight) wrong.push(`${name}: ${String(found).slice(0, 200)}, expected ${expected}`);
  }
  if (says !== undefined && !says.test(printed)) wrong.push(`does not say ${says}`);
  if (hides?.test(`${printed}\n${JSON.stringify(ended.details)}`)) wrong.push(`shows ${hides}`);
  if (seconds > withinSec) wrong.push(`took ${seconds.toFixed(1)} s, expected ${withinSec}`);
  try {
    await holds?.(ended);
  } catch (error) {
    wrong.push((error as Error).message);
  }
  if (wrong.length > 0) throw new Error(`${wrong.join("; ")}\n${printed.slice(0, 600)}`);
}
