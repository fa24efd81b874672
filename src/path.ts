// POSIX paths as text. `node:path` does the same and costs every Worker 12 ms to load.

/** Whether `path` starts at the root. */
export function isAbsolute(path: string): boolean {
  return path.startsWith("/");
}

/** Resolves `.`, `..` and repeated slashes as text, without looking at links. */
export function normalize(path: string): string {
  const absolute = isAbsolute(path);
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (!absolute) parts.push("..");
  }
  const joined = parts.join("/");
  return absolute ? `/${joined}` : joined || ".";
}

/** `path` from `base`: an absolute path stays itself. */
export function resolvePath(base: string, path: string): string {
  return normalize(isAbsolute(path) ? path : `${base}/${path}`);
}

/** Everything before the last slash of a normal path. */
export function parentOf(path: string): string {
  const slash = path.lastIndexOf("/");
  if (slash === -1) return ".";
  return slash === 0 ? "/" : path.slice(0, slash);
}

/** Everything after the last slash of a normal path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Whether `path` is `folder` or lies below it; both absolute and normal. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

/** A `file:` URL for an absolute path. */
export function fileUrl(path: string): string {
  return `file://${path.split("/").map(encodeURIComponent).join("/")}`;
}

/** The absolute path of a `file:` URL. */
export function pathOfFileUrl(url: string): string {
  return decodeURIComponent(new URL(url).pathname);
}
