import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import {
  isAccepted,
  outcomeOf,
  recordedCases,
  recordedWorkspace,
} from "./conformance_workspace.ts";
import { checks, sqliteQueryEquals, type SqliteValue } from "./sqlite.ts";
import { requireOneStatement, requireSyntax } from "./sqlite/query.ts";

const check = checks.sqlite_query_equals!;

/** Where the outcome is another one than the original's, and why. */
const DIFFERENT: Record<string, number | "refused"> = {
  "sqlite_query_equals-039": "refused", // a syntax error is the author's mistake
  "sqlite_query_equals-043": "refused", // a parameter that nobody binds
  "sqlite_query_equals-062": 0, // a truncated database fails whatever is asked
  "sqlite_query_equals-069": "refused", // NUL in a query
  "sqlite_query_equals-070": "refused", // a query that is no text
};

Deno.test("sqliteQueryEquals() scores the recorded cases as the original does", async (t) => {
  using workspace = recordedWorkspace();
  const before = [...Deno.readDirSync(`${workspace.path}/db`)].map((entry) => entry.name).sort();
  const cases = recordedCases("sqlite_query_equals");
  assert.ok(cases.length >= 60);
  for (const { id, args, value } of cases) {
    await t.step(id, async () => {
      const expected = DIFFERENT[id] ?? value;
      const [path, query, cell] = args as [string, string, SqliteValue];
      const accepted = isAccepted(() => sqliteQueryEquals(path, query, cell)) &&
        await requireSyntax(query).then(() => true, () => false);
      if (!accepted) return assert.equal("refused", expected);
      const { result } = await outcomeOf(check, workspace.path, ...args);
      assert.equal(Number(result), expected);
    });
  }
  const after = [...Deno.readDirSync(`${workspace.path}/db`)].map((entry) => entry.name).sort();
  assert.deepEqual(after, before, "no check left a file in the workspace");
});

