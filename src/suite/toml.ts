// The bytes of a TOML file to its top table.

import type { Problems } from "./problems.ts";
import { Table } from "./table.ts";
import { placesInToml, type TomlPath, type TomlPlace } from "./toml_places.ts";

/**
 * Parses a TOML file. The parser is loaded on the first call: a tests folder without TOML files
 * does not pay for it. A byte order mark at the start is not part of the content.
 *
 * @param shown The file as messages name it.
 * @returns Nothing if it does not parse; that is a problem with line, column and the text there.
 */
export async function parseToml(
  bytes: Uint8Array,
  shown: string,
  problems: Problems,
): Promise<Table | undefined> {
  const { parse, TomlError } = await import("smol-toml");
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    problems.add({ file: shown }, "is not UTF-8", "Save the file as UTF-8");
    return undefined;
  }
  try {
    const values = parse(text, { integersAsBigInt: "asNeeded" });
    return new Table(values, { file: shown, problems, placeOf: finder(text) });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const { line, column, message, codeblock } = error;
    const reason = message.split("\n", 1)[0]!.replace(/^Invalid TOML document: /, "");
    problems.add(
      { file: shown, line, column },
      `is not TOML: ${reason}\n${codeblock.trimEnd()}`,
    );
    return undefined;
  }
}

/** Looks for places when the first problem asks for one. */
function finder(text: string): (path: TomlPath) => TomlPlace | undefined {
  let places: ReadonlyMap<string, TomlPlace> | null = null;
  return (path) => (places ??= placesInToml(text)).get(JSON.stringify(path));
}
