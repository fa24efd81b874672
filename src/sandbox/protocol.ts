// Everything that coordinator, cell and Workers say to each other. Plain data; a cell's word is an
// adversary's word, so the coordinator checks each message when it arrives.

import { SandboxError } from "../errors.ts";
import type { CommandResult } from "../criterion/builtin.ts";
import type { Declaration } from "../criterion/declaration.ts";
import type { Need } from "../criterion/needs.ts";

/** Permissions of a Worker, as `new Worker(…, { deno: { permissions } })` takes them. */
export interface WorkerPermissions {
  read: string[] | boolean;
  write: string[] | boolean;
  net: string[] | boolean;
  run: string[] | boolean;
  env: string[] | boolean;
  sys: false;
  ffi: false;
  /** Where modules may come from: nowhere, or where the cell may load them from. */
  import: false | "inherit";
}

/** Coordinator to cell. */
export type ToCell =
  | { type: "start"; token: string }
  | { type: "open"; worker: number; entry: WorkerEntry; permissions: WorkerPermissions }
  | { type: "post"; worker: number; message: ToWorker }
  | { type: "close"; worker: number };

/** Our own code only, or code that loads an author's check file. */
export type WorkerEntry = "builtins" | "author";

/** Cell to coordinator. */
export type FromCell =
  | { type: "message"; worker: number; message: FromWorker }
  | { type: "broken"; worker: number; reason: string };

/** Coordinator to Worker, handed on by the cell. */
export type ToWorker =
  /** Loads a check file and says what it declares. */
  | { type: "collect"; file: string }
  /** Prepares for `run`: the workspace, and the check file if the Worker is an author's. */
  | { type: "prepare"; setting: RunSetting }
  | RunMessage
  /** Built-ins only: computed one after the other, and answered together. */
  | { type: "all"; messages: RunMessage[] }
  /** What came of a program that a criterion wanted to run. */
  | { type: "program"; call: number; result: CommandResult }
  | { type: "program"; call: number; problem: Problem };

/** Asks for one criterion. */
export type RunMessage = { type: "run"; index: number; check?: BuiltinCheck };

/** What a Worker needs to know before it computes anything. */
export interface RunSetting {
  workspace: string;
  maxFileBytes: number;
  /** URL of the check file; absent in a built-ins Worker. */
  file?: string;
  /** Folders that only loading may read: given up before anything runs. */
  revoke: string[];
}

/** A built-in criterion to compute. */
export interface BuiltinCheck {
  criterion: string;
  /** As in the declaration. */
  args: string;
  /** Result of the command that it declared. */
  command?: CommandResult;
}

/** Worker to coordinator, handed on by the cell. */
export type FromWorker =
  | { type: "collected"; declarations: Declaration[]; warnings: string[] }
  | { type: "prepared"; criteria: string[] }
  | { type: "rejected"; problem: Problem }
  | EndedMessage
  | { type: "all"; messages: EndedMessage[] }
  | { type: "program"; call: number; index: number; argv: string[]; options: ProgramOptions }
  | { type: "exiting"; how: string };

/** How one criterion ended. */
export type EndedMessage =
  | { type: "scored"; index: number; result: string; warnings: string[] }
  | { type: "failed"; index: number; problem: Problem; warnings: string[] };

/** Options of a program that a custom criterion wants to run. */
export interface ProgramOptions {
  cwd?: string;
  timeout?: number;
  /** Text, or bytes in base64. */
  stdin?: { text: string } | { base64: string };
}

/** Something that went wrong in a Worker, or on its behalf. */
export interface Problem {
  /** Who has to act: the graded work, its own declaration, or the check. */
  fault: "submission" | "permission" | "check";
  message: string;
  hint?: string;
  /** For `--verbose`. */
  stack?: string;
}

/** Longest text of a message, warning or stack that is kept, in characters. */
const MAX_TEXT = 10_000;

/** Most warnings of one criterion that are kept. */
const MAX_WARNINGS = 100;

/**
 * Checks what a cell sent.
 *
 * @throws {SandboxError} If it is not a message of this protocol; names the field.
 */
export function parseFromCell(value: unknown): FromCell {
  const cell = record(value, "message");
  const worker = whole(cell.worker, "worker");
  if (cell.type === "broken") {
    return { type: "broken", worker, reason: text(cell.reason, "reason") };
  }
  if (cell.type !== "message") throw unexpected("type", cell.type);
  return { type: "message", worker, message: parseFromWorker(cell.message) };
}

function parseFromWorker(value: unknown): FromWorker {
  const message = record(value, "message");
  switch (message.type) {
    case "collected":
      return {
        type: "collected",
        declarations: list(message.declarations, "declarations").map(parseDeclaration),
        warnings: parseWarnings(message.warnings),
      };
    case "prepared":
      return { type: "prepared", criteria: texts(message.criteria, "criteria") };
    case "rejected":
      return { type: "rejected", problem: parseProblem(message.problem) };
    case "scored":
    case "failed":
      return parseEnded(message);
    case "all":
      return { type: "all", messages: list(message.messages, "messages").map(parseEnded) };
    case "program":
      return {
        type: "program",
        call: whole(message.call, "call"),
        index: whole(message.index, "index"),
        argv: texts(message.argv, "argv"),
        options: parseProgramOptions(message.options),
      };
    case "exiting":
      return { type: "exiting", how: text(message.how, "how") };
    default:
      throw unexpected("type", message.type);
  }
}

