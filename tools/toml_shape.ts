// What the readers of TOML files ask for, watched while they read: the one source of the schemas.

import { type NumberRange, Table, type TomlSource } from "../src/suite/table.ts";
import type { TomlPath } from "../src/suite/toml_places.ts";

/** What a reader takes for the value of a key. */
export type Shape =
  | { kind: "text" | "texts" | "boolean" }
  | { kind: "words"; words: readonly string[] }
  | { kind: "number"; range: NumberRange }
  | TableShape
  | { kind: "tables"; item: TableShape };

/** What a reader takes in a table. */
export interface TableShape {
  kind: "table";
  keys: Map<string, Shape>;
  /** What it takes under any other key; `null`: nothing is asked of it. */
  others: Shape | null;
  /** Whether other keys are refused. */
  isClosed: boolean;
}

/** A table that no reader has looked into. */
export function unreadTable(): TableShape {
  return { kind: "table", keys: new Map(), others: null, isClosed: false };
}

/**
 * A table that remembers in a shape what it is asked for. The same shape may be filled by several
 * tables: what is asked of any of them is asked of all.
 */
export class WatchedTable extends Table {
  readonly #shape: TableShape;
  /** Its keys are of the author's choice: what is asked of one is asked of each. */
  readonly #isFree: boolean;

  constructor(
    values: Record<string, unknown>,
    source: TomlSource,
    shape: TableShape,
    { where = "", path = [], isFree = false }: {
      where?: string;
      path?: TomlPath;
      isFree?: boolean;
    } = {},
  ) {
    super(values, source, where, path);
    this.#shape = shape;
    this.#isFree = isFree;
  }

  override text(key: string): string | undefined {
    this.#note(key, { kind: "text" });
    return super.text(key);
  }

  override texts(key: string): string[] | undefined {
    this.#note(key, { kind: "texts" });
    return super.texts(key);
  }

  override boolean(key: string): boolean | undefined {
    this.#note(key, { kind: "boolean" });
    return super.boolean(key);
  }

  override oneOf<Word extends string>(key: string, words: readonly Word[]): Word | undefined {
    this.#note(key, { kind: "words", words });
    return super.oneOf(key, words);
  }

  override number(key: string, range: NumberRange = {}): number | undefined {
    this.#note(key, { kind: "number", range });
    return super.number(key, range);
  }

  override entries(key: string): Record<string, unknown> | undefined {
    this.#tableOf(key);
    return super.entries(key);
  }

  override below(where: string, path: TomlPath, value: unknown): Table | undefined {
    const [key, inner] = path as [string, string | undefined];
    const entries = this.#tableOf(key);
    const isFree = inner === undefined;
    const shape = isFree ? entries : tableIn(entries.others, (made) => entries.others = made);
    const values = value as Record<string, unknown>;
    return new WatchedTable(values, this.source, shape, { where, path, isFree });
  }

  override finish(): void {
    this.#shape.isClosed = true;
    super.finish();
  }

  protected override inner(
    values: Record<string, unknown>,
    where: string,
    path: TomlPath,
  ): Table {
    const [key, index] = path as [string, number | undefined];
    const shape = index === undefined ? this.#tableOf(key) : this.#itemOf(key);
    return new WatchedTable(values, this.source, shape, { where, path: [...this.path, ...path] });
  }

  #tableOf(key: string): TableShape {
    return tableIn(this.#shape.keys.get(key), (made) => this.#shape.keys.set(key, made));
  }

  #itemOf(key: string): TableShape {
    const known = this.#shape.keys.get(key);
    if (known?.kind === "tables") return known.item;
    const item = unreadTable();
    this.#shape.keys.set(key, { kind: "tables", item });
    return item;
  }

  #note(key: string, shape: Shape): void {
    if (this.#isFree) this.#shape.others = common(this.#shape.others ?? shape, shape);
    else this.#shape.keys.set(key, common(this.#shape.keys.get(key) ?? shape, shape));
  }
}

function tableIn(known: Shape | null | undefined, keep: (made: TableShape) => void): TableShape {
  if (known?.kind === "table") return known;
  const made = unreadTable();
  keep(made);
  return made;
}

/** What is right for both; numbers are all that a key is read as in more than one way. */
function common(one: Shape, other: Shape): Shape {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  if (one.kind === "number" && other.kind === "number") return { kind: "number", range: {} };
  throw new Error(`a key is read as ${one.kind} and as ${other.kind}`);
}
