import assert from "node:assert/strict";
import { VERSION } from "../version.ts";
import { FLAGS } from "./flags.ts";

const CLI = new URL("../../cli.ts", import.meta.url).pathname;

async function cli(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", CLI, ...args],
    env: { NO_COLOR: "1", COLUMNS: "100" },
    stdin: "null",
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, stdout: out!, stderr: err! };
}

Deno.test("a mistake is explained on standard error, with what was probably meant", async () => {
  const mistakes: [string[], RegExp][] = [
    [[], /missing required argument 'tests_dirs'/],
    [["discover"], /missing required argument 'tests_dirs'/],
    [["tests", "--wrkspace", "x"], /unknown option '--wrkspace'\n\(Did you mean --workspace\?\)/],
    [["discover", "tests", "--jsn"], /unknown option '--jsn'\n\(Did you mean --json\?\)/],
    [["tests", "--output"], /option '-o, --output <file>' argument missing/],
    [["tests", "--yolo=1"], /unknown option '--yolo=1'/],
    [["tests", "-wfolder"], /short options stand alone: -q -w folder/],
    [["tests", "-qw", "folder"], /short options stand alone: -q -w folder/],
    [["list", "x"], /too many arguments for 'list'/],
    [["list", "--workspace", "x"], /unknown option '--workspace'/],
    [["init", "a", "b"], /too many arguments for 'init'/],
    [["completions"], /missing required argument 'shell'/],
    [["completions", "csh"], /Allowed choices are bash, zsh, fish/],
    [["tests", "--mcp", "x"], /--max-concurrent-programmatic is "x"/],
  ];
  const answers = await Promise.all(mistakes.map(([args]) => cli(...args)));
  for (const [index, { code, stdout, stderr }] of answers.entries()) {
    const [args, message] = mistakes[index]!;
    assert.match(stderr, message);
    assert.equal(code, 2, args.join(" "));
    assert.equal(stdout, "", args.join(" "));
  }
});

Deno.test("help goes to standard output and names every flag, and so does the version", async () => {
  const [help, short, ofDiscover, version] = await Promise.all([
    cli("--help"),
    cli("tests", "-h"),
    cli("discover", "--help"),
    cli("--version"),
  ]);
  for (const { code, stderr } of [help, short, ofDiscover, version]) {
    assert.deepEqual([code, stderr], [0, ""]);
  }
  assert.equal(version.stdout, `${VERSION}\n`);
  assert.equal(short.stdout, help.stdout);
  for (const { names } of FLAGS) {
    for (const name of names) {
      assert.ok(help.stdout.includes(name), `${name} is not in the help`);
      assert.ok(ofDiscover.stdout.includes(name), `${name} is not in the help of discover`);
    }
  }
  assert.match(help.stdout, /Exit codes:\n {2}0 /);
  assert.match(help.stdout, /discover \[options\] <tests_dirs\.\.\.>/);
});