function parseEnded(value: unknown): EndedMessage {
  const message = record(value, "message");
  const ended = {
    index: whole(message.index, "index"),
    warnings: parseWarnings(message.warnings),
  };
  if (message.type === "scored") {
    return { type: "scored", ...ended, result: anyText(message.result, "result") };
  }
  if (message.type !== "failed") throw unexpected("type", message.type);
  return { type: "failed", ...ended, problem: parseProblem(message.problem) };
}

function parseDeclaration(value: unknown, position: number): Declaration {
  const declaration = record(value, "declaration");
  const { kind, isolated, command, timeoutSec, args } = declaration;
  if (kind !== "builtin" && kind !== "custom") throw unexpected("kind", kind);
  if (declaration.index !== position) throw unexpected("index", declaration.index);
  return {
    index: position,
    kind,
    criterion: text(declaration.criterion, "criterion"),
    name: text(declaration.name, "name"),
    description: text(declaration.description, "description"),
    weight: finite(declaration.weight, "weight"),
    isolated: isolated === true,
    needs: list(declaration.needs, "needs").map(parseNeed),
    ...(declaration.readsByDefault === true && { readsByDefault: true }),
    ...(timeoutSec !== undefined && { timeoutSec: positive(timeoutSec, "timeoutSec") }),
    ...(command !== undefined && { command: parseCommand(command) }),
    ...(args !== undefined && { args: anyText(args, "args") }),
  };
}

function parseCommand(value: unknown): Declaration["command"] {
  const { command, cwd, timeoutSec } = record(value, "command");
  return {
    command: anyText(command, "command"),
    ...(cwd !== undefined && { cwd: anyText(cwd, "cwd") }),
    timeoutSec: positive(timeoutSec, "timeoutSec"),
  };
}

const NEED_KINDS = ["read", "write", "net", "run", "env"] as const;

function parseNeed(value: unknown): Need {
  const need = record(value, "need");
  for (const kind of NEED_KINDS) {
    const wanted = need[kind];
    if (wanted === undefined) continue;
    return { [kind]: wanted === true ? true : anyText(wanted, kind) } as unknown as Need;
  }
  throw unexpected("need", Object.keys(need).join());
}

function parseProblem(value: unknown): Problem {
  const { fault, message, hint, stack } = record(value, "problem");
  if (fault !== "submission" && fault !== "permission" && fault !== "check") {
    throw unexpected("fault", fault);
  }
  return {
    fault,
    message: text(message, "message"),
    ...(hint !== undefined && { hint: text(hint, "hint") }),
    ...(stack !== undefined && { stack: text(stack, "stack") }),
  };
}

function parseProgramOptions(value: unknown): ProgramOptions {
  const { cwd, timeout, stdin } = record(value, "options");
  return {
    ...(cwd !== undefined && { cwd: anyText(cwd, "cwd") }),
    ...(timeout !== undefined && { timeout: positive(timeout, "timeout") }),
    ...(stdin !== undefined && { stdin: parseStdin(stdin) }),
  };
}

function parseStdin(value: unknown): ProgramOptions["stdin"] {
  const stdin = record(value, "stdin");
  return stdin.text !== undefined
    ? { text: anyText(stdin.text, "stdin") }
    : { base64: anyText(stdin.base64, "stdin") };
}

function parseWarnings(value: unknown): string[] {
  return list(value, "warnings").slice(0, MAX_WARNINGS).map((item) => text(item, "warning"));
}

function record(value: unknown, field: string): Record<string, unknown> {
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw unexpected(field, value);
  }
  return value as Record<string, unknown>;
}

function list(value: unknown, field: string): unknown[] {
  if (!Array.isArray(value)) throw unexpected(field, value);
  return value;
}

function texts(value: unknown, field: string): string[] {
  return list(value, field).map((item) => anyText(item, field));
}

function anyText(value: unknown, field: string): string {
  if (typeof value !== "string") throw unexpected(field, value);
  return value;
}

function text(value: unknown, field: string): string {
  const whole = anyText(value, field);
  return whole.length <= MAX_TEXT ? whole : `${whole.slice(0, MAX_TEXT)}…`;
}

function finite(value: unknown, field: string): number {
  if (typeof value !== "number" || !Number.isFinite(value)) throw unexpected(field, value);
  return value;
}

function positive(value: unknown, field: string): number {
  if (finite(value, field) <= 0) throw unexpected(field, value);
  return value as number;
}

function whole(value: unknown, field: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw unexpected(field, value);
  return value as number;
}

function unexpected(field: string, value: unknown): SandboxError {
  return new SandboxError(`A cell broke the protocol: ${field} is ${show(value)}`);
}

/** Never walks into the value, which may be as deep or as long as its sender likes. */
function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 80));
  if (Array.isArray(value)) return "a list";
  return value !== null && typeof value === "object" ? "an object" : String(value);
}
