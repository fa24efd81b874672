// What is mounted below a folder, as /proc tells.

/**
 * Where other file systems are mounted below a folder: paths from the folder, outer ones first.
 *
 * @param folder Real, absolute path.
 * @param mountinfo Text of `/proc/PID/mountinfo` (`proc(5)`). Default: that of this process.
 */
export function mountsBelow(folder: string, mountinfo: string = ownMounts()): string[] {
  const prefix = folder === "/" ? "/" : `${folder}/`;
  const points = mountinfo.split("\n")
    .map((line) => unescape(line.split(" ")[4] ?? ""))
    .filter((point) => point.startsWith(prefix) && point !== prefix)
    .map((point) => point.slice(prefix.length));
  return [...new Set(points)].sort((a, b) => a.length - b.length);
}

function ownMounts(): string {
  return Deno.readTextFileSync("/proc/self/mountinfo");
}

/** Blanks, line ends and backslashes are written as three octal digits of a byte. */
function unescape(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits) => String.fromCharCode(parseInt(digits, 8)));
}
