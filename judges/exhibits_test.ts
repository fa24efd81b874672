import assert from "node:assert/strict";
import type { Attachment } from "./evidence/attachment.ts";
import { fitAttachments, tokensOf } from "./exhibits.ts";

const IMAGE: Attachment["content"] = {
  type: "image",
  mediaType: "image/png",
  bytes: new Uint8Array([1, 2, 3]),
};

function attachment(label: string, content: string | Attachment["content"]): Attachment {
  return { label, size: 1, content: typeof content === "string" ? textOf(content) : content };
}

function textOf(text: string): Attachment["content"] {
  return { type: "text", text };
}

Deno.test("no number of images crowds out the text or is more than a service takes", async () => {
  const images = Array.from({ length: 2000 }, (_, at) => attachment(`${at}.png`, IMAGE));
  const given = [...images.slice(0, 150), attachment("a.txt", "the work ".repeat(5000))];
  for (const [budget, shown] of [[96_000, 30], [900_000, 100]] as const) {
    const { attachments, warnings } = await fitAttachments(given, { budget, takesImages: true });
    assert.equal(attachments.filter(({ content }) => content.type === "image").length, shown);
    assert.ok(tokensOf(attachments) <= budget);
    assert.deepEqual(attachments.at(-1)!.content, given.at(-1)!.content);
    assert.match(warnings[0]!, /png: not shown to the judge: there is no room for more images/);
  }
  const { attachments } = await fitAttachments(images, { budget: 5000, takesImages: true });
  assert.ok(tokensOf(attachments) <= 5000);
});

Deno.test("no names of files, however long, are more than the model takes", async () => {
  const name = "\u200b".repeat(240);
  const given = Array.from({ length: 2000 }, (_, at) => attachment(`${at}${name}.txt`, "x"));
  const { attachments, warnings } = await fitAttachments(given, {
    budget: 50_000,
    takesImages: true,
  });
  assert.ok(attachments.length > 50);
  assert.ok(tokensOf(attachments) <= 50_000);
  assert.match(warnings[0]!, new RegExp(`^${2000 - attachments.length} more files are not shown`));
});

Deno.test("a model that takes no images is shown none, and that is told", async () => {
  const { attachments, warnings } = await fitAttachments([attachment("a.png", IMAGE)], {
    budget: 50_000,
    takesImages: false,
  });
  assert.equal(attachments[0]!.content.type, "none");
  assert.deepEqual(warnings, ["a.png: not shown to the judge: the model takes no images"]);
});
