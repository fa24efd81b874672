// What a custom criterion may do: `workspace.*`, and each declared permission with its refusal.

import assert from "node:assert/strict";
import { type CliOptions, type CliRun, folder, rewardkit } from "./cli.ts";

/** Grades with check files whose text stands after an import of Reward Kit as `rk`. */
async function grade(
  tests: Record<string, string>,
  { workspace = {}, ...options }: CliOptions & { workspace?: Record<string, string> } = {},
): Promise<CliRun> {
  const files = { "workspace/a.txt": "one\n", "workspace/b.txt": "two\n" };
  for (const [name, text] of Object.entries(tests)) {
    Object.assign(files, {
      [`tests/${name}`]: `import * as rk from "@rewardkit/cli";\n${text}\n`,
    });
  }
  for (const [name, text] of Object.entries(workspace)) {
    Object.assign(files, { [`workspace/${name}`]: text });
  }
  await using suite = await folder(files);
  return await rewardkit(
    [`${suite.path}/tests`, "--workspace", `${suite.path}/workspace`],
    options,
  );
}

/** Each criterion of a run by its name, of all check files. */
function criteriaOf({ details }: CliRun): Record<string, { value: number; error?: string }> {
  const nodes = details!.reward.components
    // deno-lint-ignore no-explicit-any
    ? details!.reward.components.map(({ detail }: any) => detail)
    : [details!.reward];
  return Object.fromEntries(
    // deno-lint-ignore no-explicit-any
    nodes.flatMap(({ criteria }: any) => criteria.map((found: any) => [found.name, found])),
  );
}

/** By kind: what to declare, what needs it, and how the refusal and its hint read. */
const PAIRS: Record<
  string,
  { declared: string; body: string; refused?: string; error: RegExp; hint: RegExp }
