// Criterion on the result of a query to a SQLite database.

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { requireText, wrong } from "../src/criterion/arguments.ts";
import { type Check, type CheckContext, registerBuiltin } from "../src/criterion/builtin.ts";
import type { CriterionOptions } from "../src/criterion/options.ts";
import type { WorkspaceReader } from "../src/criterion/reader.ts";
import { SubmissionError } from "../src/errors.ts";
import { lazily } from "../src/lazy.ts";
import { requireOneStatement, requireSyntax } from "./sqlite/query.ts";

/** A value that a SQLite cell can hold. */
export type SqliteValue = string | number | bigint | boolean | null | Uint8Array;

/**
 * Scores 1 when the first column of the first row that `query` gives equals `expected`; a query
 * that gives no row scores 0. The query runs on a private copy in memory, with what the files
 * `-wal` and `-journal` beside the database say, and can only read: a statement that writes, and
 * ATTACH, score 0.
 *
 * @param dbPath From the workspace, or absolute. Of a database that is reached through a link, the
 * files beside the link count.
 * @param query One statement without parameters.
 * @param expected Equality is Python's: 1, 1.0 and `true` are equal, text and numbers never are.
 * Integers are exact; one above 2^53 is written as a bigint. A blob is a `Uint8Array`, NULL `null`.
 * @throws {TypeError} If an argument is of the wrong type.
 * @throws {SyntaxError} If `query` is not one statement without parameters.
 *
 * @example
 * ```ts ignore
 * import * as rk from "@rewardkit/cli";
 *
 * rk.sqliteQueryEquals("app.db", "SELECT count(*) FROM users", 3);
 * ```
 */
export function sqliteQueryEquals(
  dbPath: string,
  query: string,
  expected: SqliteValue,
  options?: CriterionOptions,
): void {
  requireText("sqliteQueryEquals", "dbPath", dbPath);
  requireText("sqliteQueryEquals", "query", query);
  if (expected === undefined) throw wrong("sqliteQueryEquals", "expected", expected, "a value");
  requireOneStatement(query);
  registerBuiltin({
    criterion: "sqlite_query_equals",
    args: [dbPath, query, expected],
    options,
    description: `"${query}" on "${dbPath}" gives ${shown(expected)}`,
    needs: [{ read: dbPath }, { read: `${dbPath}-wal` }, { read: `${dbPath}-journal` }],
    validate: () => requireSyntax(query),
  });
}

function shown(expected: SqliteValue): string {
  if (expected instanceof Uint8Array) return `${expected.length} bytes`;
  return typeof expected === "string" ? JSON.stringify(expected) : String(expected);
}

/** How each criterion of this file is computed. */
export const checks: Record<string, Check> = { sqlite_query_equals: queryEquals };

/**
 * A query that sorts or joins without end stops here. SQLite's limit counts for the whole process,
 * the database itself included.
 */
const HEAP_LIMIT_BYTES = 768 * 1024 * 1024;

/** Nothing is written, no code of the schema's is trusted, and nothing spills to a file. */
const LIMITS = `PRAGMA hard_heap_limit = ${HEAP_LIMIT_BYTES}; PRAGMA temp_store = MEMORY;
  PRAGMA trusted_schema = OFF; PRAGMA query_only = ON`;

async function queryEquals(
  { files, mismatch }: CheckContext,
  dbPath: string,
  query: string,
  expected: SqliteValue,
): Promise<boolean> {
  const { DatabaseSync } = await import("node:sqlite");
  const { databaseImage } = await lazily<typeof import("./sqlite/image.ts")>(
    "./sqlite/image.ts",
    import.meta.url,
  );
  const { equals } = await lazily<typeof import("./python/equality.ts")>(
    "./python/equality.ts",
    import.meta.url,
  );
  const image = readDatabase(files, dbPath, databaseImage);
  using database = new DatabaseSync(":memory:");
  try {
    if (image.length > 0) database.deserialize(image);
    database.exec(LIMITS);
    const value = firstValue(database, query);
    if (value !== undefined && equals(value, expected)) return true;
    return mismatch("equal", expected, value);
  } catch (error) {
    if (error instanceof SubmissionError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new SubmissionError(`"${dbPath}" cannot be queried: ${reason}`, { cause: error });
  }
}

function readDatabase(
  files: WorkspaceReader,
  dbPath: string,
  databaseImage: typeof import("./sqlite/image.ts").databaseImage,
): Uint8Array {
  const database = files.readBytes(dbPath);
  const beside = (suffix: string): Uint8Array | undefined =>
    files.exists(dbPath + suffix) ? files.readBytes(dbPath + suffix) : undefined;
  try {
    return databaseImage(database, {
      journal: beside("-journal"),
      log: beside("-wal"),
      maxBytes: files.maxFileBytes,
    });
  } catch (error) {
    if (!(error instanceof SubmissionError)) throw error;
    throw new SubmissionError(`"${dbPath}" cannot be read: ${error.message}`, { cause: error });
  }
}

/** First column of the first row; undefined if there is no row. */
function firstValue(database: DatabaseSync, query: string): unknown {
  const { row, columns } = firstRow(database, query);
  if (typeof row?.[0] !== "string") return row?.[0];
  // `node:sqlite` cuts text at a NUL and replaces bad bytes, so text is read again as its bytes.
  const names = Array.from({ length: columns }, (_, index) => `c${index}`);
  const body = query.replace(/;(?:[\s;]|--[^\n]*|\/\*[\s\S]*?\*\/)*$/, "");
  const asBytes = `WITH result(${names}) AS (${body}\n) SELECT CAST(c0 AS BLOB) FROM result`;
  // EXPLAIN and PRAGMA cannot stand in there; what they give is plain text.
  if (!compiles(database, asBytes)) return row[0];
  const encoding = firstRow(database, "PRAGMA encoding").row?.[0];
  const bytes = firstRow(database, asBytes).row?.[0];
  return new TextDecoder(encoding as string, { fatal: true, ignoreBOM: true })
    .decode(bytes as Uint8Array<ArrayBuffer>);
}

function firstRow(
  database: DatabaseSync,
  query: string,
): { row: readonly unknown[] | undefined; columns: number } {
  const statement = database.prepare(query) as StatementSync & ArrayRows;
  statement.setReadBigInts(true);
  // Columns of equal names would be one property of a row object.
  statement.setReturnArrays(true);
  const row = statement.get() as readonly unknown[] | undefined;
  return { row, columns: statement.columns().length };
}

/** In Node.js 24 and Deno 2.9, but not in Deno's types. */
interface ArrayRows {
  setReturnArrays(enabled: boolean): void;
}

function compiles(database: DatabaseSync, query: string): boolean {
  try {
    database.prepare(query);
    return true;
  } catch {
    return false;
  }
}
