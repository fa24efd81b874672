// From the many parts that esbuild makes, one for each set of lazy modules that share it, to few:
// whatever has been loaded when a lazy module is asked for needs no part of its own.

import { rollup } from "rollup";
import { nameOf, parentOf, resolvePath } from "../src/path.ts";

/** Bytes below which a part goes into another, if that changes nothing. */
const SMALL_BYTES = 20_000;

/** How files are made of parts. */
export interface FileOptions {
  /** In front of the names of those that are no entry. */
  prefix: string;
  /**
   * Keeps what is loaded later out of Deno's graph: it would load the targets of literal `import()`s
   * with their importer. Takes the permission to read it.
   */
  hidesLazy: boolean;
}

/**
 * Joins modules into few files.
 *
 * @param parts Sources by absolute path, in one folder.
 * @param entries Paths of those that keep their name.
 * @returns Sources by name.
 */
export async function fewFiles(
  parts: ReadonlyMap<string, string>,
  entries: readonly string[],
  { prefix, hidesLazy }: FileOptions,
): Promise<Map<string, string>> {
  const bundle = await rollup({
    input: [...entries],
    // That has been done, with more knowledge of what packages say of themselves.
    treeshake: false,
    logLevel: "silent",
    plugins: [{
      name: "parts",
      resolveId(specifier, importer) {
        const path = importer === undefined
          ? specifier
          : resolvePath(parentOf(importer), specifier);
        return parts.has(path) ? path : { id: specifier, external: true };
      },
      load: (path) => parts.get(path),
    }],
  });
  const { output } = await bundle.generate({
    format: "es",
    entryFileNames: ({ facadeModuleId }) => nameOf(facadeModuleId!),
    chunkFileNames: `${prefix}-[hash].js`,
    experimentalMinChunkSize: SMALL_BYTES,
    // The order in which entries import others counts.
    hoistTransitiveImports: false,
    minifyInternalExports: false,
  });
  await bundle.close();
  return new Map(
    output.filter((one) => one.type === "chunk")
      .map(({ fileName, code }) => [fileName, hidesLazy ? computedImports(code) : code]),
  );
}

const DYNAMIC_IMPORT_REGEXP = /\bimport\((["'])(\.\/[\w-]+\.js)\1\)/g;

function computedImports(text: string): string {
  return text.replaceAll(
    DYNAMIC_IMPORT_REGEXP,
    (_, _quote, name) => `import(new URL("${name}",import.meta.url).href)`,
  );
}
