// Bundles Reward Kit into `dist/`: one folder of JavaScript that needs nothing but Deno, no network
// and no cache.
//
//   deno task bundle [FOLDER]

import * as esbuild from "esbuild";
import { nameOf, parentOf, pathOfFileUrl, resolvePath } from "../src/path.ts";
import { ownSources, PROCESSES } from "./own_sources.ts";
import { fewFiles } from "./few_files.ts";
import { installPackages, notices } from "./packages.ts";

const ROOT = parentOf(parentOf(pathOfFileUrl(import.meta.url)));

/** Starts the bundle that lies beside it, whatever link leads here. */
const LAUNCHER = `#!/bin/sh
# Reward Kit. Reads no configuration of Deno's; without a home, Deno keeps no cache.
[ -n "\${HOME-}\${DENO_DIR-}" ] || export DENO_DIR=/dev/null
export DENO_NO_UPDATE_CHECK=1
exec deno run -A --quiet --no-config --no-lock "$(dirname "$(readlink -f "$0")")/rewardkit.js" "$@"
`;

/** The decoder of JPEG, which stays a file of its own. */
const DECODER = "@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm";

const NOTICES = "THIRD_PARTY_NOTICES.txt";

const OPTIONS = {
  absWorkingDir: ROOT,
  bundle: true,
  splitting: true,
  format: "esm",
  target: "esnext",
  charset: "utf8",
  // As Deno resolves packages.
  platform: "node",
  mainFields: ["main"],
  conditions: ["deno", "node", "import"],
  // Names stay as they are, since messages show some.
  minifyWhitespace: true,
  minifySyntax: true,
  // What is loaded later may lie in one file with what would be waiting for it.
  supported: { "top-level-await": false },
  legalComments: "external",
  metafile: true,
  write: false,
  logLevel: "error",
} as const satisfies esbuild.BuildOptions;

/** A folder that cannot be written to without losing something. */
export class NoBundleError extends Error {
  override name = "NoBundleError";
}

/** The names of an earlier bundle's files; makes the folder if it is not there. */
async function earlierBundle(folder: string): Promise<string[]> {
  await Deno.mkdir(folder, { recursive: true });
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
  if (names.length === 0 || (names.includes(NOTICES) && names.includes("rewardkit.js"))) {
    return names;
  }
  throw new NoBundleError(`${folder} holds other files than a bundle: give an empty folder`);
}

/**
 * Writes the bundle.
 *
 * @param folder Absolute. It is made if it is not there; an earlier bundle in it is replaced.
 * @throws {NoBundleError} If something else is in it.
 */
export async function bundle(folder: string): Promise<void> {
  const earlier = await earlierBundle(folder);
  const packages = await installPackages(ROOT);
  try {
    const made = await Promise.all(
      Object.entries(PROCESSES).map(([process, entries]) =>
        bundleProcess(process, entries, { folder, packages: packages.path })
      ),
    );
    const inputs = new Set(made.flatMap(({ inputs }) => inputs));
    const said = await notices([...inputs], made.map(({ comments }) => comments).join(""));
    for (const name of earlier) await Deno.remove(`${folder}/${name}`);
    await Deno.writeTextFile(`${folder}/${NOTICES}`, said);
    for (const [name, text] of made.flatMap(({ files }) => [...files])) {
      await Deno.writeTextFile(`${folder}/${name}`, text);
    }
    await Deno.copyFile(`${packages.path}/node_modules/${DECODER}`, `${folder}/${nameOf(DECODER)}`);
    await Deno.copyFile(`${ROOT}/LICENSE`, `${folder}/LICENSE`);
    await Deno.writeTextFile(`${folder}/rewardkit`, LAUNCHER);
    await Deno.chmod(`${folder}/rewardkit`, 0o755);
  } finally {
    await packages[Symbol.asyncDispose]();
    await esbuild.stop();
  }
}

/** The modules of one kind of process, by file name, and what has gone into them. */
async function bundleProcess(
  process: string,
  entries: Readonly<Record<string, string>>,
  { folder, packages }: { folder: string; packages: string },
): Promise<{ files: Map<string, string>; inputs: string[]; comments: string }> {
  const { outputFiles, metafile } = await esbuild.build({
    ...OPTIONS,
    entryPoints: Object.fromEntries(
      Object.entries(entries).map(([path, name]) => [name, `${ROOT}/${path}`]),
    ),
    outdir: folder,
    nodePaths: [`${packages}/node_modules`],
    plugins: [ownSources(ROOT)],
  });
  const parts = new Map<string, string>();
  let comments = "";
  for (const { path, text } of outputFiles) {
    if (path.endsWith(".js")) parts.set(path, text);
    else comments += text;
  }
  const named = Object.values(entries).map((name) => `${folder}/${name}.js`);
  const files = await fewFiles(parts, named, {
    prefix: process,
    // Documents are read by a process that has no permission at all.
    hidesLazy: process !== "documents",
  });
  const inputs = Object.keys(metafile.inputs).map((path) => resolvePath(ROOT, path));
  return { files, inputs, comments };
}

async function main(): Promise<void> {
  const folder = resolvePath(Deno.cwd(), Deno.args[0] ?? `${ROOT}/dist`);
  try {
    await bundle(folder);
  } catch (error) {
    if (!(error instanceof NoBundleError)) throw error;
    console.error(`error: ${error.message}`);
    Deno.exit(2);
  }
  let size = 0;
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
  for (const name of names) size += Deno.statSync(`${folder}/${name}`).size;
  console.log(`${folder}: ${names.length} files, ${(size / 1024 / 1024).toFixed(1)} MiB`);
}

if (import.meta.main) await main();
