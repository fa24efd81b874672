import assert from "node:assert/strict";
import { UsageError } from "../errors.ts";
import { prepareOutput, type RewardFiles, rewardFiles, writeRewardFiles } from "./reward_files.ts";

async function withFolder(work: (folder: string, files: RewardFiles) => void | Promise<void>) {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "rewardkit-test-" }));
  try {
    await work(folder, rewardFiles(`${folder}/reward.json`));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const namesIn = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

function refuses(files: RewardFiles, message: RegExp): void {
  assert.throws(() => prepareOutput(files), (error: Error) => {
    assert.match(error.message, message);
    return error instanceof UsageError;
  });
}

Deno.test("the details go beside the reward, and never into the same file", () => {
  assert.throws(() => rewardFiles("/out/reward-details.json"), UsageError);
  assert.throws(() => rewardFiles("/out/x/../reward-details.json"), UsageError);
  const paths = (output: string) => Object.values(rewardFiles(output)).map(({ path }) => path);
  assert.deepEqual(paths("/out/reward.json"), ["/out/reward.json", "/out/reward-details.json"]);
  assert.deepEqual(paths("/r.json"), ["/r.json", "/reward-details.json"]);
  const here = Deno.cwd();
  assert.deepEqual(paths("out/r.json"), [`${here}/out/r.json`, `${here}/out/reward-details.json`]);
});

Deno.test("a folder that cannot be written to is refused before anything runs", async () => {
  await withFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/file`, "kept");
    refuses(
      rewardFiles(`${folder}/file/below/reward.json`),
      /^Cannot write .*\/file\/below\/reward\.json: /,
    );
    refuses(rewardFiles(`${folder}/file/reward.json`), /^Cannot write .*\/file\/reward\.json: /);
    assert.equal(Deno.readTextFileSync(`${folder}/file`), "kept");
  });
});

Deno.test("what cannot have been a reward is refused and kept", async () => {
  const kept: [string, string][] = [
    ["text", "my thesis"],
    ["list", "[1]"],
    ["null", "null"],
    ["words", '{"reward": "1"}'],
    ["number", "1"],
  ];
  await withFolder((folder) => {
    for (const [name, text] of kept) {
      Deno.writeTextFileSync(`${folder}/${name}`, text);
      refuses(rewardFiles(`${folder}/${name}`), /^Cannot write .*: it exists and is no reward$/);
      assert.equal(Deno.readTextFileSync(`${folder}/${name}`), text);
    }
    // Not read to find out: it might have any size.
    Deno.writeTextFileSync(`${folder}/huge`, '{"reward": 1}'.padEnd(2 ** 21));
    refuses(rewardFiles(`${folder}/huge`), /it exists and is no reward/);
    for (const name of ["reward.json", "reward-details.json"]) {
      Deno.mkdirSync(`${folder}/${name}`);
      refuses(rewardFiles(`${folder}/reward.json`), /: a folder is there$/);
      assert.equal(Deno.statSync(`${folder}/${name}`).isDirectory, true);
      Deno.removeSync(`${folder}/${name}`);
    }
  });
});

Deno.test("a clean folder is made ready without a word or a trace", async () => {
  await withFolder((folder) => {
    assert.deepEqual(prepareOutput(rewardFiles(`${folder}/new/deep/reward.json`)), []);
    assert.deepEqual(namesIn(`${folder}/new/deep`), []);
  });
});

Deno.test("a reward that lies there already is removed and named, whatever it is", async () => {
  await withFolder((folder, files) => {
    const removed = (path: string) =>
      `removed ${path}: it was there before this run and is not its result`;
    Deno.writeTextFileSync(files.reward.path, "not even JSON");
    Deno.writeTextFileSync(files.details.path, '{"reward": {}}');
    assert.deepEqual(prepareOutput(files), [
      removed(files.reward.path),
      removed(files.details.path),
    ]);
    assert.deepEqual(namesIn(folder), []);

    const custom = rewardFiles(`${folder}/score.json`);
    for (const text of ['{"reward": 1}', "{}"]) {
      Deno.writeTextFileSync(custom.reward.path, text);
      assert.deepEqual(prepareOutput(custom), [removed(custom.reward.path)]);
    }
    assert.deepEqual(namesIn(folder), []);
  });
});

Deno.test("a reward.txt is named and kept", async () => {
  await withFolder((folder, files) => {
    Deno.writeTextFileSync(`${folder}/reward.txt`, "1.0");
    assert.deepEqual(prepareOutput(files), [
      `${folder}/reward.txt was there before this run and is not its result`,
    ]);
    assert.equal(Deno.readTextFileSync(`${folder}/reward.txt`), "1.0");
  });
});

Deno.test("a link at the place is removed or replaced, and what it leads to is untouched", async () => {
  await withFolder(async (folder, files) => {
    Deno.writeTextFileSync(`${folder}/victim`, "precious");
    const link = () => {
      for (const path of [files.reward.path, files.details.path]) Deno.symlinkSync("victim", path);
    };
    link();
    assert.equal(prepareOutput(files).length, 2);
    assert.deepEqual(namesIn(folder), ["victim"]);
    link();
    await writeRewardFiles(files, { reward: 1 }, {});
    assert.equal(Deno.lstatSync(files.reward.path).isSymlink, false);
    assert.equal(Deno.lstatSync(files.details.path).isSymlink, false);
    assert.equal(Deno.readTextFileSync(`${folder}/victim`), "precious");

    Deno.symlinkSync(`${folder}/nowhere`, `${folder}/dangling`);
    assert.equal(prepareOutput(rewardFiles(`${folder}/dangling`)).length, 2);
    assert.deepEqual(namesIn(folder), ["reward.json", "victim"]);
  });
});

Deno.test("both files are written as JSON, whole, and nothing else is left", async () => {
  await withFolder(async (folder, files) => {
    const details = { reward: { score: 0.5, text: "ü\u2028".repeat(300_000) } };
    await writeRewardFiles(files, { reward: 0.5 }, details);
    assert.deepEqual(namesIn(folder), ["reward-details.json", "reward.json"]);
    assert.equal(Deno.readTextFileSync(files.reward.path), '{\n  "reward": 0.5\n}\n');
    assert.deepEqual(JSON.parse(Deno.readTextFileSync(files.details.path)), details);
    assert.equal(Deno.statSync(files.reward.path).mode! & 0o777, 0o644 & ~Deno.umask());
  });
});

Deno.test("without a reward only the details are written, and a planted reward goes", async () => {
  await withFolder(async (folder, files) => {
    Deno.writeTextFileSync(files.reward.path, '{"reward": 1}');
    await writeRewardFiles(files, null, { reward: {} });
    assert.deepEqual(namesIn(folder), ["reward-details.json"]);
  });
});

Deno.test("what has been planted since is replaced, folders as well", async () => {
  await withFolder(async (folder, files) => {
    Deno.mkdirSync(`${files.reward.path}/deep`, { recursive: true });
    Deno.symlinkSync("/etc", files.details.path);
    await writeRewardFiles(files, null, {});
    assert.deepEqual(namesIn(folder), ["reward-details.json"]);
    assert.equal(Deno.statSync("/etc").isDirectory, true);
  });
});

Deno.test("a folder that went away while grading is a UsageError, and leaves no reward", async () => {
  await withFolder(async (folder) => {
    const files = rewardFiles(`${folder}/out/reward.json`);
    prepareOutput(files);
    Deno.removeSync(`${folder}/out`);
    await assert.rejects(writeRewardFiles(files, { reward: 1 }, {}), (error: Error) => {
      assert.match(error.message, /^Cannot write .*reward-details\.json: /);
      return error instanceof UsageError;
    });
    assert.deepEqual(namesIn(folder), []);
  });
});

Deno.test("the details come first: if they cannot be written there is no reward", async () => {
  await withFolder(async (folder, files) => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    await assert.rejects(writeRewardFiles(files, { reward: 1 }, cyclic), UsageError);
    assert.deepEqual(namesIn(folder), []);
  });
});

Deno.test("a file is complete before it gets its name, the details before the reward", async () => {
  await withFolder(async (folder, files) => {
    const rename = Deno.rename;
    const renamed: [unknown, unknown][] = [];
    const before: string[][] = [];
    Deno.rename = (from, to) => {
      renamed.push([to, JSON.parse(Deno.readTextFileSync(from))]);
      before.push(namesIn(folder).filter((name) => !name.startsWith(".")));
      return rename(from, to);
    };
    try {
      await writeRewardFiles(files, { reward: 1 }, { reward: {} });
    } finally {
      Deno.rename = rename;
    }
    assert.deepEqual(renamed, [[files.details.path, { reward: {} }], [files.reward.path, {
      reward: 1,
    }]]);
    assert.deepEqual(before, [[], ["reward-details.json"]]);
  });
});
