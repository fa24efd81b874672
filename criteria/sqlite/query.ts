// What an author's SQL must be: one statement without parameters.

/** One token that may hide a semicolon or a question mark, or is one that matters. */
const TOKEN =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[?:@$][\w:]*|;|\s+|[\w\x80-\uffff]+|./g;

/**
 * Refuses what the original answers with 0 for ever: no statement, two statements, a statement with
 * parameters.
 *
 * @throws {SyntaxError} If it is any of these; the message says which.
 *
 * @example
 * ```ts
 * import { requireOneStatement } from "./query.ts";
 * import assert from "node:assert/strict";
 *
 * requireOneStatement("SELECT ';' -- ?");
 * assert.throws(() => requireOneStatement("SELECT ?"), SyntaxError);
 * ```
 */
export function requireOneStatement(query: string): void {
  if (query.includes("\0")) throw refused(query, "holds a NUL character");
  let started = false;
  let ended = false;
  for (const [token] of query.matchAll(TOKEN)) {
    if (/^(?:\s|--|\/\*)/.test(token)) continue;
    if (token === ";") {
      ended = started;
      continue;
    }
    if (ended) throw refused(query, "has more than one statement");
    if (/^[?:@$]/.test(token)) throw refused(query, `has a parameter, "${token}"`);
    started = true;
  }
  if (!started) throw refused(query, "has no statement");
}

/**
 * Looks for mistakes that no schema could mend, by compiling against an empty database. Where a
 * stranger's file is loaded there is no SQLite: there, such a mistake shows when the query is run.
 *
 * @throws {SyntaxError} If SQLite cannot parse the query.
 */
export async function requireSyntax(query: string): Promise<void> {
  const sqlite = await import("node:sqlite").catch(() => null);
  if (sqlite === null) return;
  const { DatabaseSync } = sqlite;
  using database = new DatabaseSync(":memory:");
  try {
    database.prepare(query);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (/syntax error|unrecognized token|incomplete input/.test(message)) {
      throw refused(query, `is not SQL: ${message}`);
    }
  }
}

function refused(query: string, problem: string): SyntaxError {
  const shown = query.length > 60 ? `${query.slice(0, 60)}…` : query;
  return new SyntaxError(
    `sqliteQueryEquals() got ${
      JSON.stringify(shown)
    } for "query", which ${problem}; expected one ` +
      `statement that reads`,
  );
}
