// Where agents keep the records of their sessions.

/** Folders below the first one that are looked into. */
const MAX_DEPTH = 4;

/** Most entries that are looked at: an agent can make as many as it likes. */
const MAX_ENTRIES = 100_000;

/**
 * Finds a regular file by the end of its name, without following links.
 *
 * @returns Its path; `null` if there is none.
 */
export async function findFile(root: string, nameEnd: string): Promise<string | null> {
  let left = MAX_ENTRIES;
  const search = async (folder: string, depth: number): Promise<string | null> => {
    const folders: string[] = [];
    try {
      for await (const { name, isFile, isDirectory } of Deno.readDir(folder)) {
        if (left-- <= 0) return null;
        if (isFile && name.endsWith(nameEnd)) return `${folder}/${name}`;
        if (isDirectory) folders.push(`${folder}/${name}`);
      }
    } catch {
      return null;
    }
    if (depth === MAX_DEPTH) return null;
    for (const inner of folders) {
      const found = await search(inner, depth + 1);
      if (found !== null) return found;
    }
    return null;
  };
  return await search(root, 0);
}
