import assert from "node:assert/strict";
import fc from "fast-check";
import { checks } from "../../criteria/xlsx.ts";
import { bomb, type Member, unzipped, zip } from "./archive.ts";
import { damaged, samplesIn } from "./damage.ts";
import { isolatedTest } from "./isolated.ts";
import { tries, within } from "./runs.ts";
import { Workspace } from "./workspace.ts";

const cell = checks.xlsx_cell_equals!;

const LIMITS = { limitSec: 60, maxMib: 900 };

const BOOKS = [
  ...samplesIn("documents", /\.xlsx$/),
  ...samplesIn("conformance/workspace/xlsx", /\.(?:xlsx|xlsm|XLSX)$/),
];

/** Books that are whole, as their files. */
const WHOLE = BOOKS.filter(({ name }) => !/^(?:not_a_zip|empty)/.test(name))
  .map(({ name, bytes }) => ({ name, members: unzipped(bytes) }));

const WORDS = [
  ...["<c>", "</c>", "<row>", "<v>", "</v>", "<is><t>", "<f/>", "<si>", "</si>", "<!--", "-->"],
  ...[
    "<![CDATA[",
    "]]>",
    "<?xml",
    "?>",
    "<!DOCTYPE x [<!ENTITY a 'b'>]>",
    "&a;",
    "&#0;",
    "&#x110000;",
  ],
  ...[
    "&constructor;",
    "&__proto__;",
    "&amp",
    'r="A1"',
    'r="XFE1"',
    't="s"',
    't="d"',
    's="-1"',
    "1e999",
  ],
  ...['ref="A1:XFD1048576"', "9999999999999999", "\ud800", "../../", "/", 'Target="'],
];

const cellName = fc.constantFrom("A1", "B2", "B3", "C2", "XFD1048576");
const sheet = fc.constantFrom("", "Sales", "constructor");
const wanted = fc.constantFrom<unknown>(3, "x", null, true, 10n);

async function grade(workspace: Workspace, bytes: Uint8Array, ...args: unknown[]) {
  workspace.write("a.xlsx", bytes);
  return await workspace.grade(cell, "a.xlsx", ...args, null);
}

isolatedTest(import.meta.url, "a damaged workbook has a cell, or is refused", LIMITS, async () => {
  using workspace = new Workspace();
  await fc.assert(
    fc.asyncProperty(damaged(BOOKS), cellName, wanted, sheet, async ({ bytes }, ...args) => {
      await grade(workspace, bytes, ...args);
    }),
    tries(700),
  );
});

isolatedTest(
  import.meta.url,
  "a workbook whose parts are damaged has a cell, or is refused",
  LIMITS,
  async () => {
    using workspace = new Workspace();
    const book = fc.constantFrom(...WHOLE).chain(({ name, members }) =>
      damaged(members, WORDS).map((part) => ({
        bytes: zip(members.map((member) => member.name === part.name ? part : member)),
        [fc.toStringMethod]: () => `${name}: ${fc.stringify(part)}`,
      }))
    );
    await fc.assert(
      fc.asyncProperty(book, cellName, wanted, sheet, async ({ bytes }, ...args) => {
        await grade(workspace, bytes, ...args);
      }),
      tries(1000),
    );
  },
);

isolatedTest(
  import.meta.url,
  "a workbook whose files are repeated, lost or exchanged is survived",
  LIMITS,
  async () => {
    using workspace = new Workspace();
    const members = fc.constantFrom(...WHOLE).chain(({ members }) =>
      fc.array(
        fc.tuple(fc.constantFrom(...members), fc.constantFrom(...members))
          .map(([{ name }, { bytes }]): Member => ({ name, bytes })),
        { maxLength: 12 },
      ).map((others) => [...members, ...others])
    );
    await fc.assert(
      fc.asyncProperty(members, fc.nat(3), cellName, async (members, lost, name) => {
        await grade(workspace, zip(members.slice(lost)), name, 3, "");
      }),
      tries(200),
    );
  },
);

const LINKS = "<Relationships><Relationship ";

/** A workbook with this sheet. */
function bookOf(sheet: string | Member): Uint8Array {
  const files: Record<string, string> = {
    "_rels/.rels":
      `${LINKS}Id="r" Type="x/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": '<workbook><sheets><sheet name="S" id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels":
      `${LINKS}Id="r1" Type="x/worksheet" Target="s.xml"/></Relationships>`,
    ...(typeof sheet === "string" && { "xl/s.xml": sheet }),
  };
  const members = Object.entries(files).map(([name, text]) => ({ name, bytes: bytesOf(text) }));
  return zip(typeof sheet === "string" ? members : [...members, sheet]);
}

isolatedTest(
  import.meta.url,
  "a sheet that is made to be slow or large is refused soon",
  LIMITS,
  async () => {
    using workspace = new Workspace();
    const text = (value: string) => `<w><row r="1"><c r="A1" t="str"><v>${value}</v></c></row></w>`;
    assert.equal(await grade(workspace, bookOf(text("v")), "A1", "v", ""), "true");
    const tag = (inside: string, times: number) => `<w>${`<c ${inside}>`.repeat(times)}</w>`;
    const sheets = [
      ...["constructor", "toString", "__proto__", "hasOwnProperty"].map((name) =>
        text(`&${name};`)
      ),
      tag(" ".repeat(4_000_000), 4),
      tag(`r="${" ".repeat(4_000_000)}"/`, 4),
      tag("\"'".repeat(2_000_000), 2),
      tag('a=""'.repeat(1_000_000), 2),
      tag(`${"a".repeat(4_000_000)}/`, 4),
      text("&amp;".repeat(2_000_000)),
      text("&#65;".repeat(2_000_000)),
      `<w>${`<c>${"x".repeat(4_000_000)}</c>`.repeat(8)}</w>`,
      `<w>${"<c/>".repeat(3_000_000)}</w>`,
      `<w>${"<!---->".repeat(2_000_000)}</w>`,
      `<w><!--${"-".repeat(8_000_000)}</w>`,
      `<w>${"<a>".repeat(1_000_000)}`,
      `<w>${"<".repeat(4_000_000)}`,
      `<w>${"]]>".repeat(2_000_000)}<![CDATA[${"]".repeat(8_000_000)}`,
    ];
    for (const sheet of sheets) {
      const bytes = bookOf(sheet);
      const outcome = await within(10, () => grade(workspace, bytes, "A1", "v", ""));
      assert.match(outcome, /^(?:true|false|0: )/, sheet.slice(0, 60));
    }
  },
);

isolatedTest(
  import.meta.url,
  "a sheet that unpacks to gigabytes is never all in memory",
  LIMITS,
  async () => {
    using workspace = new Workspace();
    const bytes = bookOf(bomb("xl/s.xml", 4096, 0x20));
    assert.ok(bytes.length < 8_000_000);
    const outcome = await within(20, () => grade(workspace, bytes, "A1", "v", ""));
    assert.match(outcome, /^0: /);
  },
);

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
