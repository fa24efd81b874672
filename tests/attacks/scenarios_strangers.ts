// One stranger against another: their oracles, their scores, the run that they share.

import assert from "node:assert/strict";
import type { Files, Scenario } from "./scenario.ts";

/** Somebody else's check, with an oracle. */
const VICTIM: Files = {
  "victim/victim.ts": `
    const path = new URL("./oracle.txt", import.meta.url).pathname;
    rk.filesEqual("answer.txt", path, { name: "victim" });
    rk.criterion(async function victimsOwn(workspace) {
      return await workspace.readText("answer.txt") === await Deno.readTextFile(path);
    });`,
  "victim/oracle.txt": "ORACLE\n",
  "victim/oracle.json": '{"oracle": "ORACLE"}\n',
  "victim/lib.ts": "export const least = 1;",
};
const UNHARMED = { victim: 0, victimsOwn: 0 };
const WORKSPACE: Files = { "answer.txt": "wrong\n" };

const OTHERS = "other people's oracles and scores";

/** Gets 1 for a score if it works. */
function stranger(name: string, text: string, rest: Partial<Scenario>): Scenario {
  return {
    name,
    protects: OTHERS,
    tests: { ...VICTIM, "evil/evil.ts": text },
    workspace: WORKSPACE,
    ends: { untrusted: { values: { ...UNHARMED, evil: 0 } } },
    ...rest,
  };
}

/** A criterion `evil` that scores 1 if the statements return, and 0 with the reason if they throw. */
const tries = (body: string, options = "") => `
  rk.criterion({ name: "evil", ${options} }, async function (workspace) {
    try { ${body} return 1; } catch (error) { return { score: 0, reasoning: String(error) }; }
  });`;

/** Reward Kit's own list of criteria, which a stranger can get hold of. */
const REGISTRY = new URL("../../src/criterion/registry.ts", import.meta.url).href;
const forged = (registration: string) => `
  const { register } = await import(${JSON.stringify(REGISTRY)});
  register({ kind: "builtin", args: [], needs: [], description: "", options: { name: "evil" },
    ${registration} });`;

const READS_VICTIM = 'criterion: "file_contains", args: ["$TESTS/victim/oracle.txt", "ORACLE"],';

/** So many files that built-ins of several share a Worker. */
const CROWD: Files = Object.fromEntries(
  Array.from({ length: 9 }, (_, at) => [`crowd${at}/check.ts`, 'rk.fileExists("answer.txt");']),
);

const links = (script: string) => `cd tests/evil && ${script}`;

const readsLink = (path: string) =>
  tries(`const text = await Deno.readTextFile(new URL("${path}", import.meta.url));
    if (!/SECRET|ORACLE/.test(text)) throw new Error("something else");`);

