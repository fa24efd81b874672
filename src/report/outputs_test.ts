import assert from "node:assert/strict";
import { UsageError } from "../errors.ts";
import { type RunOptions, settingsFrom } from "../settings.ts";
import { Outputs } from "./outputs.ts";

const RUN = {
  rewards: { reward: 1 },
  details: { reward: { score: 1, kind: "programmatic" as const, criteria: [] } },
  errors: [],
  workspace: "/app",
  testsDirs: ["tests"],
  names: ["tests"],
  startedAt: new Date(0),
};

async function withFolder(
  work: (folder: string, open: (options: RunOptions) => Promise<Outputs>) => Promise<void>,
): Promise<void> {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "rewardkit-test-" }));
  const open = (options: RunOptions) =>
    Outputs.open(settingsFrom({ output: `${folder}/reward.json`, ...options }));
  try {
    await work(folder, open);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const namesIn = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

const ALL = ["junit.xml", "report.html", "reward-details.json", "reward.json"];

Deno.test("what an earlier run has written goes before this one, and is written again", async () => {
  await withFolder(async (folder, open) => {
    const asked = { report: `${folder}/report.html`, junit: `${folder}/junit.xml` };
    await (await open(asked)).write(RUN);
    assert.deepEqual(namesIn(folder), ALL);
    const again = await open(asked);
    assert.deepEqual(namesIn(folder), [], "a run that comes to nothing leaves no old result");
    await again.write(RUN);
    assert.deepEqual(namesIn(folder), ALL);
  });
});

Deno.test("nothing that no run has written is lost to a report or a JUnit file", async () => {
  await withFolder(async (folder, open) => {
    const kept: [string, string][] = [
      ["checks.ts", 'import * as rk from "@rewardkit/cli";'],
      ["page.html", '<!doctype html>\n<meta name="generator" content="Other">'],
      ["other.xml", '<?xml version="1.0"?>\n<testsuites name="pytest tests">'],
      ["reward-kit.txt", "Reward Kit"],
    ];
    for (const [name, text] of kept) {
      const path = `${folder}/${name}`;
      Deno.writeTextFileSync(path, text);
      for (const options of [{ report: path }, { junit: path }]) {
        await assert.rejects(open(options), (error: UsageError) => {
          assert.ok(error instanceof UsageError);
          assert.match(
            error.message,
            /^Cannot write .*: it exists and is no (report|JUnit file) of/,
          );
          assert.match(error.hint!, /another place with --(report|junit)/);
          return true;
        });
        assert.equal(Deno.readTextFileSync(path), text);
      }
    }
    Deno.mkdirSync(`${folder}/sub`);
    await assert.rejects(open({ junit: `${folder}/sub` }), /a folder is there/);
    // An empty file holds nothing that could be lost: `mktemp` makes such.
    Deno.writeTextFileSync(`${folder}/made`, "");
    await open({ junit: `${folder}/made` });
  });
});

Deno.test("devices stay, whatever names them", async () => {
  for (const path of ["/dev/stdout", "/dev/null", "/dev/fd/1"]) {
    for (const options of [{ output: path }, { output: null, report: path }]) {
      await assert.rejects(
        Outputs.open(settingsFrom(options)),
        /^UsageError: Cannot write \/dev\//,
      );
    }
  }
  assert.ok(Deno.lstatSync("/dev/stdout").isSymlink && Deno.lstatSync("/dev/null").isCharDevice);
});

Deno.test("no two of the files are one, also over links", async () => {
  await withFolder(async (folder, open) => {
    Deno.symlinkSync(".", `${folder}/here`);
    const [report, junit] = [`${folder}/r`, `${folder}/here/r`];
    for (
      const [options, other] of [
        [{ junit: `${folder}/reward.json` }, "--output"],
        [{ junit: `${folder}/here/reward-details.json` }, "--output"],
        [{ report: `${folder}/reward-details.json` }, "--output"],
        [{ report: `${folder}/here/here/reward.json` }, "--output"],
        [{ report, junit }, "--report"],
      ] as const
    ) {
      await assert.rejects(open(options), new RegExp(`a file of ${other} goes there`));
    }
    assert.deepEqual(namesIn(folder), ["here"]);
  });
});

Deno.test("what has been planted at their places while grading is replaced, or goes", async () => {
  await withFolder(async (folder, open) => {
    const asked = { report: `${folder}/report.html`, junit: `${folder}/junit.xml` };
    const plant = () => {
      Deno.mkdirSync(`${folder}/junit.xml/deep`, { recursive: true });
      Deno.symlinkSync("/etc", `${folder}/report.html`);
      Deno.writeTextFileSync(`${folder}/reward.json`, '{"reward": 1}');
    };
    const outputs = await open(asked);
    plant();
    await outputs.write(RUN);
    assert.deepEqual(namesIn(folder), ALL);
    assert.match(Deno.readTextFileSync(`${folder}/junit.xml`), /^<\?xml/);
    const refused = await open(asked);
    plant();
    refused.discard();
    assert.deepEqual(namesIn(folder), []);
    assert.ok(Deno.statSync("/etc").isDirectory);
  });
});
