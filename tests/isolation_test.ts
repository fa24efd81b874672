// Isolated criteria through the command line: as root and as an ordinary user, by every way to make
// views, and on file systems that are harder than most.

import assert from "node:assert/strict";
import { type GradeOptions, machine } from "./machine.ts";

/** Criteria that do what they can to the workspace, and one that looks at what is left of it. */
const CHECKS = `
import { commandOutputContains, commandSucceeds, criterion, fileMatches } from "rewardkit";

const spoil = "echo gone >a.txt; rm -rf sub; mkdir sub; : >new; ";
commandSucceeds(spoil + "env -i setsid sleep 1000 >/dev/null 2>&1 &", { isolated: true });
commandSucceeds(spoil + "test ! -e sub/b.txt && test -e new", { isolated: true });
commandOutputContains("cat a.txt sub/b.txt; ls -A", "before\\nb\\na.txt\\nsub\\n", {
  isolated: true,
});
commandSucceeds("test ! -e x && mkdir x", { isolated: true, cwd: "sub" });
const own = criterion({ name: "own", write: ["."], run: ["sh"] }, async (workspace) => {
  Deno.writeTextFileSync(workspace + "/made.txt", "x");
  const { stdout } = await workspace.run(["sh", "-c", "echo y >too.txt; cat a.txt made.txt too.txt"]);
  return stdout === "before\\nxy\\n" && await workspace.exists("too.txt");
});
own({ isolated: true });
fileMatches("a.txt", "before");
`;

/** Absolute paths are caught where a view lies over the workspace. */
const ABSOLUTE = `
import { commandSucceeds } from "rewardkit";
commandSucceeds("echo gone >'WORKSPACE/a.txt'; test \\"$(cat a.txt)\\" = gone", { isolated: true });
`;

async function place() {
  const at = await machine({ "check.ts": CHECKS }, { "a.txt": "before\n" });
  await Deno.writeTextFile(
    `${at.root}/tests/absolute.ts`,
    ABSOLUTE.replaceAll("WORKSPACE", at.workspace),
  );
  await Deno.mkdir(`${at.workspace}/sub`);
  await Deno.writeTextFile(`${at.workspace}/sub/b.txt`, "b\n");
  for (const path of ["sub", "sub/b.txt"]) {
    await Deno.chown(`${at.workspace}/${path}`, 65534, 65534);
  }
  return at;
}

/** What an isolated run may not leave: changes, processes, folders. */
async function requireUntouched(at: Awaited<ReturnType<typeof place>>): Promise<void> {
  const names = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  assert.deepEqual(names(at.workspace), ["a.txt", "sub"]);
  assert.equal(await Deno.readTextFile(`${at.workspace}/a.txt`), "before\n");
  assert.equal(await Deno.readTextFile(`${at.workspace}/sub/b.txt`), "b\n");
  assert.deepEqual(names(at.temporary), []);
}

/** A device that everybody may use, in a mount namespace of its own. */
const FUSE_FOR_ALL = `
mknod "$1/fuse" c 10 229; chmod 666 "$1/fuse"; mount --bind "$1/fuse" /dev/fuse`;

interface Setup extends GradeOptions {
  name: string;
  flags?: string[];
  isolation: string;
}

const SETUPS: Setup[] = [
  { name: "root", isolation: "overlay" },
  { name: "root with a copy", flags: ["--isolation=copy"], isolation: "copy" },
  { name: "root with fuse", flags: ["--isolation=fuse"], isolation: "fuse" },
  { name: "a user", asUser: true, isolation: "overlay-userns" },
  { name: "a user with a copy", asUser: true, flags: ["--isolation", "copy"], isolation: "copy" },
  {
    name: "a user with fuse",
    asUser: true,
    flags: ["--isolation=fuse"],
    prepare: FUSE_FOR_ALL,
    isolation: "fuse-userns",
  },
  {
    name: "a workspace in memory",
    prepare: 'cp -a "$1/work" "$1/w"; mount -t tmpfs tmpfs "$1/work"; cp -a "$1/w/." "$1/work"',
    isolation: "overlay",
  },
  ...[false, true].map((asUser): Setup => ({
    name: `${asUser ? "a user" : "root"} on overlays, as in a container`,
    asUser,
    prepare: `
      for name in work tmp; do
        mkdir "$1/upper-$name" "$1/layer-$name"
        chown 65534:65534 "$1/upper-$name"
        mount -t overlay overlay \\
          -o "lowerdir=$1/$name,upperdir=$1/upper-$name,workdir=$1/layer-$name" "$1/$name"
      done`,
    isolation: asUser ? "overlay-userns" : "overlay",
  })),
  {
    name: "root in a container without rights",
    withoutRights: true,
    isolation: "copy",
  },
];

