import assert from "node:assert/strict";
import {
  isAccepted,
  outcomeOf,
  recordedCases,
  recordedWorkspace,
} from "./conformance_workspace.ts";
import { checks, csvCellEquals } from "./csv.ts";
import { MAX_FIELDS, readRecords } from "./csv/records.ts";

const check = checks.csv_cell_equals!;

/** Where the outcome is another one than the original's, and why. */
const DIFFERENT: Record<string, number | "refused"> = {
  "csv_cell_equals-023": "refused", // true as a row: an author's mistake
  "csv_cell_equals-026": 1, // 1.0 and 1 are one number in JavaScript
  "csv_cell_equals-027": "refused", // text as a row
  "csv_cell_equals-028": "refused", // null as a column
  "csv_cell_equals-071": 0, // bad UTF-8 fails the check, not the run
};

Deno.test("csvCellEquals() scores the recorded cases as the original does", async (t) => {
  using workspace = recordedWorkspace();
  const cases = recordedCases("csv_cell_equals");
  assert.ok(cases.length >= 60);
  for (const { id, args, value } of cases) {
    await t.step(id, async () => {
      const expected = DIFFERENT[id] ?? value;
      const [path, row, col, cell] = args as [string, number, string, string];
      const accepted = isAccepted(() => csvCellEquals(path, row, col, cell));
      if (!accepted) return assert.equal("refused", expected);
      const { result } = await outcomeOf(check, workspace.path, ...args);
      assert.equal(Number(result), expected);
    });
  }
});

async function score(content: string | Uint8Array, ...args: unknown[]) {
  const folder = Deno.realPathSync(Deno.makeTempDirSync());
  try {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    Deno.writeFileSync(`${folder}/a.csv`, bytes);
    const { result, warnings } = await outcomeOf(check, folder, "a.csv", ...args);
    return { result: Number(result), warnings };
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("csvCellEquals() drops a byte order mark, but only at the start", async () => {
  assert.equal((await score("\ufeffid,n\n1,\ufeff2\n", 0, "id", "1")).result, 1);
  assert.equal((await score("\ufeffid,n\n1,\ufeff2\n", 0, "n", "\ufeff2")).result, 1);
});

Deno.test("csvCellEquals() reads a missing cell as null", async () => {
  const content = "a,b,a\n1\n1,2,3\n";
  assert.equal((await score(content, 0, "b", null)).result, 1);
  assert.equal((await score(content, 0, "a", null)).result, 1, "the last of equal headers");
  assert.equal((await score(content, 0, "nope", null)).result, 1);
  assert.equal((await score(content, 1, 1, null)).result, 1);
  assert.equal((await score(content, 5, "b", null)).result, 0, "no such record");
});

Deno.test("csvCellEquals() compares with a tolerance only if there is one", async () => {
  const content = "a,b\n 0.30000001 ,x\n1e3,\n";
  assert.equal((await score(content, 0, "a", 0.3, 1e-6)).result, 1);
  assert.equal((await score(content, 0, "a", 0.3, 0)).result, 0);
  assert.equal((await score(content, 0, "b", 0.3, 10)).result, 0);
  assert.equal((await score(content, 1, "b", 0, 10)).result, 0, "an empty cell is no number");
  assert.equal((await score(content, 1, "a", 1000, { rel: 0 })).result, 1);
  const exact = await score("a\n3\n", 0, "a", 3);
  assert.equal(exact.result, 0);
  assert.match(exact.warnings[0]!, /tolerance/);
});

Deno.test("csvCellEquals() names the first bad byte, and passes what lies before it", async () => {
  const content = new Uint8Array(70_000).fill(0x61);
  content.set(new TextEncoder().encode("h\nfirst\n"));
  for (let at = 100; at < content.length; at += 100) content[at] = 0x0a;
  content[69_998] = 0xc3; // begins a character that does not go on
  assert.equal((await score(content, 0, "h", "first")).result, 1);
  const { result, warnings } = await score(content, 9999, "h", "x");
  assert.equal(result, 0);
  assert.match(warnings[0]!, /not UTF-8: bad byte at offset 69999/);
});

Deno.test("csvCellEquals() refuses arguments of wrong types", () => {
  for (
    const args of [[1, 0, 0, ""], ["a", -1, 0, ""], ["a", 0.5, 0, ""], ["a", 0, 0.5, ""], [
      "a",
      0,
      0,
    ]]
  ) {
    assert.throws(() => csvCellEquals(...args as [string, number, number, string]), TypeError);
  }
  assert.throws(() => csvCellEquals("a", 0, 0, 1, { tolerance: -1 }), TypeError);
});

Deno.test("readRecords() gives the same records wherever the text is cut", () => {
  const text = 'a,"b\r\nc""",d"e\r\n\r\n"x"y,\n\rlast,"open\n';
  const whole = [...readRecords([text], "t")];
  assert.deepEqual(whole, [["a", 'b\r\nc"', 'd"e'], [], ["xy", ""], [], ["last", "open\n"]]);
  assert.deepEqual([...readRecords(text, "t")], whole, "character by character");
  for (let cut = 0; cut <= text.length; cut++) {
    assert.deepEqual([...readRecords([text.slice(0, cut), text.slice(cut)], "t")], whole);
  }
});

Deno.test("readRecords() bounds fields by code points, and their number", () => {
  const emoji = "😀".repeat(131_072);
  assert.equal([...readRecords([emoji], "t")][0]![0], emoji);
  assert.throws(() => [...readRecords([emoji, "x"], "t")], /longer than 131072/);
  assert.throws(() => [...readRecords([",".repeat(MAX_FIELDS + 1)], "t")], /more than 1000000/);
});
