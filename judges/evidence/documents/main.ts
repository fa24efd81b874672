// A process of its own that turns one document into Markdown: from standard input to standard
// output, as JSON. It has no permission at all, and can be killed.

import { SubmissionError } from "../../../src/errors.ts";

interface Shown {
  markdown: string;
  note?: string;
}

async function shown(kind: string, bytes: Uint8Array): Promise<Shown> {
  switch (kind) {
    case "pdf":
      return await (await import("./pdf.ts")).pdfToMarkdown(bytes);
    case "docx":
      return { markdown: await (await import("./docx.ts")).docxToMarkdown(bytes) };
    case "pptx":
      return { markdown: await (await import("./pptx.ts")).pptxToMarkdown(bytes) };
    case "xlsx":
      return await (await import("./xlsx.ts")).xlsxToMarkdown(bytes);
    case "html": {
      const { htmlToMarkdown } = await import("./html.ts");
      return { markdown: htmlToMarkdown(new TextDecoder().decode(bytes)) };
    }
  }
  throw new Error(`There is no kind of document "${kind}"`);
}

async function answer(kind: string, bytes: Uint8Array): Promise<Shown | { problem: string }> {
  try {
    return await shown(kind, bytes);
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    // pdf.js tells by the name alone.
    if (name === "PasswordException") return { problem: "it is encrypted" };
    if (error instanceof SubmissionError || name === "InvalidPDFException") {
      return { problem: message };
    }
    return { problem: `it is damaged: ${message}` };
  }
}

async function main(): Promise<void> {
  const bytes = await new Response(Deno.stdin.readable).bytes();
  const text = JSON.stringify(await answer(Deno.args[0] ?? "", bytes));
  await new Response(text).body!.pipeTo(Deno.stdout.writable);
}

main();