const isRoot = Deno.uid() === 0;
const succeeds = async (...argv: string[]) =>
  (await new Deno.Command(argv[0]!, { args: argv.slice(1), stderr: "null" }).output()).success;
const canMount = isRoot && await succeeds("unshare", "--mount", "true");
const hasFuse = await succeeds("sh", "-c", "command -v fuse-overlayfs && test -e /dev/fuse");
if (!canMount) console.log("SKIPPED: isolation as others, which takes root that may mount");
if (!hasFuse) console.log("SKIPPED: isolation with fuse, which takes fuse-overlayfs and /dev/fuse");

for (const { name, flags = [], isolation, ...options } of SETUPS) {
  Deno.test({
    name: `isolated criteria keep to their views: ${name}`,
    ignore: !canMount || (isolation.startsWith("fuse") && !hasFuse),
    fn: async () => {
      await using at = await place();
      // From a copy, an absolute path reaches the real workspace.
      if (isolation === "copy") await Deno.remove(`${at.root}/tests/absolute.ts`);
      const run = await at.grade(flags, options);
      assert.equal(run.code, 0, run.stderr);
      assert.deepEqual(run.reward, { reward: 1 }, run.stderr);
      const files = isolation === "copy" ? 1 : 2;
      assert.equal(run.isolation, Array(files).fill(isolation).join(), run.stderr);
      assert.equal(run.stderr.includes("reaches the real one"), name.includes("container without"));
      await requireUntouched(at);
    },
  });
}

/** A machine that has none. */
const NO_BUBBLEWRAP = "mount --bind /dev/null /usr/bin/bwrap";
const hasBubblewrap = await succeeds("test", "-x", "/usr/bin/bwrap");
if (!hasBubblewrap) console.log("SKIPPED: isolation for strangers, which takes bubblewrap");

for (const asUser of [false, true]) {
  for (const sandbox of ["bubblewrap", "unshare"]) {
    Deno.test({
      name: `strangers' isolated criteria keep to their views: ${sandbox}, ${
        asUser ? "a user" : "root"
      }`,
      ignore: !canMount || !hasBubblewrap,
      fn: async () => {
        await using at = await place();
        const flags = ["--untrusted", "--allow-run", `--allow-write=${at.workspace}`];
        const prepare = sandbox === "unshare" ? NO_BUBBLEWRAP : ":";
        // Without capabilities nobody writes what belongs to others, not even root.
        const owns = asUser ? "" : 'chown -R 0:0 "$1/work"\n';
        const run = await at.grade(flags, { asUser, prepare: owns + prepare });
        assert.equal(run.code, 0, run.stderr);
        assert.deepEqual(run.reward, { reward: 1 }, run.stderr);
        assert.equal(run.sandbox, `${sandbox},${sandbox}`);
        assert.equal(run.isolation.replaceAll("-userns", ""), "overlay,overlay");
        await requireUntouched(at);
      },
    });
  }
}

Deno.test({
  name: "strangers are refused where nothing confines them, which is told",
  ignore: !canMount,
  fn: async () => {
    await using at = await place();
    const prepare = (await succeeds("test", "-e", "/usr/bin/bwrap")) ? NO_BUBBLEWRAP : ":";
    const run = await at.grade(["--untrusted"], { withoutRights: true, prepare });
    assert.equal(run.code, 2);
    assert.equal(run.reward, null);
    assert.match(run.stderr, /No sandbox for untrusted check files: bubblewrap is not installed; /);
    assert.match(run.stderr, /hint: Install bubblewrap/);
  },
});

Deno.test({
  name: "a forced isolation that is not to be had is an error, and no reward",
  ignore: !canMount,
  fn: async () => {
    await using at = await place();
    const run = await at.grade(["--isolation=fuse"], {
      asUser: true,
      prepare: 'mknod "$1/fuse" c 10 229; chmod 600 "$1/fuse"; mount --bind "$1/fuse" /dev/fuse',
    });
    assert.equal(run.code, 1);
    assert.equal(run.reward, null);
    assert.match(run.stderr, /There are no views by --isolation=fuse here: fuse-userns: /);
    assert.match(run.stderr, /hint: Install fuse-overlayfs/);
    await requireUntouched(at);
  },
});
