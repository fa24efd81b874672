// What runs side by side and what waits: order inside a file, limits across files, views.

import assert from "node:assert/strict";
import { folder, rewardkit } from "./cli.ts";

const IMPORT = `import * as rk from "@rewardkit/cli";`;

async function grade(
  tests: Record<string, string>,
  workspace: Record<string, string> = { "a.txt": "a" },
  flags: string[] = [],
) {
  const testsFolder = await folder(tests);
  const workspaceFolder = await folder(workspace);
  const run = await rewardkit([testsFolder.path, "--workspace", workspaceFolder.path, ...flags]);
  const files = [...Deno.readDirSync(workspaceFolder.path)].map(({ name }) => name).sort();
  const read = (name: string) => Deno.readTextFileSync(`${workspaceFolder.path}/${name}`);
  const log = files.includes("log") ? read("log") : "";
  await Promise.all([testsFolder, workspaceFolder, run].map((it) => it[Symbol.asyncDispose]()));
  return { ...run, files, log };
}

Deno.test("a reader after a writer in one file is right every time", async () => {
  const file = `${IMPORT}
    rk.fileNotExists("made.txt");
    rk.commandSucceeds("sleep 0.05; echo one > made.txt");
    rk.fileMatches("made.txt", "one");
    rk.fileContains("made.txt", "one");
    rk.criterion({ write: ["made.txt"] }, async function overwrites(workspace) {
      await new Promise((done) => setTimeout(done, 30));
      await Deno.writeTextFile(\`\${workspace}/made.txt\`, "two");
      return true;
    });
    rk.fileMatches("made.txt", "two");
    rk.criterion(async function readsTwo(workspace) {
      return await workspace.readText("made.txt") === "two";
    });
    rk.criterion({ run: ["sh"] }, async function runs(workspace) {
      return (await workspace.run(["sh", "-c", "sleep 0.05; echo three > made.txt"])).code === 0;
    });
    rk.fileMatches("made.txt", "three");`;
  for (let round = 0; round < 5; round++) {
    const { reward, stderr } = await grade({ "order.ts": file });
    assert.deepEqual(reward, { reward: 1 }, stderr);
  }
});

Deno.test("writers of one file never overlap, files run side by side", async () => {
  const writer = (name: string) =>
    `rk.commandSucceeds("echo +${name} >> log; sleep 0.2; echo -${name} >> log");`;
  const { log, reward } = await grade({
    "one.ts": `${IMPORT} ${writer("a1")} ${writer("a2")} ${writer("a3")}`,
    "two.ts": `${IMPORT} ${writer("b1")} ${writer("b2")} ${writer("b3")}`,
  });
  assert.deepEqual(reward, { reward: 1 });
  const lines = log.trim().split("\n");
  for (const file of ["a", "b"]) {
    const own = lines.filter((line) => line[1] === file);
    assert.deepEqual(own, [1, 2, 3].flatMap((n) => [`+${file}${n}`, `-${file}${n}`]));
  }
  const depth = lines.map((line) => line[0] === "+" ? 1 : -1)
    .reduce<number[]>((depths, step) => [...depths, (depths.at(-1) ?? 0) + step], []);
  assert.equal(Math.max(...depth), 2);
});

