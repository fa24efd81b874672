import assert from "node:assert/strict";

const RUN = new URL("./run.ts", import.meta.url).href;
const GROUPS = new URL("./groups.ts", import.meta.url).href;
const OWN = new URL("../own_children.ts", import.meta.url).href;

/** Goes on to a child of itself again and again, and hides each time. */
const HOPPER = `#!/bin/sh
echo >"$1/hops"
setsid env -i /bin/sh "$0" "$1" </dev/null >/dev/null 2>&1 &
`;

/** Ends a run of which programs have hidden, in a process of its own; says what is left of it. */
function script(ownsProcess: boolean, folder: string): string {
  return `
    import { run } from ${JSON.stringify(RUN)};
    import { ProcessGroups } from ${JSON.stringify(GROUPS)};
    import { startProgram } from ${JSON.stringify(OWN)};
    const groups = new ProcessGroups({ ownsProcess: ${ownsProcess} });
    const options = { cwd: "/", timeoutSec: 60, groups };
    const quiet = { stdin: "null", stdout: "null", stderr: "null" };
    startProgram("sleep", { args: ["60"], ...quiet });
    await run(["sh", "-c", \`
      hide() { setsid env -i "$@" </dev/null >/dev/null 2>&1 & }
      hide sleep 61; hide setsid sh -c 'sleep 62 & sleep 63'
      (trap "" TERM HUP INT; hide sh -c 'trap "" TERM; sleep 64')
      hide sh ${folder}/hop.sh ${folder}
      sleep 0.3\`], options);
    const left = await groups.endAll();
    const running = new Deno.Command("ps", { args: ["-eo", "args"] }).outputSync().stdout;
    await Deno.remove("${folder}/hops").catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 300));
    const hops = await Deno.stat("${folder}/hops").then(() => true, () => false);
    console.log(JSON.stringify({
      left: left.length,
      hops,
      sleeping: [...new Set(new TextDecoder().decode(running).match(/sleep 6[0-4]$/gm))].sort(),
    }));
    await Deno.remove("${folder}/hop.sh");
    Deno.exit(0);
  `;
}

async function endRun(ownsProcess: boolean) {
  const folder = await Deno.makeTempDir({ prefix: "rewardkit-test-" });
  try {
    await Deno.writeTextFile(`${folder}/hop.sh`, HOPPER);
    await Deno.writeTextFile(`${folder}/script.ts`, script(ownsProcess, folder));
    // A process namespace of its own, in which nobody else's programs are seen, and which ends what
    // got away.
    const { stdout, stderr } = await new Deno.Command("unshare", {
      args: [
        ...["--user", "--map-root-user", "--pid", "--fork", "--kill-child", "--mount-proc"],
        // Process 1 gets all orphans anyway: the run must not be it.
        ...["sh", "-c", '"$@"; exit $?', "sh"],
        ...[Deno.execPath(), "run", "-A", "--no-check", `${folder}/script.ts`],
      ],
      stdin: "null",
    }).output();
    assert.equal(new TextDecoder().decode(stderr), "");
    return JSON.parse(new TextDecoder().decode(stdout));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const hasNamespaces = new Deno.Command("unshare", {
  args: ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "true"],
  stdin: "null",
  stdout: "null",
  stderr: "null",
}).outputSync().success;

Deno.test({
  name: "a process that owns itself leaves nothing running, however it has hidden",
  ignore: !hasNamespaces,
  fn: async () => {
    assert.deepEqual(await endRun(true), { left: 0, hops: false, sleeping: [] });
  },
});

Deno.test({
  name: "a script that grades keeps its own children, and cannot find what hides from it",
  ignore: !hasNamespaces,
  fn: async () => {
    const { left, hops, sleeping } = await endRun(false);
    assert.equal(left, 0);
    assert.ok(hops);
    assert.deepEqual(sleeping, [60, 61, 62, 63, 64].map((seconds) => `sleep ${seconds}`));
  },
});

/** Orphans have no parent that would wait for them, so the process does; never for those of Deno. */
Deno.test("programs are started in one place, which remembers them", async () => {
  const root = new URL("../../", import.meta.url).pathname;
  const grep = new Deno.Command("grep", {
    args: [
      "-rlE",
      "new Deno\\.Command\\(",
      "--include=*.ts",
      "--exclude=*_test.ts",
      "src",
      "judges",
    ],
    cwd: root,
  });
  const found = new TextDecoder().decode((await grep.output()).stdout);
  assert.deepEqual(found.trim().split("\n"), ["src/own_children.ts"]);
});
