// Loads modules of our own when they are needed, and not before.

/**
 * Imports a module of this package. The specifier is computed, so that the module is not part of
 * the importer's graph: Deno would load and link the targets of literal `import()`s with it, which
 * costs each Worker that never needs them.
 *
 * @param specifier Relative to `base`.
 * @param base `import.meta.url` of the importer.
 */
export function lazily<Module>(specifier: string, base: string): Promise<Module> {
  return import(new URL(specifier, base).href);
}
