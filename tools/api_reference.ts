// Writes docs/api.md: what a script or a check file can import, as `deno doc` tells it.
//
// deno task api

import { formatted } from "./formatted.ts";

const ROOT = new URL("../", import.meta.url);

/** Where the reference lies. */
export const API_FILE = new URL("docs/api.md", ROOT);

const HEAD = `# API reference

What \`import … from "jsr:@rewardkit/cli"\` gives, made from the sources by \`deno task api\`. Check files
use the [criteria](#functions); scripts grade with \`run\`, \`runMany\`, \`discover\`, \`check\` and
\`permissions\`.
`;

/** One thing that is exported. */
interface Entry {
  section: "Functions" | "Classes" | "Types";
  name: string;
  /** As in the source. */
  signature: string;
  /** Markdown. */
  text: string;
}

/** The text of the reference, made from the sources as they are. */
export async function apiReference(): Promise<string> {
  const entries = (await documented()).split(/^Defined in .*$/m).slice(1).map(entryOf);
  const sections = (["Functions", "Classes", "Types"] as const).map((section) => {
    const all = entries.filter((entry) => entry.section === section)
      .sort((a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
    return [`## ${section}`, ...all.map(shown)].join("\n\n");
  });
  return await formatted([HEAD, ...sections].join("\n\n"), "md");
}

async function documented(): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["doc", "mod.ts"],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

/** A declaration and what belongs to it: first the signature, then, indented, the rest. */
function entryOf(text: string): Entry {
  const lines = text.trim().split("\n");
  const from = lines.findIndex((line) => line.startsWith("  "));
  const [signature, rest] = from === -1
    ? [lines, []]
    : [lines.slice(0, from), lines.slice(from).map((line) => line.replace(/^ {2}/, ""))];
  const [first = ""] = signature;
  const name = /^(?:async )?(?:function|class|interface|type|const) ([\w$]+)/.exec(first)?.[1];
  if (name === undefined) throw new Error(`deno doc says what is not understood: ${first}`);
  const section = /^(?:async )?function/.test(first)
    ? "Functions"
    : first.startsWith("class")
    ? "Classes"
    : "Types";
  return { section, name, signature: signature.join("\n"), text: textOf(rest, section) };
}

/** Functions are told in prose; members of the others are code. */
function textOf(lines: readonly string[], section: Entry["section"]): string {
  if (section !== "Functions") return `\`\`\`text\n${lines.join("\n").trim()}\n\`\`\``;
  return lines.join("\n")
    .replaceAll(/^@(\w+)(?: \{([^}]*)\})?(?: (\S+))?$/gm, (_, tag, type, what) => {
      const of = [type, what].filter(Boolean).map((word) => ` \`${word}\``).join("");
      return `**${TAGS[tag as string] ?? tag}**${of}`;
    })
    .replaceAll(/\{@link ([^}]+)\}/g, "`$1`")
    .replaceAll(/^ {4}/gm, "")
    .replaceAll("```ts ignore", "```ts")
    .trim();
}

const TAGS: Readonly<Record<string, string>> = {
  param: "Argument",
  return: "Returns",
  throws: "Throws",
  example: "Example",
};

function shown({ name, signature, text }: Entry): string {
  return `### ${name}\n\n\`\`\`text\n${signature}\n\`\`\`\n\n${text}`;
}

if (import.meta.main) await Deno.writeTextFile(API_FILE, await apiReference());