export const strangers: readonly Scenario[] = [
  stranger(
    "JSON of another folder, as a module",
    tries(
      'await import("../victim/oracle.json", { with: { type: "json" } });',
    ),
    {},
  ),
  stranger(
    "a text of another folder, as a module",
    tries(
      'await import("../victim/oracle.txt", { with: { type: "text" } });',
    ),
    {},
  ),
  stranger(
    "code of another folder, imported",
    `import { least } from "../victim/lib.ts";
    ${tries("if (least !== 1) throw new Error();")}`,
    {
      ends: {
        untrusted: {
          values: { ...UNHARMED, evil: 1 },
          accepted: "modules of the tests folder are shared on purpose",
        },
      },
    },
  ),
  stranger(
    "the source of an imported module, once criteria run",
    `import "../victim/lib.ts";
    ${tries('await Deno.readTextFile(new URL("../victim/lib.ts", import.meta.url));')}`,
    {},
  ),
  stranger("a built-in that reads more than it says", forged(READS_VICTIM), {
    ends: { untrusted: { code: 1, values: { ...UNHARMED, evil: /needs read access/ } } },
  }),
  stranger("a built-in that reads more than it says, among many files", forged(READS_VICTIM), {
    tests: { ...VICTIM, ...CROWD, "evil/evil.ts": forged(READS_VICTIM) },
    ends: { untrusted: { code: 1, values: { ...UNHARMED, evil: /needs read access/ } } },
  }),
  stranger(
    "a built-in with a need of its own making",
    forged('criterion: "file_exists", needs: [{ read: "/etc" }],'),
    { ends: { untrusted: { code: 2, says: /"evil" asks for more .*: read: \/etc/ } } },
  ),
  stranger(
    "a built-in with a command of its own making",
    forged('criterion: "file_exists", command: { command: "id", timeoutSec: 5 },'),
    { ends: { untrusted: { code: 2, says: /"evil" asks for more .*: run: sh/ } } },
  ),
  ...["../../cli", "constructor_x", "file___proto__", "file_toString"].map((criterion) =>
    stranger(
      `a built-in that there is not: ${criterion}`,
      forged(`criterion: ${JSON.stringify(criterion)},`),
      { ends: { untrusted: { code: 1, values: { ...UNHARMED, evil: /./ } } } },
    )
  ),
  stranger(
    "a declaration with a broken number",
    forged('criterion: "file_exists", options: { weight: { valueOf: () => 1e9 } },'),
    { ends: { untrusted: { code: 1, values: { ...UNHARMED, evil: /weight must be/ } } } },
  ),
  stranger(
    "other criteria when it is loaded again",
    `const isRun = (await Deno.permissions.query({ name: "read", path: "$WORKSPACE" })).state ===
      "granted";
    rk.criterion({ name: isRun ? "second" : "first" }, function () { return 1; });`,
    {
      ends: { untrusted: { code: 1, values: { ...UNHARMED, first: /declared other criteria/ } } },
    },
  ),
  stranger(
    "more permissions when it is loaded again",
    `const isRun = (await Deno.permissions.query({ name: "read", path: "$WORKSPACE" })).state ===
      "granted";
    rk.criterion({ name: "evil", ...(isRun ? { read: ["/"], write: ["/"], run: true } : {}) },
      async function () {
        try { await Deno.readTextFile("/etc/hostname"); return 1; } catch { return 0; }
      });`,
    {},
  ),
  stranger(
    "a built-in that hangs where those of others run",
    'rk.fileContainsRegex("long.txt", /(a+)+$/, { name: "evil" });',
    {
      workspace: { ...WORKSPACE, "long.txt": `${"a".repeat(60)}b` },
      flags: ["--criterion-timeout", "2"],
    },
  ),
  stranger(
    "a criterion of another's name",
    'rk.criterion({ name: "victim" }, function () { return 1; });',
    {
      ends: {
        untrusted: {
          holds: ({ reward }) => {
            assert.deepEqual(reward, { innocent: 1, victim: 0, evil: 1 });
          },
        },
      },
    },
  ),
  stranger("a link out of the tests folder", readsLink("./link"), {
    setup: links("ln -s $OUTSIDE/secret.txt link"),
    ends: {
      untrusted: { code: 2, says: /evil\/link is a link that leads out/, hides: /SECRET/ },
      deno: { code: 2, says: /evil\/link is a link that leads out/, hides: /SECRET/ },
    },
  }),
  stranger("a check file that is a link out", readsLink("./x"), {
    setup: links("ln -s $OUTSIDE/secret.txt more.ts"),
    ends: { untrusted: { code: 2, says: /more\.ts is a link that leads out/, hides: /SECRET/ } },
  }),
  stranger("a folder that is a link out", readsLink("./x"), {
    setup: links("ln -s $OUTSIDE folder"),
    ends: { untrusted: { code: 2, says: /folder is a link that leads out/, hides: /SECRET/ } },
  }),
  ...[".git", "node_modules"].map((folder) =>
    stranger(`a link out, in ${folder}`, readsLink(`./${folder}/link`), {
      setup: links(`mkdir ${folder} && ln -s $OUTSIDE/secret.txt ${folder}/link`),
      ends: {
        untrusted: { values: { ...UNHARMED, evil: 0 } },
        deno: { code: 2, says: /is a link that leads out/ },
      },
    })
  ),
  stranger("a link to another's oracle", readsLink("./link"), {
    setup: links("ln -s ../victim/oracle.txt link"),
    ends: {
      untrusted: { values: { ...UNHARMED, evil: 0 } },
      deno: { code: 2, says: /link is a link that leads out of the folder it lies in/ },
    },
  }),
  stranger("a link in the workspace", tries("await Deno.readTextFile(`${workspace}/link`);"), {
    setup: "ln -s $TESTS/victim/oracle.txt workspace/link",
    ends: {
      untrusted: { values: { ...UNHARMED, evil: 0 } },
      deno: {
        values: { ...UNHARMED, evil: 1 },
        accepted: "Deno follows links; --sandbox=deno accepts that",
      },
    },
  }),
  stranger("a hard link", readsLink("./link"), {
    setup: links("ln $OUTSIDE/secret.txt link"),
    ends: {
      untrusted: {
        values: { ...UNHARMED, evil: 1 },
        accepted: "it cannot be told from a file; who makes one may read it anyway",
      },
    },
  }),
  ...["read", "env", "net", "run"].map((kind): Scenario =>
    stranger(
      `so many things to ${kind} that no process can be started`,
      `rk.criterion({ name: "evil",
        ${kind}: Array.from({ length: 20_000 }, (_, at) => "some/long/path" + at) },
        function () { return 1; });`,
      {
        // What lies in the workspace needs no flag.
        grants: kind === "read" ? [] : [`--allow-${kind}`],
        ends: { untrusted: { code: 1, values: { ...UNHARMED, evil: /./ } } },
      },
    )
  ),
  ...["", "A=B"].map((name): Scenario =>
    stranger(
      `a variable that cannot be: "${name}"`,
      `rk.criterion({ name: "evil", env: ["${name}"] }, function () { return 1; });`,
      {
        grants: ["--allow-env"],
        ends: { untrusted: { code: 1, values: { ...UNHARMED, evil: /./ } } },
      },
    )
  ),
  ...['net: ["no host!!"]', 'run: [""]'].map((option): Scenario =>
    stranger(
      `what Deno refuses to be started with: ${option}`,
      `rk.criterion({ name: "evil", ${option} }, function () { return 1; });`,
      {
        grants: ["--allow-net", "--allow-run"],
        ends: { untrusted: { code: 1, values: { ...UNHARMED, evil: /./ } } },
      },
    )
  ),
];
