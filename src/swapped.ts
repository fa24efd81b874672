// Notices when the tests folder and the workspace were given the wrong way round.

/** Largest file that is looked into, in bytes. */
const MAX_BYTES = 256 * 1024;

/** Most entries of the folder that are looked at. */
const MAX_ENTRIES = 500;

const CHECK_REGEXP = /\bfrom\s*["'][^"']*rewardkit/;
const JUDGE_REGEXP = /^\s*(?:\[judge\]|\[\[criterion\]\])/m;

/**
 * A check file or judge that lies directly in a folder; `undefined` if there is none. The folder may
 * hold anything: links and special files are left alone.
 */
export function checkIn(folder: string): string | undefined {
  try {
    let left = MAX_ENTRIES;
    for (const { name, isFile } of Deno.readDirSync(folder)) {
      if (left-- === 0) return undefined;
      if (isFile && isCheck(`${folder}/${name}`)) return name;
    }
  } catch {
    // Then nothing can be said of it.
  }
  return undefined;
}

function isCheck(path: string): boolean {
  const pattern = /\.(?:ts|mts|js|mjs)$/.test(path)
    ? CHECK_REGEXP
    : path.endsWith(".toml")
    ? JUDGE_REGEXP
    : null;
  if (pattern === null || Deno.lstatSync(path).size > MAX_BYTES) return false;
  return pattern.test(Deno.readTextFileSync(path));
}
