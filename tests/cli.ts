// Runs the real command line for tests, on an output folder of its own.

/** What a run of the command line left. */
export interface CliRun extends AsyncDisposable {
  code: number;
  stdout: string;
  stderr: string;
  /** Content of reward.json; `null` if it was not written. */
  reward: Record<string, number> | null;
  /** Content of reward-details.json; `null` if it was not written. */
  // deno-lint-ignore no-explicit-any
  details: Record<string, any> | null;
  /** The output folder; removed on disposal. */
  output: string;
}

/** How to run it. */
export interface CliOptions {
  /** Default: a new folder. */
  output?: string;
  env?: Record<string, string>;
  cwd?: string;
  /** Further flags of `deno run`. */
  denoFlags?: string[];
}

/** What is tested: another copy, such as a bundle, if the variable names one. */
const CLI = Deno.env.get("REWARDKIT_TEST_CLI") ?? new URL("../cli.ts", import.meta.url).pathname;

/** The Deno cache of what is tested, if it is to be another than that of the tests. */
function cacheOfTested(): Record<string, string> {
  const folder = Deno.env.get("REWARDKIT_TEST_DENO_DIR");
  return folder === undefined ? {} : { DENO_DIR: folder };
}

/**
 * Runs `rewardkit ARGS --output <folder>/reward.json`.
 *
 * @param args Arguments without `--output`.
 */
export async function rewardkit(args: string[], options: CliOptions = {}): Promise<CliRun> {
  const output = options.output ?? await Deno.makeTempDir({ prefix: "rewardkit-test-" });
  const command = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--quiet",
      ...options.denoFlags ?? [],
      CLI,
      ...args,
      "--output",
      `${output}/reward.json`,
    ],
    env: { NO_COLOR: "1", ...cacheOfTested(), ...options.env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    ...(options.cwd !== undefined && { cwd: options.cwd }),
  });
  const { code, stdout, stderr } = await command.output();
  return {
    code,
    stdout: new TextDecoder().decode(stdout),
    stderr: new TextDecoder().decode(stderr),
    reward: await readJson(`${output}/reward.json`),
    details: await readJson(`${output}/reward-details.json`),
    output,
    [Symbol.asyncDispose]: () => Deno.remove(output, { recursive: true }),
  };
}

/** The content of a JSON file; `null` if there is none. */
// deno-lint-ignore no-explicit-any
export async function readJson(path: string): Promise<any> {
  try {
    return JSON.parse(await Deno.readTextFile(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    if (error instanceof Deno.errors.NotADirectory) return null;
    throw error;
  }
}

/** Writes a folder of text files; names may hold slashes. Removed on disposal. */
export async function folder(
  files: Record<string, string>,
): Promise<{ path: string } & AsyncDisposable> {
  const path = await Deno.realPath(await Deno.makeTempDir({ prefix: "rewardkit-test-" }));
  for (const [name, content] of Object.entries(files)) {
    const file = `${path}/${name}`;
    await Deno.mkdir(file.slice(0, file.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(file, content);
  }
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}
