// Files that the graded work hands in: swapped while they are read, no files at all, or names for
// others. What lies outside is never read, and nothing waits for ever.

import assert from "node:assert/strict";
import type { Ended, Scenario } from "./scenario.ts";

const protects = "files outside of the workspace, and the time of the run";

/**
 * Lets names of the workspace mean one thing after the other, as fast as it can. Each is made anew
 * and renamed into its place, so that there is always something.
 */
const SWAPPER = `
  const makes = {
    file: (path) => Deno.writeTextFileSync(path, "honest\\n"),
    out: (path) => Deno.symlinkSync("$OUTSIDE/secret.txt", path),
    oracle: (path) => Deno.symlinkSync("$TESTS/checks/oracle.txt", path),
    inside: (path) => Deno.symlinkSync("$WORKSPACE/honest.txt", path),
    folder: (path) => Deno.symlinkSync("$OUTSIDE", path),
    own: (path) => Deno.symlinkSync("$WORKSPACE/real", path),
    device: (path) => Deno.symlinkSync("/dev/zero", path),
    fifo: (path) => Deno.symlinkSync("$WORKSPACE/pipe", path),
  };
  const kinds = Deno.args[1].split(",");
  const until = Date.now() + 20_000;
  for (let at = 0; Date.now() < until; at++) {
    makes[kinds[at % kinds.length]]("$WORKSPACE/next-" + Deno.args[0]);
    Deno.renameSync("$WORKSPACE/next-" + Deno.args[0], "$WORKSPACE/" + Deno.args[0]);
    if (at === 100) Deno.writeTextFileSync("$WORKSPACE/swaps-" + Deno.args[0], "");
  }`;

const starts = (swaps: Record<string, string>) =>
  Object.entries(swaps).map(([name, kinds]) =>
    `$DENO run -A --quiet swap.js ${name} ${kinds} >/dev/null 2>&1 &
    while [ ! -e swaps-${name} ]; do sleep 0.02; done`
  ).join("\n");

/** Criteria that score 1 as soon as one of many readings gives what lies outside. */
const READS = ["a.txt", "b/secret.txt"].map((path) => `
  for (let at = 0; at < 60; at++) {
    rk.fileContainsRegex("${path}", /SECRET|ORACLE/, { name: "${path} " + at });
  }
  rk.criterion({ name: "own ${path}" }, async function own(workspace) {
    let honest = 0;
    for (let at = 0; at < 1500; at++) {
      const text = await workspace.readText("${path}").catch(() => "");
      if (/SECRET|ORACLE/.test(text)) return 1;
      if (text === "honest\\n") honest++;
    }
    return { score: 0, reasoning: "honest: " + honest };
  });
  rk.criterion({ name: "lists ${path}" }, async function lists(workspace) {
    for (let at = 0; at < 300; at++) {
      const names = await workspace.list("b").catch(() => []);
      if (names.includes("secret.txt") && !names.includes("real.txt")) return 1;
    }
    return 0;
  });`).join("");

function nothingRead({ details }: Ended): void {
  const criteria: { name: string; value: number; error?: string; reasoning?: string }[] =
    details!.checks.criteria;
  for (const { name, value } of criteria) {
    if (name !== "starts") assert.equal(value, 0, name);
  }
  // Something was read, so that there was something to win.
  const own = criteria.filter(({ name }) => name.startsWith("own"));
  assert.ok(own.some(({ reasoning }) => Number(reasoning?.split(" ")[1]) > 0), JSON.stringify(own));
}

/** Each built-in that opens a file, on a path. */
const OPENS: Record<string, (path: string) => string> = {
  contains: (path) => `rk.fileContains(${path}, "SECRET"`,
  regex: (path) => `rk.fileContainsRegex(${path}, /SECRET/`,
  matches: (path) => `rk.fileMatches(${path}, "SECRET"`,
  equal: (path) => `rk.filesEqual(${path}, "$OUTSIDE/secret.txt"`,
  diff: (path) => `rk.diffRatio(${path}, "$OUTSIDE/secret.txt"`,
  json: (path) => `rk.jsonKeyEquals(${path}, "a", 1`,
  csv: (path) => `rk.csvCellEquals(${path}, 0, 0, "SECRET"`,
  xlsx: (path) => `rk.xlsxCellEquals(${path}, "A1", 1`,
  sqlite: (path) => `rk.sqliteQueryEquals(${path}, "SELECT 1", 1`,
  image: (path) => `rk.imageSizeEquals(${path}, 1, 1`,
  similar: (path) => `rk.imageSimilarity(${path}, "$OUTSIDE/secret.txt"`,
  trajectory: (path) => `rk.trajectoryToolUsed("x", { path: ${path}, name: `,
};

/** Paths at which nothing may be read that is not the workspace's, and why. */
const NO_FILES: Record<string, string> = {
  fifo: "pipe",
  "link to a FIFO": "pipe-link",
  device: "zero",
  terminal: "tty",
  socket: "socket",
  sparse: "sparse",
  folder: "folder",
  loop: "loop",
  "deep link": "l1",
  "process": "proc/environ",
  "descriptor": "fd",
  "parent by a link": "up/outside/secret.txt",
  "parent behind a link": "folder-link/../up/outside/secret.txt",
  "missing folder and back": "none/../up/outside/secret.txt",
};
/** Names that are not those of the files that are there. */
const NO_NAMES: Record<string, string> = {
  "upper case": "ANSWER.TXT",
  "a dot behind": "answer.txt.",
  "a space behind": "answer.txt ",
  "a stream": "answer.txt::$DATA",
  "a backslash": "folder\\\\inner.txt",
  "composed": "caf\u00e9.txt",
  "wide letters": "\uff41nswer.txt",
  "nothing between": "answer\u200b.txt",
  "an end in between": "answer.txt\\0.png",
  "percent signs": "%61nswer.txt",
  "a URL": "file:answer.txt",
};

