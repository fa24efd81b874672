// Reads a TOML table key by key; a wrong value becomes a problem, not an exception.

import type { Place } from "../errors.ts";
import { knownNames } from "../nearest.ts";
import type { Problems } from "./problems.ts";
import type { TomlPath, TomlPlace } from "./toml_places.ts";

type Values = Record<string, unknown>;

/** The file that a table is part of. */
export interface TomlSource {
  /** As messages name it. */
  file: string;
  problems: Problems;
  /** Where a key or a table stands; absent: nobody knows. */
  placeOf?: (path: TomlPath) => TomlPlace | undefined;
}

/** Which numbers are accepted; without limits every finite one. */
export interface NumberRange {
  isWhole?: boolean;
  least?: number;
  /** The number has to be greater than this. */
  above?: number;
  most?: number;
}

/**
 * One table of a TOML file. Asking for a key is what makes it known: after the last question,
 * {@link Table.finish} reports every other key. Where a value is wrong, the answer is `undefined`,
 * as if the key were absent. Numbers may be given as text or as true and false, as the original
 * allows.
 */
export class Table {
  readonly #values: Values;
  readonly #asked: string[] = [];

  /**
   * @param where The table as messages name it, such as `[judge]`; "" for the top of the file.
   * @param path Where it lies in the file.
   */
  constructor(
    values: Values,
    readonly source: TomlSource,
    readonly where = "",
    readonly path: TomlPath = [],
  ) {
    this.#values = values;
  }

  has(key: string): boolean {
    return this.#ask(key) !== undefined;
  }

  keys(): string[] {
    return Object.keys(this.#values);
  }

  text(key: string): string | undefined {
    return this.#read(key, "a string", (value) => typeof value === "string" ? value : undefined);
  }

  oneOf<Word extends string>(key: string, words: readonly Word[]): Word | undefined {
    return this.#read(
      key,
      `one of ${words.map((word) => `"${word}"`).join(", ")}`,
      (value) => words.find((word) => word === value),
    );
  }

  /** A finite number in a range. */
  number(key: string, range: NumberRange = {}): number | undefined {
    return this.#read(key, describeRange(range), (value) => {
      const number = toNumber(value);
      return isWithin(number, range) ? number : undefined;
    });
  }

  integer(key: string, least: number, most?: number): number | undefined {
    return this.number(key, { isWhole: true, least, ...(most !== undefined && { most }) });
  }

  boolean(key: string): boolean | undefined {
    return this.#read(
      key,
      "true or false",
      (value) => typeof value === "boolean" ? value : undefined,
    );
  }

  texts(key: string): string[] | undefined {
    return this.#read(
      key,
      "a list of strings",
      (value) =>
        Array.isArray(value) && value.every((item) => typeof item === "string") ? value : undefined,
    );
  }

  /** The values of a table with keys of the author's choice. */
  entries(key: string): Values | undefined {
    return this.#read(key, "a table", (value) => isTable(value) ? value : undefined);
  }

  /** A table with keys of its own: `[key]`. Only of the top of a file. */
  table(key: string): Table | undefined {
    const values = this.entries(key);
    return values === undefined ? undefined : this.inner(values, `[${key}]`, [key]);
  }

  /** A list of tables: `[[key]]`. */
  tables(key: string): Table[] | undefined {
    const name = this.where === "" ? key : `${this.where.replace(/[[\]]/g, "")}.${key}`;
    const list = this.#read(
      key,
      `a list of tables: write it as [[${name}]]`,
      (value) => Array.isArray(value) && value.every(isTable) ? value as Values[] : undefined,
    );
    return list?.map((values, index) =>
      this.inner(values, `[[${name}]] ${index + 1}`, [key, index])
    );
  }

  /**
   * The table at `path` from this one, below a key of the author's choice, as {@link Table.entries}
   * gave it.
   */
  below(where: string, path: TomlPath, value: unknown): Table | undefined {
    if (isTable(value)) return this.inner(value, where, path);
    this.#add(path, `${where} is ${show(value)}, expected a table`);
    return undefined;
  }

  /** Reports a problem of this table. */
  problem(message: string, hint?: string): void {
    this.#add([], this.#prefix + message, hint);
  }

  /** Reports a problem of what stands at a path from this table, such as of a key. */
  problemAt(path: TomlPath, message: string, hint?: string): void {
    this.#add(path, this.#prefix + message, hint);
  }

  /** Reports a warning of this table, or of what stands at a path from it. */
  warn(message: string, path: TomlPath = []): void {
    this.source.problems.warn(this.place(path), this.#prefix + message);
  }

  /** Where a key or a table below this one stands; its own place if that is not known. */
  place(path: TomlPath = []): Place {
    const { file, placeOf } = this.source;
    return { file, ...placeOf?.([...this.path, ...path]) ?? placeOf?.(this.path) };
  }

  /** Reports the keys that nobody asked for. */
  finish(): void {
    for (const key of Object.keys(this.#values)) {
      if (this.#asked.includes(key)) continue;
      this.problemAt([key], `unknown key "${key}"`, knownNames(key, this.#asked));
    }
  }

  /** A table below this one. */
  protected inner(values: Values, where: string, path: TomlPath): Table {
    return new Table(values, this.source, where, [...this.path, ...path]);
  }

  get #prefix(): string {
    return this.where === "" ? "" : `${this.where}: `;
  }

  #add(path: TomlPath, message: string, hint?: string): void {
    this.source.problems.add(this.place(path), message, hint);
  }

  #ask(key: string): unknown {
    if (!this.#asked.includes(key)) this.#asked.push(key);
    return Object.hasOwn(this.#values, key) ? this.#values[key] : undefined;
  }

  #read<T>(key: string, expected: string, read: (value: unknown) => T | undefined): T | undefined {
    const value = this.#ask(key);
    if (value === undefined) return undefined;
    const result = read(value);
    if (result === undefined) {
      this.problemAt([key], `"${key}" is ${show(value)}, expected ${expected}`);
    }
    return result;
  }
}

function isTable(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    !(value instanceof Date);
}

function isWithin(number: number, { isWhole, least, above, most }: NumberRange): boolean {
  return Number.isFinite(number) && (isWhole !== true || Number.isInteger(number)) &&
    (least === undefined || number >= least) && (above === undefined || number > above) &&
    (most === undefined || number <= most);
}

function describeRange({ isWhole, least, above, most }: NumberRange): string {
  const limits = [
    ...(least === undefined ? [] : [`of at least ${least}`]),
    ...(above === undefined ? [] : [`greater than ${above}`]),
    ...(most === undefined ? [] : [`at most ${most}`]),
  ];
  if (limits.length === 0) return isWhole === true ? "a whole number" : "a finite number";
  return `a ${isWhole === true ? "whole " : ""}number ${limits.join(" and ")}`;
}

function toNumber(value: unknown): number {
  if (typeof value === "string" && value.trim() === "") return NaN;
  return ["number", "bigint", "boolean", "string"].includes(typeof value) ? Number(value) : NaN;
}

/** A value as messages show it. */
export function show(value: unknown): string {
  if (typeof value === "string") {
    return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  }
  if (Array.isArray(value)) return "a list";
  return isTable(value) ? "a table" : String(value);
}
