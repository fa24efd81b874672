// Finds imports that leave the tests folder through a link: Deno's permissions follow links.

import { denoProgram } from "../deno_program.ts";
import { fileUrl, isWithin, pathOfFileUrl } from "../path.ts";
import { outputOf } from "../own_children.ts";

/** What is asked of the import graph. */
export interface GraphOptions {
  /** The tests folder; absolute and real. */
  tests: string;
  /** URLs of check files. */
  files: readonly string[];
  importMap: Readonly<Record<string, string>>;
  /** Folder of the run's own for a module that imports every check file. */
  privateDir: string;
}

/** A module of the graph, as `deno info --json` describes it. */
interface GraphModule {
  specifier: string;
  /** `esm` is code; data is `asserted` (JSON) or `external` (a text, bytes). */
  kind?: string;
  dependencies?: { code?: { specifier?: string } }[];
}

/**
 * For each check file whose import graph has a module that lies outside the tests folder although
 * its path does not: that path, from the tests folder. Costs a process, so it is asked only when
 * there are links that lead out.
 */
export async function escapingImports(options: GraphOptions): Promise<Map<string, string>> {
  const { tests } = options;
  const escaping = new Map<string, string>();
  for (const [file, modules] of importsIn(await graphOf(options), options.files)) {
    const module = modules.find((specifier) => leadsOut(specifier, tests));
    if (module !== undefined) escaping.set(file, pathOfFileUrl(module).slice(tests.length + 1));
  }
  return escaping;
}

/**
 * For each check file the paths of the modules of the tests folder that it imports, itself left out,
 * and data as well: another's oracle is no code to share. Costs a process.
 */
export async function importedModules(options: GraphOptions): Promise<Map<string, string[]>> {
  const graph = await graphOf(options);
  const code = new Set(graph.filter(({ kind }) => kind === "esm").map((it) => it.specifier));
  return new Map([...importsIn(graph, options.files)].map(([file, modules]) => [
    file,
    modules.filter((module) => module !== file && module.startsWith("file:") && code.has(module))
      .map(pathOfFileUrl)
      .filter((path) => isWithin(path, options.tests)),
  ]));
}

/** Every module of each file's graph, the file first. */
function importsIn(
  graph: readonly GraphModule[],
  files: readonly string[],
): Map<string, string[]> {
  const modules = new Map(graph.map((module) => [module.specifier, module]));
  return new Map(files.map((file) => {
    const seen = new Set<string>([file]);
    for (const specifier of seen) {
      for (const { code } of modules.get(specifier)?.dependencies ?? []) {
        if (code?.specifier !== undefined) seen.add(code.specifier);
      }
    }
    return [file, [...seen]];
  }));
}

function leadsOut(specifier: string, tests: string): boolean {
  if (!specifier.startsWith("file:")) return false;
  const path = pathOfFileUrl(specifier);
  if (!isWithin(path, tests)) return false;
  try {
    return !isWithin(Deno.realPathSync(path), tests);
  } catch {
    // Whoever loads it tells what is wrong with it.
    return false;
  }
}

async function graphOf({ files, importMap, privateDir }: GraphOptions): Promise<GraphModule[]> {
  const root = `${privateDir}/graph.ts`;
  const imports = files.map((file) => `import ${JSON.stringify(file)};\n`).join("");
  await Deno.writeTextFile(root, imports);
  const map = encodeURIComponent(JSON.stringify({ imports: importMap }));
  const { stdout } = await outputOf(denoProgram(), {
    args: [
      "info",
      "--json",
      "--no-config",
      "--no-lock",
      "--no-npm",
      "--no-remote",
      `--import-map=data:application/json,${map}`,
      fileUrl(root),
    ],
    stdin: "null",
    stderr: "null",
  });
  return JSON.parse(new TextDecoder().decode(stdout)).modules;
}
