// What the sources of a tests folder say they import, as far as text alone tells.

import { isWithin } from "../path.ts";

const OWN_REGEXP = /(["'])((?:jsr:\/?)?@rewardkit\/cli(?:@[^"'\s]*)?|rewardkit)\1/g;

const SOURCE_REGEXP = /\.(?:ts|mts|js|mjs)$/;

/** Modules of a tests folder, and how they spell Reward Kit's name. */
export interface Sources {
  /** Text of each module, by its path from the tests folder. */
  texts: ReadonlyMap<string, string>;
  /** Every spelling of Reward Kit's own name in them, and the three that always work. */
  ownSpecifiers: ReadonlySet<string>;
  /** Links that lead out, from the tests folder. */
  linksOut: readonly string[];
}

/**
 * Where links may lead: anywhere in the tests folder, those that packages and git keep in it not
 * looked at; or, all of them, to what lies in the link's own folder.
 */
export type LinkRule = "tests" | "folder";

/** Reads every module below a folder; what cannot be read is left to whoever loads it. */
export function readSources(tests: string, links: LinkRule = "tests"): Sources {
  const texts = new Map<string, string>();
  const ownSpecifiers = new Set(["rewardkit", "@rewardkit/cli", "jsr:@rewardkit/cli"]);
  const linksOut: string[] = [];
  const visit = (folder: string) => {
    for (const { name, isDirectory, isFile, isSymlink } of entriesOf(`${tests}/${folder}`)) {
      const within = links === "folder" ? `${tests}/${folder}`.replace(/\/$/, "") : tests;
      if (isSymlink && leadsOut(`${tests}/${folder}${name}`, within)) {
        linksOut.push(`${folder}${name}`);
      }
      if (isDirectory && (links !== "tests" || !FOREIGN_FOLDERS.includes(name))) {
        visit(`${folder}${name}/`);
      }
      if (!isFile || !SOURCE_REGEXP.test(name)) continue;
      const text = textOf(`${tests}/${folder}${name}`);
      texts.set(`${folder}${name}`, text);
      for (const [, , specifier] of text.matchAll(OWN_REGEXP)) ownSpecifiers.add(specifier!);
    }
  };
  visit("");
  return { texts, ownSpecifiers, linksOut };
}

/** Their links are packages' and git's own affair. */
const FOREIGN_FOLDERS = ["node_modules", ".git"];

function leadsOut(link: string, folder: string): boolean {
  try {
    return !isWithin(Deno.realPathSync(link), folder);
  } catch {
    return false;
  }
}

function entriesOf(folder: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)];
  } catch {
    return [];
  }
}

/** Largest module in bytes that is looked into: nobody writes a longer one by hand. */
const MAX_SOURCE_BYTES = 1024 * 1024;

function textOf(path: string): string {
  try {
    return Deno.statSync(path).size > MAX_SOURCE_BYTES ? "" : Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}

const OTHER_IMPORT_REGEXP =
  /(?:\bfrom|\bimport)\s*\(?\s*["'](?!(?:jsr:\/?)?@rewardkit\/cli|rewardkit["'])/;

/**
 * Whether a source may import another module. Such a file is loaded by a Worker of its own, since
 * a module that two files share would be evaluated for the first of them only.
 */
export function mayImport(source: string): boolean {
  return OTHER_IMPORT_REGEXP.test(source) || /\bimport\s*\(/.test(source) ||
    /\bexport\b[^;]*\bfrom\b/.test(source);
}