> = {
  readText: {
    declared: 'read: ["b.txt"]',
    refused: 'read: ["a.txt"]',
    body: 'return await workspace.readText("b.txt") === "two\\n";',
    error: /needs read access to "\S+\/workspace\/b\.txt", which it does not declare/,
    hint: /Declare it: criterion\(\{ read: \["\S+\/workspace\/b\.txt"\] \}, …\)/,
  },
  exists: {
    declared: 'read: ["b.txt"]',
    refused: "read: []",
    body: 'return await workspace.exists("b.txt");',
    error: /needs read access to "\S+\/workspace\/b\.txt", which it does not declare/,
    hint: /Declare it: criterion\(\{ read: \[/,
  },
  readOutside: {
    declared: 'read: ["/etc/hostname", "/etc/passwd"]',
    body: 'return Deno.readTextFileSync("/etc/passwd").includes("root");',
    error: /needs read access to "\/etc\/passwd", which it does not declare/,
    hint: /Declare it: criterion\(\{ read: \["\/etc\/passwd"\] \}, …\)/,
  },
  write: {
    declared: 'write: ["out"]',
    body: "Deno.mkdirSync(`${workspace}/out`);\n" +
      "  Deno.writeTextFileSync(`${workspace}/out/x.txt`, 'x');\n" +
      '  return await workspace.readText("out/x.txt") === "x";',
    error: /needs write access to "\S+\/workspace\/out", which it does not declare/,
    hint: /Declare it: criterion\(\{ write: \["\S+\/workspace\/out"\] \}, …\)/,
  },
  workspaceRun: {
    declared: 'run: ["cat"]',
    refused: 'run: ["sh"]',
    body: 'return (await workspace.run(["cat", "a.txt"])).stdout === "one\\n";',
    error: /workspace\.run\(\) was asked for "cat", which the criterion does not declare/,
    hint: /Declare it: criterion\(\{ run: \["cat"\] \}, …\)/,
  },
  denoCommand: {
    declared: 'run: ["true"]',
    body: 'return (await new Deno.Command("true").output()).success;',
    error: /needs run access to "true", which it does not declare/,
    hint: /Declare it: criterion\(\{ run: \["true"\] \}, …\)/,
  },
  net: {
    declared: "net: [HOST]",
    refused: 'net: ["localhost:1"]',
    body: 'return await (await fetch(`http://${HOST}/`)).text() === "hello";',
    error: /needs net access to "127\.0\.0\.1:\d+", which it does not declare/,
    hint: /Declare it: criterion\(\{ net: \["127\.0\.0\.1:\d+"\] \}, …\)/,
  },
  env: {
    declared: 'env: ["GRADING_LEVEL"]',
    refused: 'env: ["PATH"]',
    body: 'return Deno.env.get("GRADING_LEVEL") === "strict";',
    error: /needs env access to "GRADING_LEVEL", which it does not declare/,
    hint: /Declare it: criterion\(\{ env: \["GRADING_LEVEL"\] \}, …\)/,
  },
};

Deno.test("each permission: what is declared works, what is not is an error that names it", async () => {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response("hello"),
  );
  const checkFile = (name: string, declared: string, body: string) =>
    `const HOST = "127.0.0.1:${server.addr.port}"; void HOST;
rk.criterion({ name: "${name}", ${declared} }, async function (workspace) {
  ${body}
});`;
  try {
    const env = { GRADING_LEVEL: "strict" };
    await using allowed = await grade(
      Object.fromEntries(
        Object.entries(PAIRS).map(([name, { declared, body }]) => [
          `${name}.ts`,
          checkFile(name, declared, body),
        ]),
      ),
      { env },
    );
    assert.equal(allowed.code, 0, allowed.stderr);
    assert.deepEqual(allowed.reward, { reward: 1 });
    assert.deepEqual(Object.keys(criteriaOf(allowed)).sort(), Object.keys(PAIRS).sort());

    await using refused = await grade(
      Object.fromEntries(
        Object.entries(PAIRS).map(([name, { refused = "", body }]) => [
          `${name}.ts`,
          checkFile(name, refused, body),
        ]),
      ),
      { env },
    );
    assert.equal(refused.code, 1);
    assert.equal(refused.reward, null);
    const found = criteriaOf(refused);
    for (const [name, { error, hint }] of Object.entries(PAIRS)) {
      assert.match(found[name]!.error!, error, name);
      const block = refused.stderr.split(/^(?=error: )/m)
        .find((text) => text.includes(`${name}.ts: ${name}: `));
      assert.match(block!, new RegExp(`\nhint: ${hint.source}`), name);
    }
  } finally {
    await server.shutdown();
  }
});

Deno.test("without declarations a criterion reads the workspace and the tests folder only", async () => {
  await using run = await grade({
    "checks.ts": `
rk.criterion(async function reads(workspace) {
  const own = Deno.readTextFileSync(new URL(import.meta.url)).includes("@rewardkit/cli");
  return own && (await workspace.list()).join() === "a.txt,b.txt";
});
rk.criterion(function elsewhere() { return Deno.readTextFileSync("/etc/passwd") !== ""; });
rk.criterion(function environment() { return Deno.env.get("HOME") !== undefined; });`,
  });
  const found = criteriaOf(run);
  assert.equal(found.reads!.value, 1, run.stderr);
  assert.match(found.elsewhere!.error!, /needs read access to "\/etc\/passwd"/);
  assert.match(found.environment!.error!, /needs env access to "HOME"/);
});

Deno.test("workspace reads text, bytes, JSON, lists folders and is its path", async () => {
  const workspace = {
    "windows.txt": "\ufefféin\r\nzwei\r",
    "data.json": '\ufeff{"items": [1, 2.5, null]}',
    "sub/b.txt": "b",
    "sub/a.txt": "a",
    "sub/.hidden": "",
  };
  await using run = await grade({
    "checks.ts": `
rk.criterion(async function text(workspace) {
  return await workspace.readText("windows.txt") === "éin\\nzwei\\n";
});
rk.criterion(async function bytes(workspace) {
  const bytes = await workspace.readBytes("windows.txt");
  return bytes.length === 14 && bytes[0] === 0xef;
});
rk.criterion(async function json(workspace) {
  return JSON.stringify(await workspace.readJson("data.json")) === '{"items":[1,2.5,null]}';
});
rk.criterion(async function exists(workspace) {
  return await workspace.exists("sub") && await workspace.exists("sub/a.txt") &&
    !await workspace.exists("nothing") && !await workspace.exists("a.txt/x");
});
rk.criterion(async function list(workspace) {
  return (await workspace.list("sub")).join() === ".hidden,a.txt,b.txt";
});
rk.criterion(async function path(workspace) {
  return \`\${workspace}/sub\` === workspace.path + "/sub" && workspace.path.startsWith("/") &&
    await workspace.readText(\`\${workspace}/sub/a.txt\`) === "a";
});`,
  }, { workspace });
  assert.equal(run.code, 0, run.stderr);
  assert.deepEqual(
    Object.entries(criteriaOf(run)).map(([name, { value }]) => [name, value]),
    ["text", "bytes", "json", "exists", "list", "path"].map((name) => [name, 1]),
  );
});

Deno.test("what is missing or unusable in the workspace scores 0 with a warning, unless caught", async () => {
  await using run = await grade({
    "checks.ts": `
rk.commandSucceeds("printf '\\\\377' > notUtf8.txt; mkfifo pipe; ln -s /etc/passwd link", { name: "set up" });
rk.criterion(async function missing(workspace) { return await workspace.readText("c.txt") !== ""; });
rk.criterion(async function bytes(workspace) { return (await workspace.readBytes("c")).length > 0; });
rk.criterion(async function noJson(workspace) { return await workspace.readJson("a.txt") !== null; });
rk.criterion(async function folder(workspace) { return await workspace.readText(".") !== ""; });
rk.criterion(async function noFolder(workspace) { return (await workspace.list("c")).length > 0; });
rk.criterion(async function notUtf8(workspace) { return await workspace.readText("notUtf8.txt") !== ""; });
rk.criterion(async function fifo(workspace) { return await workspace.readText("pipe") !== ""; });
rk.criterion(async function link(workspace) { return await workspace.readText("link") !== ""; });
rk.criterion(async function caught(workspace) {
  try {
    return await workspace.readText("c.txt") !== "";
  } catch (error) {
    return error instanceof rk.SubmissionError ? 0.25 : 0;
  }
});`,
  });
  assert.equal(run.code, 0, run.stderr);
  const { "set up": setUp, caught, ...failed } = criteriaOf(run);
  assert.equal(setUp!.value, 1);
  assert.equal(caught!.value, 0.25);
  const warnings: Record<string, RegExp> = {
    missing: /"c\.txt" does not exist/,
    bytes: /"c" does not exist/,
    noJson: /"a\.txt" is not JSON: /,
    folder: /"\." is a folder, not a regular file/,
    noFolder: /"c" does not exist/,
    notUtf8: /"notUtf8\.txt" is not UTF-8: bad byte at offset 0/,
    fifo: /"pipe" is a FIFO, not a regular file/,
    link: /"link" leaves the workspace through a link/,
  };
  assert.deepEqual(Object.keys(failed), Object.keys(warnings));
  const given: string[] = run.details!.reward.warnings;
  assert.equal(given.length, Object.keys(warnings).length);
  for (const [name, warning] of Object.entries(warnings)) {
    assert.equal(failed[name]!.value, 0, name);
    assert.match(given.find((text) => text.startsWith(`${name}: `))!, warning);
  }
});

Deno.test("workspace.run() gives exit code and output, and takes cwd, stdin and timeout", async () => {
  await using run = await grade({
    "checks.ts": `
const does = rk.criterion(
  { run: ["sh", "cat", "pwd", "sleep", "no-such-program"] },
  async function does(workspace, what: string) {
    switch (what) {
      case "code and output": {
        const { code, stdout, stderr, timedOut } =
          await workspace.run(["sh", "-c", "echo out; echo err >&2; exit 3"]);
        return code === 3 && stdout === "out\\n" && stderr === "err\\n" && !timedOut;
      }
      case "no shell":
        return (await workspace.run(["cat", "a.txt", "$HOME"])).stdout === "one\\n";
      case "empty stdin":
        return (await workspace.run(["cat"])).stdout === "";
      case "text on stdin":
        return (await workspace.run(["cat"], { stdin: "héllo" })).stdout === "héllo";
      case "bytes on stdin":
        return (await workspace.run(["cat"], { stdin: new Uint8Array([104, 105]) })).stdout === "hi";
      case "cwd":
        return (await workspace.run(["pwd"], { cwd: "sub" })).stdout === \`\${workspace}/sub\\n\`;
      case "workspace as cwd":
        return (await workspace.run(["pwd"])).stdout === \`\${workspace}\\n\`;
      case "timeout": {
        const start = performance.now();
        const { timedOut, code } = await workspace.run(["sleep", "20"], { timeout: 0.3 });
        return timedOut && code !== 0 && performance.now() - start < 10_000;
      }
      case "several at once": {
        const texts = ["a", "b", "c"];
        const runs = texts.map((stdin) => workspace.run(["cat"], { stdin }));
        return (await Promise.all(runs)).map(({ stdout }) => stdout).join("") === "abc";
      }
      default:
        return false;
    }
  },
);
for (
  const what of [
    "code and output", "no shell", "empty stdin", "text on stdin", "bytes on stdin", "cwd",
    "workspace as cwd", "timeout", "several at once",
  ]
) does(what);
rk.criterion({ run: true }, async function absent(workspace) {
  return (await workspace.run(["no-such-program"])).code === 127;
});
rk.criterion({ run: ["cat"] }, async function empty(workspace) {
  return (await workspace.run([])).code === 0;
});`,
  }, { workspace: { "sub/x.txt": "" } });
  const { absent, empty, ...done } = criteriaOf(run);
  for (const [name, { value, error }] of Object.entries(done)) {
    assert.equal(value, 1, `${name}: ${error}`);
  }
  assert.equal(Object.keys(done).length, 9);
  assert.match(empty!.error!, /workspace\.run\(\) got no program/);
  assert.match(absent!.error!, /program "no-such-program" does not exist/);
});
