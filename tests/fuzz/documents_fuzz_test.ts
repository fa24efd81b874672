import assert from "node:assert/strict";
import fc from "fast-check";
import { convertDocument } from "../../judges/evidence/conversion.ts";
import type { DocumentKind } from "../../judges/evidence/content.ts";
import { bomb, unzipped, zip } from "./archive.ts";
import { damaged, type Sample, samplesIn } from "./damage.ts";
import { isolatedTest, trying } from "./isolated.ts";
import { tries } from "./runs.ts";

/** Each document takes a process of its own. */
const LIMITS = { limitSec: 120, maxMib: 2500 };

const DOCUMENTS = samplesIn("documents", /\.(docx|pptx|pdf|html)$/);

async function converted({ name, bytes }: Sample): Promise<void> {
  trying(bytes);
  const kind = name.slice(name.lastIndexOf(".") + 1) as DocumentKind;
  const answer = await convertDocument(kind, bytes);
  if ("problem" in answer) assert.ok(answer.problem.length > 0);
  else assert.equal(typeof answer.markdown, "string");
}

isolatedTest(
  import.meta.url,
  "a damaged document has a text, or a problem",
  LIMITS,
  async () => {
    await fc.assert(fc.asyncProperty(damaged(DOCUMENTS), converted), tries(25));
  },
);

isolatedTest(
  import.meta.url,
  "a damaged part of a document that is whole is read, or is a problem",
  LIMITS,
  async () => {
    const whole = DOCUMENTS.filter(({ name }) => /^(report\.docx|slides\.pptx)$/.test(name));
    const parts = whole.flatMap(({ name, bytes }) => {
      const members = unzipped(bytes);
      return members.filter((member) => /\.(xml|rels)$/.test(member.name)).map((member) => ({
        name: `${member.name} of ${name}`,
        bytes: member.bytes,
      }));
    });
    const property = fc.asyncProperty(damaged(parts, WORDS), async ({ name, bytes }) => {
      const [part, document] = name.split(" of ");
      const members = unzipped(whole.find((it) => it.name === document)!.bytes);
      const changed = members.map((it) => it.name === part ? { name: part!, bytes } : it);
      await converted({ name: document!, bytes: zip(changed) });
    });
    await fc.assert(property, tries(20));
  },
);

/** What means something in the parts of an office document. */
const WORDS = [
  ...["<w:p>", "</w:p>", "<w:t>", "<w:tbl>", "<w:tr>", "<a:t>", "<!--", "<![CDATA[", "]]>"],
  ...["<!DOCTYPE x [<!ENTITY a 'b'>]>", "&a;", "&#0;", "&constructor;", 'Target="../../x"'],
  ...["<w:tbl><w:tr><w:tc>".repeat(2000), "\ud800"],
];

isolatedTest(
  import.meta.url,
  "a document that unpacks to gigabytes is a problem, not the end of the machine",
  LIMITS,
  async () => {
    for (const [name, part] of [["a.docx", "word/document.xml"], ["a.pptx", "ppt/slides/a.xml"]]) {
      await converted({ name: name!, bytes: zip([bomb(part!, 1500, 0x20)]) });
    }
    const nested = new TextEncoder().encode("<div>".repeat(1_000_000));
    await converted({ name: "a.html", bytes: nested });
  },
);
