// Reward Kit as run by somebody else, or on another machine: as far as namespaces can play that.

import { readJson } from "./cli.ts";

const PROJECT = new URL("../", import.meta.url).pathname;

/** Everything that a plain run loads; no package is among it. */
const SOURCES = ["cli.ts", "mod.ts", "checks.ts", "deno.json", "src", "criteria", "judges"];

/** A user who owns nothing else here. */
const UID = 65534;

/** A tests folder, a workspace and a place for temporary files, which an ordinary user owns. */
export interface Machine extends AsyncDisposable {
  root: string;
  workspace: string;
  temporary: string;
  /** Grades. */
  grade(flags: readonly string[], options?: GradeOptions): Promise<Run>;
}

/** By whom, and where. */
export interface GradeOptions {
  /** As the ordinary user; else as whoever runs the tests. */
  asUser?: boolean;
  /** As a root that may neither mount nor make namespaces, as in most containers. */
  withoutRights?: boolean;
  /** A shell script that mounts things first, where nobody else sees it; `$1` is `root`. */
  prepare?: string;
}

/** The limit is one of the user namespace. */
const WITHOUT_RIGHTS = `echo 0 >/proc/sys/user/max_user_namespaces
exec setpriv --bounding-set=-all --inh-caps=-all "$@"`;

/** What came of it. */
export interface Run {
  code: number;
  stderr: string;
  reward: Record<string, number> | null;
  /** What made the views of each check file that had any. */
  isolation: string;
  /** What confined each check file, if they are strangers'. */
  sandbox: string;
}

/** Sets a machine up. Takes root. */
export async function machine(
  tests: Record<string, string>,
  workspace: Record<string, string>,
): Promise<Machine> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "rewardkit-test-" }));
  await Deno.chmod(root, 0o755);
  for (const name of ["tests", "work", "tmp", "out", "deno_dir"]) {
    await Deno.mkdir(`${root}/${name}`);
  }
  const write = async (folder: string, files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(`${root}/${folder}/${name}`, text);
    }
  };
  await write("tests", tests);
  await write("work", workspace);
  await sh('cd "$1" && chown -R "$2:$2" .', root, `${UID}`);
  // Folders above the project, and above Deno, may be closed to others.
  await sh('root=$1; shift; mkdir "$root/kit"; cp -r -- "$@" "$root/kit"', root, ...SOURCES);
  await sh('ln -- "$2" "$1/deno" 2>/dev/null || cp -- "$2" "$1/deno"', root, Deno.execPath());
  return {
    root,
    workspace: `${root}/work`,
    temporary: `${root}/tmp`,
    grade: (flags, options = {}) => grade(root, flags, options),
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

async function grade(
  root: string,
  flags: readonly string[],
  { asUser = false, withoutRights = false, prepare }: GradeOptions,
): Promise<Run> {
  const user = [`--reuid=${UID}`, `--regid=${UID}`, "--clear-groups"];
  const places = ["--workspace", `${root}/work`, "--output", `${root}/out/reward.json`];
  // A root without rights is kept out of what belongs to others.
  if (withoutRights) await sh('chown -R 0:0 "$1"', root);
  const argv = [
    ...prepare === undefined
      ? []
      : ["unshare", "--mount", "sh", "-ec", `${prepare}\nshift; exec "$@"`, "sh", root],
    ...asUser ? ["setpriv", ...user] : [],
    ...withoutRights
      ? ["unshare", "--user", "--map-root-user", "sh", "-ec", WITHOUT_RIGHTS, "sh"]
      : [],
    ...[`${root}/deno`, "run", "-A", "--quiet", "--no-lock", `${root}/kit/cli.ts`],
    ...[`${root}/tests`, ...places, ...flags],
  ];
  const { code, stderr } = await new Deno.Command(argv[0]!, {
    args: argv.slice(1),
    env: { NO_COLOR: "1", TMPDIR: `${root}/tmp`, DENO_DIR: `${root}/deno_dir`, HOME: root },
    stdin: "null",
  }).output();
  const details = await readJson(`${root}/out/reward-details.json`);
  return {
    code,
    stderr: new TextDecoder().decode(stderr),
    reward: await readJson(`${root}/out/reward.json`),
    isolation: valuesOf(details, "isolation").join(),
    sandbox: valuesOf(details, "sandbox").join(),
  };
}

/** The values of a key at any depth. */
function valuesOf(node: unknown, wanted: string): unknown[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === wanted ? [value] : valuesOf(value, wanted)
  );
}

async function sh(script: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("sh", {
    args: ["-c", script, "sh", ...args],
    cwd: PROJECT,
    stderr: "piped",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}
