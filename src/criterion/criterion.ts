// criterion(): authors' own criteria.

import { str } from "../../criteria/python/text.ts";
import { CriterionError } from "../errors.ts";
import { show } from "./arguments.ts";
import { BUILTIN_NAMES, functionNameOf } from "./builtin.ts";
import type { Need } from "./needs.ts";
import type { CriterionOptions } from "./options.ts";
import { fillDescription, parameterNames } from "./parameters.ts";
import { onLoaded, register, type Registration, warnLoading } from "./registry.ts";
import type { Workspace } from "./workspace.ts";

/** What a criterion computes: passed or failed, a number, or a number with what there is to say. */
export type CriterionResult = boolean | number | ScoredResult;

/** A result with its reasons; all but the score goes to `reward-details.json` as it is. */
export interface ScoredResult {
  /** Best in [0, 1]; anything outside is kept and warned about. */
  score: boolean | number;
  reasoning?: string;
  /** What it wanted to find: anything that JSON can hold. Shown when it does not score 1. */
  expected?: unknown;
  /** What it found instead. */
  found?: unknown;
  /** In [0, 1]. */
  confidence?: number;
  /** What computed the score, such as the name of a classifier. */
  model?: string;
}

/** Options of {@link criterion}: how it is shown, and what it may do. */
export interface CriterionDefinition {
  /** Name in the results. Default: the function's name. */
  name?: string;
  /** A sentence for the results; `{parameter}` is replaced by the argument. */
  description?: string;
  /** Never registered by being defined: other files import and call it. Default false. */
  shared?: boolean;
  /** Files and folders it reads, or `true` for all. Default: the workspace and the tests folder. */
  read?: readonly string[] | true;
  /** Files and folders it writes, or `true` for all. Default: none. */
  write?: readonly string[] | true;
  /** Programs it runs, or `true` for all. Default: none. A program that runs is not contained. */
  run?: readonly string[] | true;
  /** Hosts it talks to (`example.com`, `localhost:8000`), or `true` for all. Default: none. */
  net?: readonly string[] | true;
  /** Environment variables it reads, or `true` for all. Default: none. */
  env?: readonly string[] | true;
  /** Seconds it may take. Default: the run's limit. */
  timeout?: number;
}

/** The function that an author writes. */
export type CriterionFunction<Args extends readonly unknown[]> = (
  workspace: Workspace,
  ...args: Args
) => CriterionResult | Promise<CriterionResult>;

/** What {@link criterion} returns: each call registers the criterion with these arguments. */
export type RegisterCriterion<Args extends readonly unknown[]> = (
  ...args: [...args: Args, options?: CriterionOptions]
) => void;

/**
 * Defines a criterion of one's own. One without arguments beside the workspace is registered by
 * being defined (unless it is `shared`); any other each time that the returned function is called.
 *
 * @returns The function that registers it.
 * @throws {CriterionError} If the function has no name or an option is wrong.
 *
 * @example A criterion that registers itself
 * ```ts ignore
 * import * as rk from "@rewardkit/cli";
 *
 * rk.criterion(async function exactAnswer(workspace) {
 *   return await workspace.readText("answer.txt") === "Hello, world!\n";
 * });
 * ```
 *
 * @example One with an argument, which declares what it reads
 * ```ts ignore
 * import * as rk from "@rewardkit/cli";
 *
 * const hasLines = rk.criterion(
 *   { description: "output has at least {count} lines", read: ["output.txt"] },
 *   async function hasLines(workspace, count: number) {
 *     return (await workspace.readText("output.txt")).split("\n").length > count;
 *   },
 * );
 * hasLines(10, { weight: 2 });
 * hasLines(50);
 * ```
 */
export function criterion<Args extends readonly unknown[]>(
  fn: CriterionFunction<Args>,
): RegisterCriterion<Args>;
export function criterion<Args extends readonly unknown[]>(
  definition: CriterionDefinition,
  fn: CriterionFunction<Args>,
): RegisterCriterion<Args>;
export function criterion<Args extends readonly unknown[]>(
  first: CriterionDefinition | CriterionFunction<Args>,
  second?: CriterionFunction<Args>,
): RegisterCriterion<Args> {
  const definition = typeof first === "function" ? {} : first;
  const fn = typeof first === "function" ? first : second;
  if (typeof fn !== "function") {
    throw new CriterionError("criterion() got no function", {
      hint: "Write criterion(async function myCheck(workspace) { … })",
    });
  }
  return new Definition(checked(definition, fn.name), fn).register;
}

const DEFINITION_KEYS = new Set(
  ["name", "description", "shared", "read", "write", "run", "net", "env", "timeout"],
);

