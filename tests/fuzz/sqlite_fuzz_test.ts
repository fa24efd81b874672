import { DatabaseSync } from "node:sqlite";
import assert from "node:assert/strict";
import fc from "fast-check";
import { checks } from "../../criteria/sqlite.ts";
import { damaged, joined, type Sample, samplesIn } from "./damage.ts";
import { isolatedTest } from "./isolated.ts";
import { tries, within } from "./runs.ts";
import { Workspace } from "./workspace.ts";

const query = checks.sqlite_query_equals!;

const LIMITS = { limitSec: 60, maxMib: 900 };

const SAMPLES = [...samplesIn("conformance/workspace/db", /^(?!.*-wal$)/), indexed()];

/** More than a page of each kind: tables, indexes, overflowing texts, free pages. */
function indexed(): Sample {
  const path = Deno.makeTempFileSync();
  using database = new DatabaseSync(path);
  database.exec(`
    PRAGMA page_size = 512;
    CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, data BLOB);
    CREATE INDEX names ON t (name);
    CREATE VIEW v AS SELECT name, count(*) AS n FROM t GROUP BY name;
    CREATE TABLE w (a TEXT PRIMARY KEY, b) WITHOUT ROWID;
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
      INSERT INTO t SELECT i, 'name ' || i, zeroblob(i * 20) FROM n;
    INSERT INTO w SELECT name, id FROM t;
    DELETE FROM t WHERE id % 7 = 0;
  `);
  const bytes = Deno.readFileSync(path);
  Deno.removeSync(path);
  return { name: "indexed", bytes };
}

const QUERIES = [
  "SELECT count(*) FROM sqlite_master",
  "SELECT group_concat(sql) FROM sqlite_master",
  "SELECT * FROM users",
  "SELECT name FROM t ORDER BY name DESC",
  "SELECT sum(length(data)) FROM t",
  "SELECT n FROM v",
  "SELECT b FROM w WHERE a > 'name 3'",
  "PRAGMA integrity_check",
];

isolatedTest(import.meta.url, "a damaged database answers, or is refused", LIMITS, async () => {
  using workspace = new Workspace();
  await fc.assert(
    fc.asyncProperty(damaged(SAMPLES), fc.constantFrom(...QUERIES), async ({ bytes }, sql) => {
      workspace.write("a.db", bytes);
      await workspace.grade(query, "a.db", sql, 3);
    }),
    tries(800),
  );
});

isolatedTest(
  import.meta.url,
  "a database with a damaged log answers, or is refused",
  LIMITS,
  async () => {
    using workspace = new Workspace();
    const [log] = samplesIn("conformance/workspace/db", /-wal$/);
    const database = SAMPLES.find(({ name }) => name === "wal.db")!;
    workspace.write("a.db", database.bytes);
    const suffix = fc.constantFrom("-wal", "-journal");
    await fc.assert(
      fc.asyncProperty(damaged([log!]), suffix, async ({ bytes }, suffix) => {
        workspace.write(`a.db${suffix}`, bytes);
        await workspace.grade(query, "a.db", QUERIES[0], 3);
      }),
      tries(300),
    );
  },
);

isolatedTest(
  import.meta.url,
  "a database that is sparse, or says that it is huge, is refused",
  LIMITS,
  async () => {
    using workspace = new Workspace();
    const { bytes } = SAMPLES.at(-1)!;
    const saysHuge = bytes.slice();
    new DataView(saysHuge.buffer).setUint32(28, 0xffffffff);
    workspace.write("a.db", saysHuge);
    await within(5, () => workspace.grade(query, "a.db", QUERIES[0], 3));
    // Holes take no space on the disk.
    for (const size of [255, 2000, 1_000_000]) {
      workspace.write("a.db", joined(bytes, new Uint8Array(512)));
      Deno.truncateSync(`${workspace.path}/a.db`, size * 1024 * 1024);
      const outcome = await within(10, () => workspace.grade(query, "a.db", QUERIES[0], 3));
      if (size > 256) assert.match(outcome, /^0: .*a\.db/);
    }
  },
);
