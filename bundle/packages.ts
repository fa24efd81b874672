// The packages that are bundled, where esbuild finds them, and what their licences ask for.

import { nameOf } from "../src/path.ts";

/** A folder with `node_modules`; removed on disposal. */
export interface Packages extends AsyncDisposable {
  path: string;
}

/**
 * Installs just the versions of `deno.lock` into a temporary folder.
 *
 * @param root Of the project.
 * @throws {Error} If Deno cannot: what it says.
 */
export async function installPackages(root: string): Promise<Packages> {
  const path = await Deno.realPath(await Deno.makeTempDir({ prefix: "rewardkit-bundle-" }));
  const remove = () => Deno.remove(path, { recursive: true });
  try {
    const { imports } = JSON.parse(await Deno.readTextFile(`${root}/deno.json`));
    const packages = Object.entries<string>(imports).filter(([, to]) => to.startsWith("npm:"));
    const config = { imports: Object.fromEntries(packages), nodeModulesDir: "auto", workspace: [] };
    await Deno.writeTextFile(`${path}/deno.json`, JSON.stringify(config));
    await Deno.copyFile(`${root}/deno.lock`, `${path}/deno.lock`);
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["install", "--quiet", "--frozen"],
      cwd: path,
      env: { NO_COLOR: "1" },
      stdin: "null",
    }).output();
    if (!success) throw new Error(`deno install: ${new TextDecoder().decode(stderr)}`);
    return { path, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

const PACKAGE_REGEXP = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;
const LICENSE_REGEXP = /^(licen[cs]e|copying|notice)/i;

/**
 * The text that goes with a bundle: every package in it, its licence, and what it wants to be said.
 *
 * @param inputs Absolute paths of the bundled modules.
 * @param comments What bundled files say of their licence themselves.
 * @throws {Error} If a package does not say its licence.
 */
export async function notices(inputs: readonly string[], comments: string): Promise<string> {
  const folders = new Set(inputs.flatMap((path) => PACKAGE_REGEXP.exec(path)?.[0] ?? []));
  const sections = await Promise.all([...folders].map(noticeOf));
  const ruler = `\n\n${"=".repeat(80)}\n\n`;
  return [
    "Reward Kit contains these packages, each under the licence that follows its name.",
    ...sections.sort(),
    `Comments on licences in the files of these packages:\n\n${comments.trim()}`,
  ].join(ruler) + "\n";
}

async function noticeOf(folder: string): Promise<string> {
  const manifest = JSON.parse(await Deno.readTextFile(`${folder}/package.json`));
  const files = await licenseFiles(folder);
  const { name, version, license, author, repository, homepage } = manifest;
  if (typeof license !== "string") throw new Error(`${name} does not say its licence`);
  const texts = await Promise.all(files.map(async (path) => {
    const title = nameOf(path) === path.slice(folder.length + 1) ? "" : `${nameOf(path)}:\n\n`;
    return title + (await Deno.readTextFile(path)).trim();
  }));
  if (texts.length === 0) texts.push(`Copyright ${author?.name ?? author ?? "its authors"}`);
  const source = homepage ?? repository?.url ?? repository;
  return [`${name} ${version} (${license})\n${source}`, ...texts].join("\n\n");
}

async function licenseFiles(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isFile, isDirectory } of Deno.readDir(folder)) {
    if (isFile && LICENSE_REGEXP.test(name)) found.push(`${folder}/${name}`);
    if (isDirectory && name !== "node_modules") {
      found.push(...await licenseFiles(`${folder}/${name}`));
    }
  }
  return found.sort();
}
