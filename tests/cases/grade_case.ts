// Grades a case with the real command line, on copies of its folders.

import { type Case, folderOf } from "./case.ts";
import { startModelServer } from "../model_server.ts";
import { PeakMemory } from "./peak_memory.ts";

/** What grading a case gave. */
export interface GradedCase {
  exit: number;
  stdout: string;
  stderr: string;
  /** Text of `reward.json`; `null` if it is not there. */
  reward: string | null;
  /** Text of `reward-details.json`; `null` if it is not there. */
  details: string | null;
  /** Every request to a model, as JSON. */
  sent: string[];
  /** What the case's probe printed. */
  probed: string;
  seconds: number;
  /** Sum of the peaks of every process of the run, in MiB. */
  rssMiB: number;
}

const CLI = new URL("../../cli.ts", import.meta.url).pathname;

/** Grades a case; nothing of it is left, its temporary folder included. */
export async function gradeCase(test: Case): Promise<GradedCase> {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "rewardkit-case-" }));
  const [workspace, tests, output] = ["workspace", "tests", "output"].map((name) =>
    `${folder}/${name}`
  ) as [string, string, string];
  try {
    for (const path of [workspace, tests, output]) Deno.mkdirSync(path);
    for (const name of ["workspace", "tests"]) copy(`${folderOf(test)}/${name}`, folder);
    const places = { WORKSPACE: workspace, TESTS: tests, OUTPUT: output };
    if (test.setup !== undefined) await shell(test.setup, places);
    await using server = startModelServer(test.model ?? []);
    const env = test.model === undefined ? {} : server.environment;
    const run = await grade({ ...test, env: { ...env, ...test.env } }, tests, workspace, output);
    const probed = test.probe === undefined ? "" : await shell(test.probe.command, places);
    return {
      ...run,
      reward: textOf(`${output}/reward.json`),
      details: textOf(`${output}/reward-details.json`),
      sent: server.requests.map(({ body }) => JSON.stringify(body)),
      probed,
    };
  } finally {
    new Deno.Command("rm", { args: ["-rf", folder] }).outputSync();
  }
}

/** With `cp`, which keeps links as links. */
function copy(from: string, to: string): void {
  try {
    Deno.statSync(from);
  } catch {
    return;
  }
  const { success } = new Deno.Command("cp", { args: ["-a", from, to] }).outputSync();
  if (!success) throw new Error(`${from} cannot be copied`);
}

async function grade(
  { args = [], env = {}, cwd, stdin = "null", wrapper = [] }: Case,
  tests: string,
  workspace: string,
  output: string,
): Promise<Pick<GradedCase, "exit" | "stdout" | "stderr" | "seconds" | "rssMiB">> {
  const [program, ...rest] = [
    ...wrapper,
    ...[Deno.execPath(), "run", "-A", "--quiet", CLI, tests, "--workspace", workspace],
    ...["--output", `${output}/reward.json`, ...args],
  ] as [string, ...string[]];
  const start = performance.now();
  const child = new Deno.Command(program, {
    args: rest,
    env: { NO_COLOR: "1", ...env },
    ...(cwd !== undefined && { cwd }),
    stdin: stdin === "open" ? "piped" : "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const memory = new PeakMemory(child.pid);
  const [status, stdout, stderr] = await Promise.all([
    child.status,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const seconds = (performance.now() - start) / 1000;
  if (stdin === "open") await child.stdin.close();
  return { exit: status.code, stdout, stderr, seconds, rssMiB: memory.end() };
}

async function shell(script: string, env: Record<string, string>): Promise<string> {
  const command = new Deno.Command("sh", { args: ["-euc", script], env, stdin: "null" });
  const { success, stdout, stderr } = await command.output();
  if (!success) throw new Error(`${script}: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout).trim();
}

function textOf(path: string): string | null {
  try {
    return Deno.lstatSync(path).isFile ? Deno.readTextFileSync(path) : null;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