Deno.test("--max-concurrent-programmatic 2 never runs more than two criteria at once", async () => {
  const waits = (name: string) =>
    `rk.criterion({ name: "${name}", run: true, write: true }, async function waits(workspace) {
      await Deno.writeTextFile(\`\${workspace}/log\`, "+", { append: true });
      await new Promise((done) => setTimeout(done, 60));
      await Deno.writeTextFile(\`\${workspace}/log\`, "-", { append: true });
      return true;
    });`;
  const command = `rk.commandSucceeds("printf + >> log; sleep 0.06; printf - >> log");`;
  const tests = Object.fromEntries(
    [1, 2, 3, 4, 5, 6].map((n) => [
      `f${n}.ts`,
      `${IMPORT}\n${waits(`c${n}`)}\n${command}\nrk.fileExists("a.txt");`,
    ]),
  );
  const deepest = (log: string) => {
    let depth = 0;
    return Math.max(...[...log].map((step) => depth += step === "+" ? 1 : -1));
  };
  const two = await grade(tests, { "a.txt": "" }, ["--max-concurrent-programmatic", "2"]);
  assert.equal(two.code, 0, two.stderr);
  assert.equal(two.log.length, 24);
  assert.equal(deepest(two.log), 2);
  const one = await grade(tests, { "a.txt": "" }, ["--mcp=1"]);
  assert.equal(deepest(one.log), 1);
  const unlimited = await grade(tests, { "a.txt": "" }, ["--mcp", "0"]);
  assert.ok(deepest(unlimited.log) > 2);
});

Deno.test("isolated criteria see the workspace at their place and leave it as it was", async () => {
  const { reward, files, details, stderr } = await grade({
    "isolated.ts": `${IMPORT}
      rk.commandSucceeds("echo built > built.txt");
      rk.commandSucceeds("test -f built.txt && test ! -e later.txt && echo x > mess1.txt && rm a.txt", { isolated: true });
      rk.commandSucceeds("test -f a.txt && test ! -e mess1.txt && echo y > built.txt", { isolated: true });
      const writes = rk.criterion({ name: "writes", shared: true }, async function writes(workspace) {
        await Deno.writeTextFile(\`\${workspace}/mess2.txt\`, "z");
        await Deno.remove(\`\${workspace}/a.txt\`);
        return (await workspace.list()).join() === "built.txt,mess2.txt";
      });
      writes({ isolated: true });
      rk.commandSucceeds("echo later > later.txt");
      rk.fileMatches("built.txt", "built");
      rk.fileExists("a.txt");`,
  });
  assert.deepEqual(reward, { reward: 1 }, stderr);
  assert.deepEqual(files, ["a.txt", "built.txt", "later.txt"]);
  assert.match(details!.reward.isolation, /^(overlay|fuse)|^copy$/);
});

Deno.test("isolated criteria do not wait for each other", async () => {
  const start = performance.now();
  const { reward } = await grade({
    "isolated.ts": `${IMPORT}\n${`rk.commandSucceeds("sleep 1", { isolated: true });\n`.repeat(6)}`,
  });
  assert.deepEqual(reward, { reward: 1 });
  assert.ok(performance.now() - start < 5000);
});

Deno.test("what a command leaves running serves later checks and is ended with the run", async () => {
  const mark = `sleep 3${Math.floor(Math.random() * 1e6)}`;
  const { reward, stderr } = await grade({
    "server.ts": `${IMPORT}
      rk.commandSucceeds("${mark} & echo $! > pid");
      rk.commandSucceeds("kill -0 $(cat pid)");
      rk.commandSucceeds("setsid ${mark} >/dev/null 2>&1 &");`,
  });
  assert.deepEqual(reward, { reward: 1 }, stderr);
  const left = await new Deno.Command("pgrep", { args: ["-f", `^${mark}$`] }).output();
  assert.equal(new TextDecoder().decode(left.stdout), "");
});

Deno.test("many files with commands and readers in between all end, two criteria at a time", async () => {
  const tests = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [
      `f${n}.ts`,
      `${IMPORT}
      rk.fileExists("a.txt");
      rk.commandSucceeds("echo ${n} > made${n}.txt");
      rk.fileMatches("made${n}.txt", "${n}");
      rk.commandSucceeds("rm made${n}.txt");
      rk.fileNotExists("made${n}.txt");
      rk.fileExists("absent${n}.txt");`,
    ]),
  );
  const { code, reward, files } = await grade(tests, { "a.txt": "" }, ["--mcp", "2"]);
  assert.equal(code, 0);
  assert.deepEqual(reward, { reward: 0.8333 });
  assert.deepEqual(files, ["a.txt"]);
});