/** A folder with `a.db`, made by `fill`; whatever logs it leaves open are copied as they are. */
async function withDatabase(
  setUp: string,
  ...queries: [query: string, expected: SqliteValue, score: number][]
): Promise<string[]> {
  const folder = Deno.realPathSync(Deno.makeTempDirSync());
  try {
    using writer = new DatabaseSync(`${folder}/live.db`);
    writer.exec(setUp);
    // Copied while the writer has it open: as a killed program would leave it.
    for (const suffix of ["", "-wal", "-journal"]) {
      try {
        Deno.copyFileSync(`${folder}/live.db${suffix}`, `${folder}/a.db${suffix}`);
      } catch {
        // That log is not there.
      }
    }
    const all: string[] = [];
    for (const [query, expected, score] of queries) {
      const { result, warnings } = await outcomeOf(check, folder, "a.db", query, expected);
      assert.equal(Number(result), score, `${query}: ${warnings}`);
      all.push(...warnings);
    }
    return all;
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("sqliteQueryEquals() sees what was committed to the write-ahead log, and only that", async () => {
  await withDatabase(
    `PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = 1;
     CREATE TABLE t (x, y); INSERT INTO t SELECT value, hex(randomblob(500)) FROM
       (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n LIMIT 500)
        SELECT value FROM n);
     DELETE FROM t WHERE x > 400; PRAGMA wal_checkpoint;
     UPDATE t SET x = x + 1000 WHERE x <= 10;
     BEGIN; UPDATE t SET x = 0, y = hex(randomblob(500))`,
    ["SELECT count(*) FROM t", 400, 1],
    ["SELECT count(*) FROM t WHERE x > 1000", 10, 1],
    ["SELECT count(*) FROM t WHERE x = 0", 0, 1],
    ["PRAGMA integrity_check", "ok", 1],
  );
});

Deno.test("sqliteQueryEquals() rolls back an unfinished transaction", async () => {
  await withDatabase(
    `PRAGMA cache_size = 1; PRAGMA synchronous = FULL; CREATE TABLE t (x, y);
     INSERT INTO t SELECT value, hex(randomblob(500)) FROM
       (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n LIMIT 500)
        SELECT value FROM n);
     BEGIN; UPDATE t SET x = 0, y = hex(randomblob(700))`,
    ["SELECT count(*) FROM t WHERE x = 0", 0, 1],
    ["SELECT count(*) FROM t", 500, 1],
    ["PRAGMA integrity_check", "ok", 1],
  );
});

Deno.test("sqliteQueryEquals() compares text as its bytes say", async () => {
  for (const encoding of ["UTF-8", "UTF-16le", "UTF-16be"]) {
    await withDatabase(
      `PRAGMA encoding = '${encoding}'; CREATE TABLE t (x); INSERT INTO t VALUES ('é😀')`,
      ["SELECT x FROM t;; -- all", "é😀", 1],
    );
  }
  const warnings = await withDatabase(
    "CREATE TABLE t (nul, bad); INSERT INTO t VALUES (CAST(x'610062' AS TEXT), CAST(x'61ff' AS TEXT))",
    ["SELECT nul FROM t", "a\0b", 1],
    ["SELECT nul, nul FROM t /* twice */ ;", "a", 0],
    ["SELECT bad FROM t", "a\ufffd", 0],
  );
  assert.match(warnings[0]!, /"a.db"/);
});

Deno.test("sqliteQueryEquals() fails a statement that writes or attaches", async () => {
  const warnings = await withDatabase(
    "CREATE TABLE t (x); INSERT INTO t VALUES (1)",
    ["UPDATE t SET x = 2 RETURNING x", 2, 0],
    ["CREATE TEMP TABLE u (x)", null, 0],
    ["ATTACH ':memory:' AS other", null, 0],
    ["SELECT x FROM t", 1, 1],
  );
  assert.ok(warnings.length >= 2);
  assert.match(warnings[0]!, /readonly/);
});

Deno.test("sqliteQueryEquals() takes the first column, also of columns of one name", async () => {
  await withDatabase("CREATE TABLE t (x)", ["SELECT 1 AS a, 2 AS a", 1, 1], [
    `SELECT 'x', 2 AS "1"`,
    "x",
    1,
  ]);
});

Deno.test("sqliteQueryEquals() survives logs that lie about their size", async () => {
  using workspace = recordedWorkspace();
  const log = Deno.readFileSync(`${workspace.path}/db/wal.db-wal`);
  for (let at = 0; at < log.length; at += 1) {
    if (at > 120 && at % 37 !== 0) continue;
    const damaged = log.slice();
    damaged[at]! ^= 0xff;
    Deno.writeFileSync(`${workspace.path}/db/wal.db-wal`, damaged);
    const { result } = await outcomeOf(
      check,
      workspace.path,
      "db/wal.db",
      "SELECT x FROM w",
      "old",
    );
    assert.ok(typeof result === "boolean" || result === 0);
  }
});

Deno.test("requireOneStatement() tells statements, strings and comments apart", () => {
  for (
    const query of [
      "SELECT ';' || \"a;?\" || `;` || [;?] -- ; ?\n",
      "/* ; ? */ SELECT 'it''s'; ; -- done",
      "SELECT x FROM t WHERE é = 1 /* open",
    ]
  ) requireOneStatement(query);
  for (
    const query of [
      "",
      " ; -- nothing",
      "SELECT 1; SELECT 2",
      "SELECT ?1",
      "SELECT :a",
      "SELECT @a",
      "SELECT $a",
    ]
  ) assert.throws(() => requireOneStatement(query), SyntaxError, query);
});

Deno.test("requireSyntax() refuses what no schema could mend", async () => {
  await requireSyntax("SELECT nosuch FROM nowhere");
  await assert.rejects(requireSyntax("SELEC 1"), /near "SELEC"/);
  await assert.rejects(requireSyntax("SELECT (1"), SyntaxError);
  await assert.rejects(requireSyntax("SELECT 'open"), SyntaxError);
});