const everyOpener = Object.entries(NO_FILES).map(([why, path], at) =>
  Object.entries(OPENS).map(([kind, open]) => {
    const name = JSON.stringify(`${kind}: ${why}`);
    // A workbook has to be called one.
    const call = open(JSON.stringify(kind === "xlsx" ? `book${at}.xlsx` : path));
    return call.endsWith("name: ") ? `${call}${name} });` : `${call}, { name: ${name} });`;
  }).join("\n")
).join("\n");
const everyReader = Object.entries(NO_FILES).map(([why, path]) => `
  rk.criterion({ name: "workspace: ${why}", timeout: 10 }, async function (workspace) {
    const path = ${JSON.stringify(path)};
    const tried = await Promise.allSettled(
      [workspace.readText(path), workspace.readBytes(path), workspace.readJson(path)]);
    return tried.some(({ status }) => status === "fulfilled") ? 1 : 0;
  });`).join("");

function allZero({ details, stderr }: Ended): void {
  const criteria: { name: string; value: number; error?: string }[] = details!.checks.criteria;
  for (const { name, value, error } of criteria) {
    assert.equal(error, undefined, name);
    assert.equal(value, 0, name);
  }
  assert.doesNotMatch(`${stderr}${JSON.stringify(details)}`, /SECRET_VALUE/);
}

const HOSTILE = `
  cd workspace
  printf 'SECRET' >answer.txt; printf 'x' >"$(printf 'cafe\\314\\201.txt')"
  mkfifo pipe; ln -s pipe pipe-link; ln -s /dev/zero zero; ln -s /dev/tty tty
  truncate -s 40G sparse; mkdir folder; printf 'SECRET' >folder/inner.txt
  ln -s loop loop; ln -s /proc/self proc; ln -s /proc/self/fd/0 fd; ln -s .. up
  ln -s folder folder-link
  for at in $(seq 1 60); do ln -s l$((at + 1)) l$at; done; ln -s answer.txt l61
  printf '%s' "
    const server = Deno.listen({ transport: 'unix', path: '$WORKSPACE/socket' });
    Deno.exit(0);" >bind.js
  $DENO run -A --quiet bind.js
  test -S socket && test -p pipe
  ${Object.values(NO_FILES).map((path, at) => `ln -s ${path} book${at}.xlsx`).join("; ")}`;

export const workspaceFiles: readonly Scenario[] = [
  {
    name: "files that become links out and back while they are read",
    protects,
    tests: {
      "checks/checks.ts": `rk.commandSucceeds(${
        JSON.stringify(starts({ "a.txt": "file,out,inside,oracle,device", "b": "own,folder" }))
      }, { name: "starts", timeout: 20 });${READS}`,
      "checks/oracle.txt": "ORACLE\n",
    },
    workspace: {
      "swap.js": SWAPPER,
      "a.txt": "honest\n",
      "honest.txt": "honest\n",
      "real/secret.txt": "honest\n",
      "real/real.txt": "",
    },
    flags: ["--quiet"],
    ends: { trusted: { holds: nothingRead } },
    count: 2 * 62,
  },
  {
    name: "files that become FIFOs while they are read",
    protects,
    tests: {
      "checks/checks.ts": `rk.commandSucceeds(${
        JSON.stringify(starts({ "a.txt": "file,fifo" }))
      }, { name: "starts", timeout: 20 });
      rk.fileContains("a.txt", "SECRET", { name: "built-in" });
      rk.criterion({ name: "own", timeout: 1.5 }, async function own(workspace) {
        for (let at = 0; at < 300; at++) await workspace.readText("a.txt").catch(() => "");
        return 0;
      });`,
    },
    workspace: { "swap.js": SWAPPER, "a.txt": "honest\n" },
    setup: "mkfifo workspace/pipe",
    flags: ["--criterion-timeout", "1.5"],
    ends: {
      trusted: {
        // Whether one of the readings falls into the gap is a matter of chance.
        code: [0, 1],
        holds: ({ values, reward }) => {
          assert.equal(values["built-in"], 0);
          assert.ok(values.own === 0 || /took longer than 1\.5 s/.test(String(values.own)));
          assert.equal(reward === null, values.own !== 0);
        },
      },
    },
  },
  {
    name: "no files, for everything that opens one",
    protects,
    tests: { "checks/checks.ts": `${everyOpener}${everyReader}` },
    setup: HOSTILE,
    flags: ["--quiet", "--criterion-timeout", "20"],
    ends: { trusted: { holds: allZero }, untrusted: { holds: allZero } },
    grants: ["--allow-read=$OUTSIDE/secret.txt"],
    count: Object.keys(NO_FILES).length * (Object.keys(OPENS).length + 1),
  },
  {
    name: "names that look like those of a file",
    protects: "what a path of the author means",
    tests: {
      "checks/checks.ts": Object.entries(NO_NAMES).map(([why, path]) => {
        const text = `"${path}"`;
        return `rk.fileContains(${text}, "", { name: "contains: ${why}" });
          rk.fileExists(${text}, { name: "exists: ${why}" });`;
      }).join("\n"),
    },
    setup: HOSTILE,
    ends: { trusted: { holds: allZero } },
    count: 2 * Object.keys(NO_NAMES).length,
  },
  {
    name: "a hard link to a file outside",
    protects,
    tests: { "checks/checks.ts": 'rk.fileContains("answer.txt", "SECRET", { name: "reads" });' },
    setup: "ln outside/secret.txt workspace/answer.txt",
    ends: {
      trusted: {
        values: { reads: 1 },
        accepted: "it cannot be told from a file; who makes one may read it anyway",
      },
    },
  },
];
