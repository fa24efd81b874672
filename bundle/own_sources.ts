// What of our own sources reads differently in a bundle: how modules are loaded lazily, and where
// the entries of processes and Workers lie.

import type { Loader, Plugin } from "esbuild";
import { isBuiltin } from "node:module";
import { nameOf, parentOf, resolvePath } from "../src/path.ts";

/**
 * Modules that Deno is started with, or that are imported from outside, and their names in the bundle;
 * for each kind of process those of its own, since no two share what they have loaded.
 */
export const PROCESSES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  coordinator: { "cli.ts": "rewardkit", "mod.ts": "mod" },
  cell: {
    "checks.ts": "checks",
    "src/sandbox/cell_main.ts": "cell",
    "src/sandbox/builtins_worker.ts": "builtins_worker",
    "src/sandbox/author_worker.ts": "author_worker",
    "src/sandbox/stranger_worker.ts": "stranger_worker",
    "src/sandbox/prelude.ts": "prelude",
  },
  documents: { "judges/evidence/documents/main.ts": "documents" },
};

/** The entries of all of them. */
export const ENTRIES: Readonly<Record<string, string>> = Object.assign(
  {},
  ...Object.values(PROCESSES),
);

/** Tells registries what cells load: in a bundle that is a process of its own. */
const FOR_REGISTRIES = "src/sandbox/cell_modules.ts";

/** Entries that import others for what they do. */
const ORDERED = ["src/sandbox/stranger_worker.ts"];

const LAZILY_REGEXP =
  /\blazily(?:<(?:typeof import\("[^"]+"\)|\w+)>)?\(\s*"([^"]+\.ts)",\s*import\.meta\.url,?\s*\)/g;
const ADDRESS_REGEXP = /\bnew URL\(\s*"([^"]+\.ts)",\s*import\.meta\.url,?\s*\)/g;

const IMPORT_REGEXP = /^(?:import|export)\s(?!type\b)(?:[^"';]*?\sfrom\s*)?"([^"]+)"/gm;

/** Whether a module loads nothing that takes its time: a package, or Node's half. */
function isLight(root: string, path: string): boolean {
  const seen = new Set([path]);
  for (const module of seen) {
    const source = Deno.readTextFileSync(`${root}/${module}`);
    for (const [, specifier] of source.matchAll(IMPORT_REGEXP)) {
      if (!specifier!.startsWith(".")) return false;
      seen.add(targetOf(module, specifier!));
    }
  }
  return true;
}

/** What a relative specifier means; both from the root of the project. */
function targetOf(path: string, specifier: string): string {
  return resolvePath(`/${parentOf(path)}`, specifier).slice(1);
}

/**
 * A module of ours as it is bundled.
 *
 * @param root Of the project.
 * @param path From the root.
 * @throws {Error} If something in it would not be found in a bundle.
 */
export function bundled(root: string, path: string, source: string): string {
  if (path === FOR_REGISTRIES) return "";
  const eager: string[] = [];
  const text = source.replaceAll(LAZILY_REGEXP, (_, specifier) => {
    const target = targetOf(path, specifier);
    if (!isLight(root, target)) return `import("${specifier}")`;
    eager.push(`import * as lazy${eager.length} from "${specifier}";\n`);
    return `Promise.resolve(lazy${eager.length - 1})`;
  }).replaceAll(ADDRESS_REGEXP, (_, specifier) => {
    const name = ENTRIES[targetOf(path, specifier)];
    if (name === undefined) throw new Error(`${path}: ${specifier} is not an entry of the bundle`);
    return `new URL("./${name}.js", import.meta.url)`;
  });
  if (path !== "src/lazy.ts" && /\blazily[<(]/.test(text)) {
    throw new Error(`${path}: lazily() has to be called with the path of a module`);
  }
  return eager.join("") + text;
}

/**
 * The plugin that does it; a compiled decoder stays a file, and Node's modules stay Deno's.
 */
export function ownSources(root: string): Plugin {
  return {
    name: "own-sources",
    setup(build) {
      build.onLoad({ filter: /\.[tj]s$/ }, async ({ path }) => {
        if (!path.startsWith(`${root}/`) || path.includes("/node_modules/")) return undefined;
        const source = await Deno.readTextFile(path);
        const loader: Loader = path.endsWith(".ts") ? "ts" : "js";
        return {
          contents: bundled(root, path.slice(root.length + 1), source),
          loader,
        };
      });
      // Of entries that do nothing but import others it is the order that counts; esbuild would
      // evaluate shared parts in an order of its own.
      build.onResolve({ filter: /^\.\/.*\.ts$/ }, ({ path, importer }) => {
        const from = importer.slice(root.length + 1);
        const name = ENTRIES[targetOf(from, path)];
        if (!ORDERED.includes(from) || name === undefined) return undefined;
        return { path: `./${name}.js`, external: true };
      });
      build.onResolve(
        { filter: /\.wasm$/ },
        ({ path }) => ({ path: `./${nameOf(path)}`, external: true }),
      );
      // An ES module has no `require`.
      build.onResolve({ filter: /^[\w:/]+$/ }, ({ path, kind }) => {
        if (!isBuiltin(path)) return undefined;
        const name = `node:${path.replace(/^node:/, "")}`;
        return kind === "require-call"
          ? { path: name, namespace: "required" }
          : { path: name, external: true };
      });
      build.onLoad({ filter: /.*/, namespace: "required" }, ({ path }) => ({
        contents: `export * from "${path}"; export { default } from "${path}";`,
      }));
    },
  };
}
