// Runs programs for the tests of installing: with another cache, without a network.

import assert from "node:assert/strict";

/** How a program ended. */
export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** How to run one. */
export interface Setting {
  env?: Record<string, string>;
  cwd?: string;
  /** Whether it gets nothing of this process's environment. Default false. */
  clearEnv?: boolean;
}

/** Runs a program to its end. */
export async function runProgram(argv: readonly string[], setting: Setting = {}): Promise<Ended> {
  const { env, ...others } = setting;
  const { code, stdout, stderr } = await new Deno.Command(argv[0]!, {
    args: argv.slice(1),
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
    ...others,
  }).output();
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: decode(stdout), stderr: decode(stderr) };
}

/**
 * The argument list in a network namespace of its own, in which there is nobody but this machine's
 * loopback.
 */
export function withoutNetwork(argv: readonly string[]): string[] {
  const asRoot = Deno.uid() === 0 ? [] : ["--user", "--map-root-user"];
  return [
    "unshare",
    ...asRoot,
    "--net",
    "sh",
    "-c",
    'ip link set lo up && exec "$@"',
    "sh",
    ...argv,
  ];
}

/** Whether this machine can take the network away. Says so where it cannot. */
export async function canBeWithoutNetwork(): Promise<boolean> {
  const listed = await runProgram(withoutNetwork(["cat", "/proc/self/net/dev"]))
    .catch((error) => ({ code: 1, stdout: "", stderr: String(error) }));
  const interfaces = [...listed.stdout.matchAll(/^\s*(\S+):/gm)].map(([, name]) => name);
  if (listed.code === 0 && interfaces.join() === "lo") return true;
  console.log(`SKIPPED: runs without a network, which cannot be had here: ${listed.stderr.trim()}`);
  return false;
}

/** Another copy of Reward Kit that is to pass tests of the command line. */
export interface Tested {
  /** What `deno run` is given. */
  cli: string;
  /** Its Deno cache. */
  cache: string;
  /** Where the tests are started. */
  cwd: string;
  env?: Record<string, string>;
  /** Name of the one test that is to run. Default: all. */
  only?: string;
}

/**
 * Runs tests of the command line against a copy that has no network.
 *
 * @param suites Names of files in `tests/`.
 * @throws {Error} If one does not pass: what was printed.
 */
export async function passWithoutNetwork(
  suites: readonly string[],
  { cli, cache, cwd, env, only }: Tested,
): Promise<void> {
  const root = new URL("../../", import.meta.url).pathname;
  const flags = [
    "--quiet",
    "--parallel",
    "--no-check",
    "--cached-only",
    `--config=${root}deno.json`,
  ];
  const { code, stdout, stderr } = await runProgram(
    withoutNetwork([
      ...[Deno.execPath(), "test", "-A", ...flags],
      ...(only === undefined ? [] : [`--filter=${only}`]),
      ...suites.map((name) => `${root}tests/${name}`),
    ]),
    { cwd, env: { ...env, REWARDKIT_TEST_CLI: cli, REWARDKIT_TEST_DENO_DIR: cache } },
  );
  const isPassed = code === 0 && /^ok \| [1-9]\d* passed \| 0 failed/m.test(stdout);
  if (!isPassed) throw new Error(`${stdout}\n${stderr}`);
}

/** Whether packages can be had from npm. Says so where they cannot. */
export async function canReachNpm(): Promise<boolean> {
  await using cache = await temporaryFolder();
  const argv = [Deno.execPath(), "cache", "--quiet", "--no-config", "npm:smol-toml@1.9.1"];
  const { code, stderr } = await runProgram(argv, { env: { DENO_DIR: cache.path } });
  if (code === 0) return true;
  console.log(`SKIPPED: installing from npm, which cannot be reached: ${stderr.trim()}`);
  return false;
}

/** An empty folder; removed on disposal. */
export async function temporaryFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await Deno.realPath(await Deno.makeTempDir({ prefix: "rewardkit-test-" }));
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

const INSTALLING = await Deno.readTextFile(new URL("../../docs/installing.md", import.meta.url));

/**
 * A command just as docs/installing.md shows it, as an argument list that starts this Deno.
 *
 * @param without Words that are left out: the test puts others in their place.
 */
export function documented(command: string, without: readonly string[] = []): string[] {
  assert.ok(INSTALLING.split("\n").includes(`    ${command}`), `not documented: ${command}`);
  const [program, ...args] = command.split(" ").filter((word) => !without.includes(word));
  return [program === "deno" ? Deno.execPath() : program!, ...args];
}
