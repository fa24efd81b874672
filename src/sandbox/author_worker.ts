// Entry of a Worker that loads an author's check file: to collect what it declares, or to run the
// author's own criteria.

// Part of this Worker's own graph, so that a check file may import it without a permission.
import "../../checks.ts";
import type { CommandResult } from "../criterion/builtin.ts";
import { declare } from "../criterion/declare.ts";
import { WorkspaceReader } from "../criterion/reader.ts";
import {
  beginLoading,
  endLoading,
  type Loading,
  type Registration,
} from "../criterion/registry.ts";
import { encodeValue, UnsendableError } from "../criterion/values.ts";
import { type RunOptions, Workspace } from "../criterion/workspace.ts";
import { problemOf, problemOfLoading, thrownFor } from "./problem.ts";
import type { FromWorker, ProgramOptions, RunSetting, ToWorker } from "./protocol.ts";

const scope = self as unknown as {
  postMessage?(message: FromWorker): void;
  addEventListener(type: "message", listener: (event: MessageEvent<ToWorker>) => void): void;
  close(): void;
};
// Taken away before any author's code runs: what a criterion imports from the graded work must not
// speak for it.
const post = scope.postMessage!.bind(scope);
delete scope.postMessage;

let registrations: readonly Registration[] = [];
let reader: WorkspaceReader;
let calls = 0;
const pendingCalls = new Map<number, (answer: Extract<ToWorker, { type: "program" }>) => void>();

scope.addEventListener("message", ({ isTrusted, data }) => {
  // Dispatched by code in this Worker, and not by the coordinator.
  if (!isTrusted) return;
  if (data.type === "collect") void collect(data.file);
  else if (data.type === "prepare") void prepare(data.setting);
  else if (data.type === "run") void run(data.index);
  else if (data.type === "program") pendingCalls.get(data.call)?.(data);
});

announceExits();

async function collect(file: string): Promise<void> {
  try {
    const loaded = await load(file);
    const declarations = loaded.registrations.map(declare);
    for (const { validate } of loaded.registrations) await validate?.();
    post({ type: "collected", declarations, warnings: loaded.warnings });
  } catch (error) {
    post({ type: "rejected", problem: problemOfLoading(error) });
  }
}

async function prepare(setting: RunSetting): Promise<void> {
  try {
    reader = new WorkspaceReader(setting);
    registrations = (await load(setting.file!)).registrations;
    for (const path of setting.revoke) Deno.permissions.revokeSync({ name: "read", path });
    post({ type: "prepared", criteria: registrations.map(({ criterion }) => criterion) });
  } catch (error) {
    post({ type: "rejected", problem: problemOfLoading(error) });
  }
}

async function load(file: string): Promise<Loading> {
  beginLoading();
  try {
    // Computed, so that its whole import graph is checked against this Worker's permissions and
    // not against those of the process.
    await import(file);
  } catch (error) {
    endLoading();
    throw error;
  }
  return endLoading();
}

async function run(index: number): Promise<void> {
  const workspace = new Workspace(reader, (argv, options) => program(index, argv, options));
  try {
    const result = await registrations[index]!.compute!(workspace);
    post({ type: "scored", index, result: encodeResult(result), warnings: [] });
  } catch (error) {
    post({ type: "failed", index, problem: problemOf(error), warnings: [] });
  }
}

function encodeResult(result: unknown): string {
  try {
    return encodeValue(result);
  } catch (error) {
    if (!(error instanceof UnsendableError)) throw error;
    const what = error.message.replace(" cannot be sent between Workers", "");
    throw new Error(`returned ${what}, expected a boolean, a number or { score, … }`);
  }
}

/** Asks the coordinator to run a program, and waits. */
async function program(
  index: number,
  argv: readonly string[],
  options: RunOptions,
): Promise<CommandResult> {
  const call = calls++;
  const answer = await new Promise<Extract<ToWorker, { type: "program" }>>((resolve) => {
    pendingCalls.set(call, resolve);
    post({ type: "program", call, index, argv: [...argv], options: programOptions(options) });
  });
  pendingCalls.delete(call);
  if ("result" in answer) return answer.result;
  throw thrownFor(answer.problem);
}

function programOptions({ cwd, timeout, stdin }: RunOptions): ProgramOptions {
  return {
    ...(cwd !== undefined && { cwd }),
    ...(timeout !== undefined && { timeout }),
    ...(stdin !== undefined && {
      stdin: typeof stdin === "string" ? { text: stdin } : { base64: stdin.toBase64() },
    }),
  };
}

/** Ending the Worker sends no event: without a word of its own the coordinator would wait. */
function announceExits(): void {
  const announced = (how: string, end: (code?: number) => unknown) => (code?: number): never => {
    post({ type: "exiting", how });
    end(code);
    throw new Error(`${how} was called`);
  };
  Deno.exit = announced("Deno.exit()", Deno.exit.bind(Deno));
  scope.close = announced("close()", scope.close.bind(scope));
  const lazy = Object.getOwnPropertyDescriptor(globalThis, "process");
  if (lazy?.get === undefined) return;
  Object.defineProperty(globalThis, "process", {
    ...lazy,
    // Not patched before it is asked for: that loads the Node half of the runtime, in 70 ms.
    get() {
      const process = lazy.get!.call(globalThis);
      process.exit = announced("process.exit()", process.exit.bind(process));
      Object.defineProperty(globalThis, "process", { ...lazy, get: () => process });
      return process;
    },
  });
}