/** Refuses a definition whose keys or values are wrong; TypeScript sees only typed files. */
function checked(
  definition: CriterionDefinition,
  functionName: string,
): CriterionDefinition & { name: string } {
  const name = definition.name ?? functionName;
  if (typeof name !== "string" || name === "") {
    throw new CriterionError("criterion() got a function without a name", {
      hint: "Name the function, or give a name: criterion({ name: … }, …)",
    });
  }
  for (const [key, value] of Object.entries(definition)) {
    if (!DEFINITION_KEYS.has(key)) {
      throw new CriterionError(`${name}: unknown option "${key}" of criterion()`, {
        hint: `Options are ${[...DEFINITION_KEYS].join(", ")}`,
      });
    }
    const isList = Array.isArray(value) && value.every((item) => typeof item === "string");
    const wanted = {
      name: ["a text", typeof value === "string"],
      description: ["a text", typeof value === "string"],
      shared: ["true or false", typeof value === "boolean"],
      timeout: ["a number of seconds above 0", Number.isFinite(value) && value > 0],
    }[key] ?? ["a list of texts, or true", value === true || isList];
    if (value !== undefined && !wanted[1]) {
      throw new CriterionError(`${name}: ${key} must be ${wanted[0]}, got ${show(value)}`);
    }
  }
  return { ...definition, name };
}

/** One definition: knows whether it still stands for its automatic registration. */
class Definition<Args extends readonly unknown[]> {
  readonly #definition: CriterionDefinition & { name: string };
  readonly #fn: CriterionFunction<Args>;
  readonly #names: (string | null)[];
  /** Registered by being defined, until an explicit call replaces it. */
  #automatic: Registration | null = null;
  #called = false;

  constructor(definition: CriterionDefinition & { name: string }, fn: CriterionFunction<Args>) {
    this.#definition = definition;
    this.#fn = fn;
    this.#names = parameterNames(fn).slice(1);
    if (isBuiltinName(definition.name)) {
      warnLoading(`criterion "${definition.name}" has the name of a built-in and stands beside it`);
    }
    if (definition.shared) return;
    if (fn.length <= 1) this.#automatic = this.#add([], undefined);
    else {
      onLoaded(() => {
        if (this.#called) return;
        warnLoading(
          `criterion "${definition.name}" takes arguments and is never called: it is not graded`,
        );
      });
    }
  }

  readonly register: RegisterCriterion<Args> = (...given) => {
    this.#called = true;
    if (this.#automatic !== null) this.#automatic.withdrawn = true;
    this.#automatic = null;
    const { args, options } = this.#split(given);
    const required = this.#fn.length - 1;
    if (args.length < required) {
      throw new CriterionError(
        `${this.#definition.name}: got ${args.length} of ${required} arguments`,
        { hint: `Call it as ${this.#definition.name}(${this.#names.join(", ")})` },
      );
    }
    this.#add(args, options);
  };

  /**
   * Tells options from arguments: an object past the last parameter is the options; among optional
   * parameters only one with a key of the options is.
   */
  #split(given: readonly unknown[]): { args: unknown[]; options?: CriterionOptions } {
    const last = given.at(-1);
    const isOptions = given.length > Math.max(this.#fn.length - 1, 0) &&
      last !== null && typeof last === "object" && !Array.isArray(last) &&
      (given.length > this.#names.length ||
        Object.keys(last).some((key) => key === "weight" || key === "name" || key === "isolated"));
    if (!isOptions) return { args: [...given] };
    return { args: given.slice(0, -1), options: last as CriterionOptions };
  }

  #add(args: unknown[], options: CriterionOptions | undefined): Registration {
    const { name, description, timeout, read } = this.#definition;
    return register({
      kind: "custom",
      criterion: name,
      args,
      options,
      description: description === undefined
        ? `${name}(${args.map(str).join(", ")})`
        : this.#describe(description, args),
      needs: needsOf(this.#definition),
      readsByDefault: read === undefined,
      timeoutSec: timeout,
      compute: (workspace) => this.#fn(workspace, ...(args as unknown as Args)),
    });
  }

  #describe(template: string, args: readonly unknown[]): string {
    try {
      return fillDescription(
        template,
        this.#names,
        (position) => args[position] === undefined ? "its default" : str(args[position]),
      );
    } catch (error) {
      throw new CriterionError(`${this.#definition.name}: ${(error as Error).message}`);
    }
  }
}

function isBuiltinName(name: string): boolean {
  return BUILTIN_NAMES.some((builtin) => builtin === name || functionNameOf(builtin) === name);
}

function needsOf(definition: CriterionDefinition): Need[] {
  const needs: Need[] = [];
  for (const kind of ["read", "write", "run", "net", "env"] as const) {
    const declared = definition[kind];
    for (const value of declared === true ? [true as const] : declared ?? []) {
      needs.push({ [kind]: value } as unknown as Need);
    }
  }
  return needs;
}
