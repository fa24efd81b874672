// What the sources of a tests folder say they import, as far as text alone tells.

const OWN_REGEXP = /(["'])((?:jsr:\/?)?@rewardkit\/cli(?:@[^"'\s]*)?|rewardkit)\1/g;

/** Every spelling of Reward Kit's own name in these sources, and the three that always work. */
export function ownSpecifiers(sources: Iterable<string>): Set<string> {
  const found = new Set(["rewardkit", "@rewardkit/cli", "jsr:@rewardkit/cli"]);
  for (const source of sources) {
    for (const [, , specifier] of source.matchAll(OWN_REGEXP)) found.add(specifier!);
  }
  return found;
}

const OTHER_IMPORT_REGEXP = /(?:\bfrom|\bimport)\s*\(?\s*["'](?!(?:jsr:\/?)?@rewardkit\/cli|rewardkit["'])/;

/**
 * Whether a source may import another module. Such a file is loaded by a Worker of its own, since
 * a module that two files share would be evaluated for the first of them only.
 */
export function mayImport(source: string): boolean {
  return OTHER_IMPORT_REGEXP.test(source) || /\bimport\s*\(/.test(source) ||
    /\bexport\b[^;]*\bfrom\b/.test(source);
}
