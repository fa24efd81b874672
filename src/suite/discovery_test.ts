import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { DiscoveryError, UsageError } from "../errors.ts";
import { readSuite, type SuiteOptions } from "./discovery.ts";
import type { Suite } from "./suite.ts";

async function read(files: Record<string, string>, options?: SuiteOptions): Promise<Suite> {
  return await withFolder(files, (folder) => readSuite(folder, options));
}

async function withFolder<T>(
  files: Record<string, string>,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await Deno.makeTempDir();
  try {
    for (const [name, text] of Object.entries(files)) {
      await Deno.mkdir(dirname(join(folder, name)), { recursive: true });
      await Deno.writeTextFile(join(folder, name), text);
    }
    return await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The messages of the problems, without the temporary folder. */
async function problems(files: Record<string, string>, options?: SuiteOptions): Promise<string[]> {
  try {
    await read(files, options);
  } catch (error) {
    assert.ok(error instanceof DiscoveryError, String(error));
    return error.problems.map(({ message }) => message.replace(/^\/.*?\/[^/]{6,}\//, ""));
  }
  return assert.fail("discovery found no problem");
}

Deno.test("readSuite() finds check files, judges and what configures them", async () => {
  const suite = await read({
    "b.ts": "",
    "a.mjs": "",
    "types.d.ts": "",
    "types.d.mts": "",
    "test.sh": "",
    "conftest.py": "raise SystemExit(0)\n",
    "data.toml": "x = 1\n",
    ".hidden.ts": "",
    ".git/x.ts": "",
    "__pycache__/x.ts": "",
    "node_modules/x.ts": "",
    "one/c.js": "",
    "one/q.toml": '[[criterion]]\ndescription = "d"\n',
    "one/two/d.mts": "",
    "reward.toml": '[[reward]]\nname = "reward"\n[scoring.b]\naggregation = "all_pass"\npass = 1\n',
  });
  assert.deepEqual(suite.checkFiles.map(({ id, stem, folder }) => [id, stem, folder]), [
    ["a.mjs", "a", ""],
    ["b.ts", "b", ""],
    ["one/c.js", "c", "one"],
    ["one/two/d.mts", "d", "one/two"],
  ]);
  assert.deepEqual(suite.judges.map(({ id }) => id), ["one/q.toml"]);
  assert.deepEqual(suite.ignored, ["data.toml"]);
  assert.deepEqual(suite.warnings, []);
  assert.equal(suite.root.folders[0]!.folders[0]!.id, "one/two");
  assert.equal(suite.root.rewards[0]!.name, "reward");
  const { place, ...scoring } = suite.root.scoring.get("b")!;
  assert.deepEqual([place?.line, place?.column], [3, 1]);
  assert.deepEqual(scoring, {
    aggregation: "all-pass",
    spelling: "all_pass",
    threshold: undefined,
    pass: 1,
  });
});

Deno.test("readSuite() reports every problem at once", async () => {
  const found = await problems({
    "old.py": "import os\nfrom rewardkit import criterion\n",
    "older.py": "import os, rewardkit as rk\n",
    "reward.toml": '[[reward]]\nnmae = "x"\n[[reward]]\nname = "y"\nthreshold = nan\n',
    "broken.toml": "[judge\n",
    "q.toml": '[judge]\nmodel = "m"\n[[criterion]]\ndescription = "d"\nwieght = 2\n',
    "one/reward.toml": "[[reward]]\npass = 1.5\n",
    "two/reward.toml": "x = \xff",
  });
  assert.deepEqual(found.map((message) => message.split("\n")[0]), [
    "broken.toml:1:7: is not TOML: illegal character in key",
    "old.py: is a Python check file (it imports rewardkit), which cannot be run",
    "older.py: is a Python check file (it imports rewardkit), which cannot be run",
    'one/reward.toml:2:1: [[reward]] 1: "pass" is 1.5, expected a number greater than 0 and at most 1',
    'q.toml:5:1: [[criterion]] 1: unknown key "wieght"',
    'q.toml:2:1: [judge]: "model" is for agent judges, and "anthropic/claude-opus-5-5" is a model',
    "reward.toml:1:1: [[reward]] 1: has no name",
    'reward.toml:2:1: [[reward]] 1: unknown key "nmae"',
    'reward.toml:5:1: [[reward]] 2: "threshold" is NaN, expected a finite number',
    "two/reward.toml:1:5: is not TOML: invalid value",
  ]);
});

Deno.test("readSuite() reads TOML with a byte order mark, and refuses what is not UTF-8", async () => {
  const suite = await read({ "q.toml": '\ufeff[[criterion]]\ndescription = "d"\n' });
  assert.equal(suite.judges.length, 1);
  await withFolder({}, async (folder) => {
    await Deno.writeFile(join(folder, "q.toml"), new Uint8Array([0xff, 0x3d]));
    await assert.rejects(readSuite(folder), /q\.toml: is not UTF-8/);
  });
});

Deno.test("readSuite() warns of a TOML that looks like a misspelt judge or reward.toml", async () => {
  const suite = await read({
    "q.toml": '[[Criterion]]\ndescription = "d"\n',
    "r.toml": "[jugde]\nx = 1\n",
    "Reward.toml": "",
  });
  assert.deepEqual(suite.ignored, ["Reward.toml", "q.toml", "r.toml"]);
  assert.deepEqual(
    suite.warnings.map(({ file, message }) => `${file.replace(/.*\//, "")}: ${message}`),
    [
      'Reward.toml: is ignored: it has "Reward.toml" where "reward.toml" may be meant',
      'q.toml: is ignored: it has "Criterion" where "criterion" may be meant',
      'r.toml: is ignored: it has "jugde" where "judge" may be meant',
    ],
  );
});

Deno.test("readSuite() warns of numbers that an aggregation ignores", async () => {
  const suite = await read({
    "reward.toml": "[scoring.a]\nthreshold = 0.5\npass = 1.0\n",
  });
  assert.equal(suite.warnings.length, 2);
  assert.match(suite.warnings[0]!.message, /"threshold" has no effect with weighted-mean/);
  assert.match(suite.warnings[1]!.message, /"pass" has no effect with weighted-mean/);
});

Deno.test("readSuite() follows links to files, but not to folders", async () => {
  await withFolder({ "real/a.ts": "", "lib/x.ts": "" }, async (folder) => {
    const tests = join(folder, "real");
    await Deno.symlink("a.ts", join(tests, "b.ts"));
    await Deno.symlink("../lib", join(tests, "lib"));
    await Deno.symlink(".", join(tests, "loop"));
    const suite = await readSuite(tests);
    assert.deepEqual(suite.checkFiles.map(({ id }) => id), ["a.ts", "b.ts"]);
    assert.equal(suite.warnings.length, 2);
    assert.match(suite.warnings[0]!.file, /lib$/);
    assert.match(suite.warnings[0]!.message, /is a link to a folder and is not followed/);

    await Deno.symlink("gone.ts", join(tests, "c.ts"));
    await Deno.symlink("gone.txt", join(tests, "c.txt"));
    await new Deno.Command("mkfifo", { args: [join(tests, "d.toml")] }).output();
    await assert.rejects(readSuite(tests), (error) => {
      assert.ok(error instanceof DiscoveryError);
      assert.equal(error.problems.length, 2);
      assert.match(error.problems[0]!.message, /c\.ts: is a link that leads nowhere/);
      assert.match(error.problems[1]!.message, /d\.toml: is not a regular file/);
      return true;
    });
  });
});

Deno.test("readSuite() takes a link as tests folder and resolves it", async () => {
  await withFolder({ "real/a.ts": "" }, async (folder) => {
    await Deno.symlink("real", join(folder, "tests"));
    const suite = await readSuite(join(folder, "tests"));
    assert.equal(suite.testsDir, await Deno.realPath(join(folder, "real")));
    assert.equal(suite.checkFiles[0]!.shown, join(folder, "tests/a.ts"));
    assert.equal(suite.checkFiles[0]!.path, join(suite.testsDir, "a.ts"));
  });
});

Deno.test("readSuite() refuses a tests folder that is missing or a file", async () => {
  await withFolder({ "a.ts": "" }, async (folder) => {
    await assert.rejects(readSuite(join(folder, "gone")), UsageError);
    await assert.rejects(readSuite(join(folder, "a.ts")), /is a file, not a folder/);
  });
});
