// Installs a version of an agent from npm: the files of its packages, and nothing of them is run
// but the program itself, for its version.

import { cellEnvironment } from "../../src/command/environment.ts";
import { ProcessGroups } from "../../src/command/groups.ts";
import { run } from "../../src/command/run.ts";
import { denoProgram } from "../../src/deno_program.ts";
import { ConfigError, RewardKitError } from "../../src/errors.ts";
import { isWithin, nameOf, parentOf } from "../../src/path.ts";
import type { Agent, Environment } from "./agent.ts";
import { installedProgram, PROGRAM_LINK } from "./program_cache.ts";
import { type Candidate, programCandidates, removeOtherLibc } from "./program_candidates.ts";
import { trustedPath } from "./program_path.ts";
import { versionProblem } from "./program_version.ts";

/** What is to be installed. */
export interface Installation {
  agent: Agent & { npmPackage: string };
  version: string;
  /** Absolute path that it gets. Its parent need not be there either. */
  folder: string;
  environment: Environment;
  /** Real path of the graded work. */
  workspace: string;
  onNotice: (message: string) => void;
  signal?: AbortSignal;
}

/** Seconds for getting the packages. */
const INSTALL_TIMEOUT_SEC = 600;

/** Seconds that another run is waited for: as long as it may take. */
const LOCK_TIMEOUT_SEC = 720;

const LOCK_INTERVAL_MS = 100;

/** Seconds for `--version` of a program that the disk has never read. */
const VERSION_TIMEOUT_SEC = 60;

/** Most characters of an installer's last words that are shown. */
const MAX_REASON = 300;

/** End of the names of installations that are not complete. */
const PARTIAL = ".partial";

/**
 * Installs a version, unless another run has just done so, and gives the path of its program.
 *
 * Runs that want the same at the same time wait for the first. What is killed on the way leaves
 * nothing that looks complete, and is removed by the next.
 *
 * @throws {ConfigError} If that version cannot be had, or does not run here.
 * @throws The signal's reason.
 */
export async function installProgram(installation: Installation): Promise<string> {
  const { folder, signal } = installation;
  try {
    await Deno.mkdir(parentOf(folder), { recursive: true });
    using _lock = await takeLock(installation);
    const installed = installedProgram(folder);
    if (installed !== null) return installed;
    await removeLeftovers(folder);
    return await install(installation);
  } catch (error) {
    signal?.throwIfAborted();
    // Such as a full disk, or a folder that is not ours to write.
    if (isOfSystem(error)) throw failure(installation, error.message);
    throw error;
  }
}

