// Writes src/report/builtin_signatures.ts: what the built-in criteria take, from their types and doc
// comments.
//
// deno task signatures

import { BUILTIN_NAMES, functionNameOf } from "../src/criterion/builtin.ts";
import type { BuiltinSignature, SignedOption } from "../src/report/builtin_list.ts";
import { formatted } from "./formatted.ts";

const ROOT = new URL("../", import.meta.url);

/** Where the table lies. */
export const SIGNATURES_FILE = new URL("src/report/builtin_signatures.ts", ROOT);

/** The options of every criterion are listed once. */
const COMMON_OPTIONS = "CriterionOptions";

// deno-lint-ignore no-explicit-any -- what `deno doc --json` prints
type Json = any;

/** The text of the table, made from the sources as they are. */
export async function signaturesModule(): Promise<string> {
  const symbols = await documentation();
  const signatures = BUILTIN_NAMES.map((name) => signatureOf(name, symbols));
  const common = optionsOf(COMMON_OPTIONS, symbols);
  return await formatted(
    `// What the built-in criteria take. Written by \`deno task signatures\`; not to be edited.

import type { BuiltinSignature, SignedOption } from "./builtin_list.ts";

/** In the order of the documentation. */
export const BUILTIN_SIGNATURES: readonly BuiltinSignature[] = ${literal(signatures)};

/** What every criterion takes beside its own options. */
export const COMMON_OPTIONS: readonly SignedOption[] = ${literal(common)};
`,
    "ts",
  );
}

/** Keys without quotes, as people write them. */
function literal(value: unknown): string {
  return JSON.stringify(value).replace(/"(\w+)":/g, "$1:");
}

/** Everything that `checks.ts` exports, and what is beside it, by name. */
async function documentation(): Promise<Map<string, Json>> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["doc", "--json", "checks.ts"],
    cwd: ROOT,
    stderr: "inherit",
  }).output();
  const { nodes } = JSON.parse(new TextDecoder().decode(stdout));
  const symbols = Object.values(nodes).flatMap((file: Json) => file.symbols);
  return new Map(symbols.map((symbol: Json) => [symbol.name, symbol.declarations[0]]));
}

function signatureOf(criterion: string, symbols: ReadonlyMap<string, Json>): BuiltinSignature {
  const name = functionNameOf(criterion);
  const { jsDoc, def } = symbols.get(name);
  const parameters = def.params.map(parameter);
  const options: string = def.params.at(-1).tsType?.repr ?? def.params.at(-1).left?.tsType.repr;
  return {
    name,
    criterion,
    signature: `(${parameters.join(", ")}) => void`,
    summary: firstSentence(jsDoc.doc),
    options: optionsOf(options, symbols, COMMON_OPTIONS),
  };
}

/** One with a default is one that may be left out. */
function parameter({ kind, left, name, optional, tsType }: Json): string {
  if (kind === "assign") return `${left.name}?: ${typeText(left.tsType)}`;
  return `${name}${optional ? "?" : ""}: ${typeText(tsType)}`;
}

/** The properties of an interface and of what it extends, down to `until`. */
function optionsOf(
  name: string,
  symbols: ReadonlyMap<string, Json>,
  until?: string,
): SignedOption[] {
  if (name === until) return [];
  const { def } = symbols.get(name);
  const own = def.properties.map(({ name, jsDoc, tsType }: Json) => ({
    name,
    type: typeText(symbols.get(tsType.repr)?.def.tsType ?? tsType),
    summary: firstSentence(jsDoc.doc),
  }));
  const inherited = (def.extends ?? []).flatMap(({ repr }: Json) =>
    optionsOf(repr, symbols, until)
  );
  return [...own, ...inherited];
}

function typeText({ repr, kind, value }: Json): string {
  if (kind === "union") return value.map(typeText).join(" | ");
  if (kind === "literal") return value.kind === "string" ? JSON.stringify(value.string) : repr;
  if (kind === "array") return `${typeText(value)}[]`;
  if (kind === "typeOperator") return `${value.operator} ${typeText(value.tsType)}`;
  if (kind === "typeLiteral") {
    const properties = value.properties.map(({ name, optional, tsType }: Json) =>
      `${name}${optional ? "?" : ""}: ${typeText(tsType)}`
    );
    return `{ ${properties.join("; ")} }`;
  }
  if (typeof repr === "string" && repr !== "") return repr;
  throw new Error(`no text for the type ${JSON.stringify({ kind, value })}`);
}

function firstSentence(doc: string): string {
  const line = doc.replace(/\{@link (\w+)\}/g, "$1").replaceAll(/\s+/g, " ").trim();
  return /^.*?[.](?= |$)/.exec(line)?.[0] ?? line;
}

if (import.meta.main) Deno.writeTextFileSync(SIGNATURES_FILE, await signaturesModule());
