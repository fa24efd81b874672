// Reads a TOML table key by key; a wrong value becomes a problem, not an exception.

import { knownNames } from "./nearest.ts";
import type { Problems } from "./problems.ts";

type Values = Record<string, unknown>;

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
   * @param file As messages name it.
   * @param where The table as messages name it, such as `[judge]`; "" for the top of the file.
   */
  constructor(
    values: Values,
    readonly file: string,
    readonly where: string,
    readonly problems: Problems,
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

  /** A finite number that `accepts` agrees with; `expected` says which those are. */
  number(
    key: string,
    expected = "a finite number",
    accepts: (value: number) => boolean = () => true,
  ): number | undefined {
    return this.#read(key, expected, (value) => {
      const number = toNumber(value);
      return Number.isFinite(number) && accepts(number) ? number : undefined;
    });
  }

  integer(key: string, least: number, most = Infinity): number | undefined {
    return this.number(
      key,
      `a whole number of at least ${least}${most === Infinity ? "" : ` and at most ${most}`}`,
      (value) => Number.isInteger(value) && value >= least && value <= most,
    );
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
    return values === undefined ? undefined : this.#inner(values, `[${key}]`);
  }

  /** A list of tables: `[[key]]`. */
  tables(key: string): Table[] | undefined {
    const name = this.where === "" ? key : `${this.where.replace(/[[\]]/g, "")}.${key}`;
    const list = this.#read(
      key,
      `a list of tables: write it as [[${name}]]`,
      (value) => Array.isArray(value) && value.every(isTable) ? value as Values[] : undefined,
    );
    return list?.map((values, index) => this.#inner(values, `[[${name}]] ${index + 1}`));
  }

  /** The table below a key of the author's choice, as {@link Table.entries} gave it. */
  below(where: string, value: unknown): Table | undefined {
    if (isTable(value)) return this.#inner(value, where);
    this.problems.add({ file: this.file }, `${where} is ${show(value)}, expected a table`);
    return undefined;
  }

  /** Reports a problem of this table. */
  problem(message: string, hint?: string): void {
    const prefix = this.where === "" ? "" : `${this.where}: `;
    this.problems.add({ file: this.file }, prefix + message, hint);
  }

  /** Reports a warning of this table. */
  warn(message: string): void {
    const prefix = this.where === "" ? "" : `${this.where}: `;
    this.problems.warn(this.file, prefix + message);
  }

  /** Reports the keys that nobody asked for. */
  finish(): void {
    for (const key of Object.keys(this.#values)) {
      if (this.#asked.includes(key)) continue;
      this.problem(`unknown key "${key}"`, knownNames(key, this.#asked));
    }
  }

  #inner(values: Values, where: string): Table {
    return new Table(values, this.file, where, this.problems);
  }

  #ask(key: string): unknown {
    if (!this.#asked.includes(key)) this.#asked.push(key);
    return Object.hasOwn(this.#values, key) ? this.#values[key] : undefined;
  }

  #read<T>(key: string, expected: string, read: (value: unknown) => T | undefined): T | undefined {
    const value = this.#ask(key);
    if (value === undefined) return undefined;
    const result = read(value);
    if (result === undefined) this.problem(`"${key}" is ${show(value)}, expected ${expected}`);
    return result;
  }
}

function isTable(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    !(value instanceof Date);
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