/** Locks what only one may install at a time. The system frees it, however this process ends. */
async function takeLock(installation: Installation): Promise<Deno.FsFile> {
  const { agent, version, folder, onNotice, signal } = installation;
  const file = await Deno.open(`${folder}.lock`, { create: true, write: true });
  try {
    const end = performance.now() + LOCK_TIMEOUT_SEC * 1000;
    for (let hasWaited = false; !await file.tryLock(true); hasWaited = true) {
      if (!hasWaited) onNotice(`waiting for another run that installs ${agent.name} ${version}`);
      if (performance.now() > end) {
        throw failure(
          installation,
          `another run has been at it for ${LOCK_TIMEOUT_SEC / 60} minutes`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, LOCK_INTERVAL_MS));
      signal?.throwIfAborted();
    }
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Removes what killed installations have left, and an installation that has lost its program. */
async function removeLeftovers(folder: string): Promise<void> {
  const start = `${nameOf(folder)}.`;
  for await (const { name } of Deno.readDir(parentOf(folder))) {
    const isPartial = name.startsWith(start) && name.endsWith(PARTIAL);
    // An installer that has outlived its run may still write there.
    if (isPartial) await remove(`${parentOf(folder)}/${name}`).catch(() => {});
  }
  await remove(folder);
}

async function install(installation: Installation): Promise<string> {
  const { agent, version, folder, onNotice } = installation;
  onNotice(`installing ${agent.name} ${version} from npm into ${folder}`);
  // Beside its place, so that putting it there is one step.
  const partial = `${folder}.${crypto.randomUUID()}${PARTIAL}`;
  try {
    await Deno.mkdir(partial);
    await getPackages(partial, installation);
    const modules = `${partial}/node_modules`;
    const chosen = await choose(modules, installation);
    removeOtherLibc(modules, chosen.package);
    const path = chosen.path.slice(Deno.realPathSync(partial).length + 1);
    await Deno.symlink(path, `${partial}/${PROGRAM_LINK}`);
    await Deno.rename(partial, folder);
    return `${folder}/${path}`;
  } finally {
    await remove(partial).catch(() => {});
  }
}

/**
 * Gets a package and those that it depends on. Deno does it, since it is there: node and npm may
 * not be. It runs no lifecycle scripts unless it is told to.
 */
async function getPackages(partial: string, installation: Installation): Promise<void> {
  const { agent, version, signal } = installation;
  const groups = new ProcessGroups();
  const cache = `${partial}/deno`;
  await writeJson(`${partial}/package.json`, { dependencies: { [agent.npmPackage]: version } });
  await writeJson(`${partial}/deno.json`, {
    // A root of its own: what lies in the folders above has no say.
    workspace: [],
    // Whoever named this very version did not want to wait until it is a day old.
    minimumDependencyAge: "0",
  });
  const args = ["install", "--quiet", "--no-lock", "--config=deno.json", "--node-modules-dir=auto"];
  try {
    const { code, stderr, timedOut } = await run([denoProgram(), ...args], {
      cwd: partial,
      timeoutSec: INSTALL_TIMEOUT_SEC,
      env: installerEnvironment(cache, installation),
      groups,
      ...(signal !== undefined && { signal }),
    });
    if (timedOut) {
      throw failure(installation, `it takes more than ${INSTALL_TIMEOUT_SEC / 60} minutes`);
    }
    if (code !== 0) throw refusal(partial, installation, stderr);
  } finally {
    await groups.endAll();
  }
  // Its files are hard links to those of the installation.
  await remove(cache);
}

/**
 * What Deno needs to reach a registry, and no secret. The user's own `.npmrc` says which registry
 * that is, if NPM_CONFIG_REGISTRY does not.
 */
function installerEnvironment(
  cache: string,
  { environment, workspace }: Installation,
): Record<string, string> {
  const { HOME, ...others } = cellEnvironment({
    PATH: trustedPath(environment.PATH, workspace),
    DENO_DIR: cache,
    DENO_NO_UPDATE_CHECK: "1",
    NO_COLOR: "1",
  }, environment);
  if (HOME === undefined || isPlanted(HOME, workspace)) return others;
  return { ...others, HOME };
}

/** Whether the graded agent may have written an `.npmrc` there. */
function isPlanted(home: string, workspace: string): boolean {
  try {
    return isWithin(Deno.realPathSync(home), workspace);
  } catch {
    return true;
  }
}

/** The first candidate that says that it is the version. */
async function choose(modules: string, installation: Installation): Promise<Candidate> {
  const { agent, version } = installation;
  const program = nameOf(agent.program);
  const problems: string[] = [];
  for (const candidate of programCandidates(modules, program, agent.npmPackage)) {
    await Deno.chmod(candidate.path, 0o755);
    const options = { ...installation, timeoutSec: VERSION_TIMEOUT_SEC };
    const problem = await versionProblem(candidate.path, version, options);
    if (problem === null) return candidate;
    problems.push(problem.replaceAll(`${modules}/`, ""));
  }
  const { os, arch } = Deno.build;
  throw failure(
    installation,
    problems[0] ?? `${agent.npmPackage} has no program "${program}" for ${os} on ${arch}`,
  );
}

/** What the installer's last words mean. */
function refusal(partial: string, installation: Installation, stderr: string): ConfigError {
  const { agent: { name, npmPackage }, version } = installation;
  const absent = /npm package '([^']+)' (?:matching|does not exist)/.exec(stderr)?.[1];
  if (absent === npmPackage) {
    return new ConfigError(`there is no ${name} ${version}: npm has no ${npmPackage}@${version}`, {
      hint: `Take a version that \`npm view ${npmPackage} versions\` lists`,
    });
  }
  // Paths in its own folder mean nothing to anybody; an address may hold a password.
  const reason = reasonIn(stderr).replaceAll(`${partial}/`, "").replace(/\/\/[^/@\s]+@/g, "//");
  const half = MAX_REASON / 2;
  return failure(
    installation,
    reason.length <= MAX_REASON ? reason : `${reason.slice(0, half)}…${reason.slice(-half)}`,
  );
}

/** Deno's message, and the last of the causes that it lists: `0: …`, `1: …`, or one alone. */
function reasonIn(stderr: string): string {
  const [messages = "", causes = ""] = stderr.split(/^Caused by:$/m);
  const message = linesOf(messages).find((line) => line.startsWith("error: "))?.slice(7);
  const [first, ...others] = linesOf(causes);
  const cause = others.filter((line) => /^\d+: /.test(line)).at(-1) ?? first;
  const reason = [message, cause?.replace(/^\d+: /, "")].filter((part) => part !== undefined);
  return reason.join(": ") || "the installer does not say why";
}

function linesOf(text: string): string[] {
  return text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
}

function failure({ agent, version }: Installation, reason: string): ConfigError {
  return new ConfigError(`${agent.name} ${version} cannot be installed: ${reason}`, {
    hint: `Install it with \`npm install -g ${agent.npmPackage}@${version}\``,
  });
}

function isOfSystem(error: unknown): error is Error {
  return error instanceof Error && !(error instanceof RewardKitError) && "code" in error;
}

async function writeJson(path: string, content: unknown): Promise<void> {
  await Deno.writeTextFile(path, JSON.stringify(content));
}

async function remove(path: string): Promise<void> {
  try {
    await Deno.remove(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
