// Recorded files and texts, with places in braces for the folders of a run.

/** A file's content: text, bytes, so many letters "a", or a link. */
export type RecordedFile = string | { base64: string } | { size: number } | { symlink: string };

/** What stands in braces → what it means in this run. */
export type Places = Readonly<Record<string, string>>;

/** Writes files, places filled in; a name that ends in a slash is a folder. */
export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, RecordedFile>>,
  places: Places,
): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    const path = `${folder}/${name}`;
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    if (name.endsWith("/")) continue;
    if (typeof content === "string") await Deno.writeTextFile(path, filled(content, places));
    else if ("base64" in content) {
      await Deno.writeFile(path, Uint8Array.fromBase64(content.base64));
    } else if ("size" in content) await Deno.writeTextFile(path, "a".repeat(content.size));
    else await Deno.symlink(content.symlink, path);
  }
}

/** A text with its places filled in. */
export function filled(text: string, places: Places): string {
  return text.replace(/\{([A-Z]+)\}/g, (all, name) => places[name] ?? all);
}

/** A text in which the folders of this run are places in braces, as in the recorded ones. */
export function placed(text: string, places: Places): string {
  return Object.entries(places).reduce(
    (shown, [name, path]) => shown.replaceAll(path, `{${name}}`),
    text,
  );
}

/** The content of a JSON file, with places in braces; `null` if there is none. */
// deno-lint-ignore no-explicit-any -- whatever was written
export function readPlacedJson(path: string, places: Places): any {
  let text: string;
  try {
    text = Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
  return JSON.parse(placed(text, places));
}
