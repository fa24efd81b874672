// How the process of a cell is started: its flags, its environment, and what confines a stranger's.

import { cellEnvironment, commandEnvironment, type Environment } from "../command/environment.ts";
import type { Confinement, OsSandbox } from "../confinement/confinement.ts";
import { denoProgram } from "../deno_program.ts";
import { OWN_FOLDER, OWN_PLACE } from "../own_folder.ts";
import { parentOf } from "../path.ts";
import type { View } from "../view/view.ts";
import { BLOCKED_BUILTINS } from "./blocked_builtins.ts";
import { permissionFlags, union } from "./permissions.ts";
import type { WorkerPermissions } from "./protocol.ts";

/** What a cell's process is started with. */
export interface CellProgramOptions {
  /** Folder of the run's own; the socket lies in it. */
  privateDir: string;
  /** Variable by which the processes of the run are known, those as well that a Worker starts. */
  mark: Environment;
  importMap: Record<string, string>;
  heapMiB: number;
  osSandbox?: OsSandbox | null;
  /** The most that its Workers may do. */
  permissions: WorkerPermissions;
  /** Path of the Unix socket to the coordinator. */
  socket: string;
  /** A stranger's check file is loaded into it. */
  isStranger: boolean;
  /** The view of the workspace that it lives in. */
  view?: View;
  /** The message that opens its first Worker, as JSON. */
  first?: string;
}

/** No colours in Deno's messages, which end up in the details, and no look for a newer Deno. */
export const QUIET = { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" };

/** Where a stranger's programs are looked for. */
export const STRANGERS_PATH = "/usr/local/bin:/usr/bin:/bin";

/** Argument list and whole environment of a cell's process. */
export function cellProgram(options: CellProgramOptions): { argv: string[]; env: Environment } {
  const { permissions, isStranger, osSandbox, heapMiB, first } = options;
  const variables = declaredVariables(permissions.env);
  const program = [
    denoProgram(),
    ...flags(options),
    new URL("./cell_main.ts", import.meta.url).href,
    options.socket,
    isStranger ? "stranger" : "trusted",
    ...(first === undefined ? [] : [first]),
  ];
  const env = cellEnvironment({ ...QUIET, ...variables, ...options.mark });
  const within = (argv: string[]) => options.view?.wrap(argv, "/") ?? argv;
  if (!isStranger) return { argv: within(program), env };
  // Variables that lead to caches, proxies and certificates are no business of a stranger's.
  const strangers = {
    ...QUIET,
    ...variables,
    ...options.mark,
    DENO_DIR: denoFolder(env),
    HOME: "/tmp",
    PATH: STRANGERS_PATH,
  };
  if (!osSandbox) return { argv: within(program), env: strangers };
  const confinement = { ...confinementOf(options, strangers.DENO_DIR), memoryMiB: heapMiB };
  return { argv: within(osSandbox.wrap(program, confinement)), env: strangers };
}

function flags(
  { importMap, heapMiB, privateDir, permissions, socket, isStranger }: CellProgramOptions,
) {
  const own = {
    read: [...runtimeFolders(), socket],
    // The run's folder, which its process removes if the coordinator is killed.
    write: [isStranger ? socket : privateDir],
    net: [`unix:${socket}`],
  };
  const imports = isStranger ? { ...importMap, ...BLOCKED_BUILTINS } : importMap;
  const map = encodeURIComponent(JSON.stringify({ imports }));
  return [
    "run",
    "--quiet",
    "--no-prompt",
    "--no-check",
    "--no-config",
    "--no-lock",
    // A package that is asked for tells its registry, whatever a Worker may do.
    ...(isStranger ? ["--cached-only", "--no-npm"] : []),
    "--unstable-worker-options",
    `--v8-flags=--max-old-space-size=${heapMiB}`,
    `--import-map=data:application/json,${map}`,
    ...permissionFlags(union(permissions, own)),
  ];
}

function confinementOf(
  { permissions, socket }: CellProgramOptions,
  denoDir: string,
): Omit<Confinement, "memoryMiB"> {
  const { read, write, net } = permissions;
  return {
    read: [denoProgram(), denoDir, ...runtimeFolders(), ...shown(read)],
    // A file that is to be made needs its folder; Deno's permissions say which file.
    write: [...shown(write).map(nearestThere), socket],
    net: net === true || (Array.isArray(net) && net.length > 0),
    cwd: "/tmp",
  };
}

/** Folders that belong to the system inside, or hold what does. */
const SYSTEM_FOLDERS = ["/proc", "/dev", "/sys", "/tmp"];

/** A list of paths; everything is what lies below the root and is no part of the system. */
function shown(paths: WorkerPermissions["read"]): string[] {
  if (paths !== true) return paths || [];
  const namesIn = (folder: string) => [...Deno.readDirSync(`${folder}/`)].map(({ name }) => name);
  const folders = namesIn("").map((name) => `/${name}`)
    .filter((path) => !SYSTEM_FOLDERS.includes(path));
  return [...folders, ...namesIn("/tmp").map((name) => `/tmp/${name}`)];
}

/** The path, or the folder above it that is there. */
function nearestThere(path: string): string {
  try {
    Deno.lstatSync(path);
    return path;
  } catch {
    return nearestThere(parentOf(path));
  }
}

/** Where Deno keeps what it has downloaded and compiled. */
export function denoFolder({ DENO_DIR, XDG_CACHE_HOME, HOME }: Environment): string {
  return DENO_DIR || `${XDG_CACHE_HOME || `${HOME}/.cache`}/deno`;
}

/** Variables that a custom criterion has declared; all of them does not mean the secrets. */
function declaredVariables(names: string[] | boolean): Environment {
  if (names === true) return commandEnvironment();
  const found = (names || []).map((name) => [name, Deno.env.get(name)] as const);
  return Object.fromEntries(
    found.filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** Where this copy of Reward Kit lies, when that is a folder and not a registry. */
export function runtimeFolders(): string[] {
  return OWN_FOLDER === null ? [] : [OWN_FOLDER];
}

/** Our own modules that a Worker loads when it needs them: the same for everybody, no secret. */
export function lazyFolders(): string[] {
  return runtimeFolders().flatMap((folder) =>
    OWN_PLACE === "bundle" ? [folder] : [`${folder}/criteria`, `${folder}/src`]
  );
}
