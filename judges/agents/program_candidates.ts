// Which files of installed npm packages may be an agent's program.

import { isWithin, resolvePath } from "../../src/path.ts";

/** A file that may be the program. */
export interface Candidate {
  /** Absolute and real. */
  path: string;
  /** Made for the processor, rather than for an interpreter that may not be there. */
  isNative: boolean;
  /** Root of its package. */
  package: string;
}

/** What there is below a `node_modules`. */
interface Contents {
  files: string[];
  /** Root of each package → what is read of its `package.json`. */
  packages: Map<string, PackageFile>;
}

/** The parts of a `package.json` that are of use. */
interface PackageFile {
  name?: string;
  bin?: unknown;
  /** C libraries that it is made for. */
  libc?: unknown;
}

/**
 * Files that may be the program, most likely first. Agents come as a package with a script, or a
 * stub that a lifecycle script would replace, and one more package for each system with the native
 * program. Both are found whatever the packages are called and however they are laid out: a file
 * with the program's name, or one that a package has under that name in its `bin`.
 *
 * @param program Its name.
 * @param npmPackage Whose packages may have a `bin` without a name.
 */
export function programCandidates(
  modules: string,
  program: string,
  npmPackage: string,
): Candidate[] {
  const { files, packages } = contentsOf(Deno.realPathSync(modules));
  const roots = [...packages.keys()];
  const regular = new Set(files);
  const named = files.filter((path) => path.endsWith(`/${program}`));
  const bins = [...packages].flatMap(([root, { name, bin }]) => {
    const isOwn = name?.startsWith(npmPackage) === true;
    const path = typeof bin === "string" && isOwn ? bin : entryOf(bin, program);
    const file = resolvePath(root, path ?? "");
    return isWithin(file, root) && regular.has(file) ? [file] : [];
  });
  const candidates = [...new Set([...named, ...bins])].flatMap((path): Candidate[] => {
    const kind = kindOf(path);
    const root = roots.filter((it) => isWithin(path, it)).sort(byLength).at(-1);
    if (kind === null || root === undefined) return [];
    return [{ path, isNative: kind === "native", package: root }];
  });
  return candidates.sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1));
}

/**
 * Removes the packages that are made for another C library than a package is. Deno installs those
 * of every C library, and each is hundreds of megabytes.
 *
 * @param chosen Root of the package that is kept.
 */
export function removeOtherLibc(modules: string, chosen: string): void {
  const { packages } = contentsOf(Deno.realPathSync(modules));
  const kept = libcOf(packages.get(chosen));
  if (kept.length === 0) return;
  for (const [root, file] of packages) {
    const libc = libcOf(file);
    if (libc.length === 0 || libc.some((name) => kept.includes(name))) continue;
    Deno.removeSync(root, { recursive: true });
  }
}

/** Follows no links: what a link leads to is somewhere below as well. */
function contentsOf(modules: string): Contents {
  const contents: Contents = { files: [], packages: new Map() };
  const visit = (folder: string) => {
    for (const { name, isDirectory, isFile } of Deno.readDirSync(folder)) {
      const path = `${folder}/${name}`;
      if (isDirectory) visit(path);
      if (!isFile) continue;
      contents.files.push(path);
      if (name === "package.json" && isPackageRoot(folder)) {
        contents.packages.set(folder, readPackageFile(path));
      }
    }
  };
  visit(modules);
  return contents;
}

/** Other files of that name are a package's own business. */
function isPackageRoot(folder: string): boolean {
  return /\/node_modules\/(?:@[^/]+\/)?[^@/][^/]*$/.test(folder);
}

function readPackageFile(path: string): PackageFile {
  try {
    const { name, bin, libc } = JSON.parse(Deno.readTextFileSync(path));
    return { bin, libc, ...(typeof name === "string" && { name }) };
  } catch {
    return {};
  }
}

function entryOf(bin: unknown, program: string): string | null {
  if (typeof bin !== "object" || bin === null || !Object.hasOwn(bin, program)) return null;
  const path = (bin as Record<string, unknown>)[program];
  return typeof path === "string" ? path : null;
}

function libcOf(file: PackageFile | undefined): unknown[] {
  return Array.isArray(file?.libc) ? file.libc : [];
}

/** Native ones first; among them, those for our own C library. */
function rank({ isNative, path }: Candidate): number {
  if (!isNative) return 2;
  return path.includes("musl") === (Deno.build.env === "musl") ? 0 : 1;
}

function byLength(a: string, b: string): number {
  return a.length - b.length;
}

/** What the system would do with a file; `null`: nothing. */
function kindOf(path: string): "native" | "script" | null {
  const head = readHead(path);
  if (head === null) return null;
  if (head[0] === 0x23 && head[1] === 0x21) return "script";
  const magic = new DataView(head.buffer).getUint32(0);
  const { os, arch } = Deno.build;
  if (os === "darwin") return MACH_O.includes(magic) ? "native" : null;
  const machine = head[18]! | head[19]! << 8;
  return magic === ELF && machine === ELF_MACHINES[arch] ? "native" : null;
}

/** The first bytes of a file; `null` if there is none to read. */
function readHead(path: string): Uint8Array<ArrayBuffer> | null {
  try {
    using file = Deno.openSync(path);
    const head = new Uint8Array(20);
    file.readSync(head);
    return head;
  } catch {
    return null;
  }
}

const ELF = 0x7f454c46;

/** `e_machine` of {@link ELF}. */
const ELF_MACHINES: Readonly<Record<string, number>> = { x86_64: 0x3e, aarch64: 0xb7 };

/** One for 64 bits, one for several processors. */
const MACH_O = [0xcffaedfe, 0xcafebabe];
