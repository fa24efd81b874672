// Bundles Reward Kit into `dist/`: one folder of JavaScript that needs nothing but Deno, no network
// and no cache.
//
//   deno task bundle [FOLDER]

import * as esbuild from "esbuild";
import { nameOf, parentOf, pathOfFileUrl, resolvePath } from "../src/path.ts";
import { computedImports, ENTRIES, ownSources } from "./own_sources.ts";
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
  entryPoints: Object.fromEntries(
    Object.entries(ENTRIES).map(([path, name]) => [name, `${ROOT}/${path}`]),
  ),
  chunkNames: "part-[hash]",
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
  legalComments: "external",
  metafile: true,
  write: false,
  logLevel: "error",
} as const satisfies esbuild.BuildOptions;

/** A folder that cannot be written to without losing something. */
export class NoBundleError extends Error {
  override name = "NoBundleError";
}

/** Removes an earlier bundle, and nothing else. */
async function makeEmpty(folder: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
  if (names.length === 0) return;
  if (!names.includes(NOTICES) || !names.includes("rewardkit.js")) {
    throw new NoBundleError(`${folder} holds other files than a bundle: give an empty folder`);
  }
  for (const name of names) await Deno.remove(`${folder}/${name}`);
}

/**
 * Writes the bundle.
 *
 * @param folder Absolute. It is made if it is not there; an earlier bundle in it is replaced.
 * @throws {NoBundleError} If something else is in it.
 */
export async function bundle(folder: string): Promise<void> {
  await makeEmpty(folder);
  const packages = await installPackages(ROOT);
  try {
    const lazyModules = new Set<string>();
    const { outputFiles, metafile } = await esbuild.build({
      ...OPTIONS,
      outdir: folder,
      nodePaths: [`${packages.path}/node_modules`],
      plugins: [ownSources(ROOT, lazyModules)],
    });
    const lazyParts = new Set(
      Object.entries(metafile.outputs)
        .filter(([, { entryPoint }]) => entryPoint !== undefined && lazyModules.has(entryPoint))
        .map(([path]) => nameOf(path)),
    );
    let comments = "";
    for (const { path, text } of outputFiles) {
      if (path.endsWith(".js")) await Deno.writeTextFile(path, computedImports(text, lazyParts));
      else comments += text;
    }
    await Deno.copyFile(`${packages.path}/node_modules/${DECODER}`, `${folder}/${nameOf(DECODER)}`);
    await Deno.copyFile(`${ROOT}/LICENSE`, `${folder}/LICENSE`);
    const inputs = Object.keys(metafile.inputs).map((path) => resolvePath(ROOT, path));
    await Deno.writeTextFile(`${folder}/${NOTICES}`, await notices(inputs, comments));
    await Deno.writeTextFile(`${folder}/rewardkit`, LAUNCHER);
    await Deno.chmod(`${folder}/rewardkit`, 0o755);
  } finally {
    await packages[Symbol.asyncDispose]();
    await esbuild.stop();
  }
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
