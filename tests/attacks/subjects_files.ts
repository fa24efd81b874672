// Attacks on files: those that a check file must not read, and those that nobody may change.

import type { Subject } from "./attack.ts";

const reads = (paths: Record<string, string>) =>
  Object.entries(paths).map(([name, path]) => ({
    name,
    code: `await Deno.readTextFile(${path});`,
  }));

export const reading: Subject = {
  name: "reading",
  protects: "files of the machine, and other people's oracles",
  attacks: [
    ...reads({
      "the user's accounts": '"/etc/passwd"',
      "the shadow file": '"/etc/shadow"',
      "a file outside": "AT.secret",
      "a file outside, through dots":
        '`${AT.workspace}/../${AT.secret.split("/").slice(2).join("/")}`',
      "its own environment": '"/proc/self/environ"',
      "its parent's environment": "`/proc/${Deno.ppid}/environ`",
      "its own memory map": '"/proc/self/maps"',
      "the machine through its process": '"/proc/self/root/etc/passwd"',
      "the working folder of its process": '"/proc/self/cwd/x"',
      "a descriptor of its process": '"/proc/self/fd/0"',
      "a device": '"/dev/mem"',
      "standard input as a file": '"/dev/stdin"',
      "the kernel's log": '"/proc/kmsg"',
      "a file: URL": "new URL(`file://${AT.secret}`)",
      "the home of root": '"/root/.bashrc"',
      "keys of root": '"/root/.ssh/id_rsa"',
      "the host's name": '"/etc/hostname"',
    }),
    { name: "a folder outside", code: 'for (const _ of Deno.readDirSync("/etc")) break;' },
    { name: "the root folder", code: 'for (const _ of Deno.readDirSync("/")) break;' },
    { name: "whether a file is there", code: "await Deno.stat(AT.secret);" },
    { name: "where a link leads", code: 'await Deno.readLink("/proc/self/exe");' },
    { name: "the real path of a file", code: 'await Deno.realPath("/etc/localtime");' },
    { name: "a file by fetch", code: "await (await fetch(`file://${AT.secret}`)).text();" },
    { name: "a file, opened", code: "(await Deno.open(AT.secret)).close();" },
    { name: "a file, synchronously", code: "Deno.readFileSync(AT.secret);" },
    { name: "a file, watched", code: "Deno.watchFs(AT.secret).close();" },
    {
      name: "the oracle of another folder",
      code: "await Deno.readTextFile(`${AT.tests}/other/oracle.txt`);",
      // Trusted files of one tests folder are one author's.
      works: ["trusted"],
    },
    {
      name: "the check file of another folder",
      code: "await Deno.readTextFile(`${AT.tests}/other/check.ts`);",
      works: ["trusted"],
    },
    { name: "a link out, by workspace", code: 'await workspace.readText("link");' },
    {
      name: "a linked folder, by workspace",
      code: 'await workspace.readText("linked/secret.txt");',
    },
    { name: "a list of a linked folder", code: 'await workspace.list("linked");' },
    {
      name: "a link out of the workspace, by Deno",
      code: "await Deno.readTextFile(`${AT.workspace}/link`);",
      // Deno's permissions follow links; the sandbox has nothing there.
      works: ["trusted", "deno"],
    },
    {
      name: "more permissions, asked for",
      code: 'const { state } = await Deno.permissions.request({ name: "read" });\n' +
        'if (state !== "granted") throw new Error(state);',
    },
  ],
  allowed: {
    declares: 'read: ["a.txt", "$secret"]',
    flags: ["--allow-read=$secret"],
    code: {
      "a file that is declared": 'await workspace.readText("a.txt");',
      "a file outside that is declared": "await Deno.readTextFile(AT.secret);",
      "a file, by bytes": 'await workspace.readBytes("a.txt");',
    },
  },
};

export const readingByDefault: Subject = {
  name: "reading by default",
  protects: "the default: workspace and own folder, and nothing beyond",
  attacks: [{
    name: "the temporary folder",
    code: 'for (const _ of Deno.readDirSync("/tmp")) break;',
  }],
  allowed: {
    code: {
      "a file of the workspace": 'await workspace.readText("a.txt");',
      "a file in a folder": 'await workspace.readText("sub/b.txt");',
      "a list of the workspace": 'await workspace.list(".");',
      "its own source": "await Deno.readTextFile(new URL(import.meta.url));",
    },
  },
};

export const writing: Subject = {
  name: "writing",
  protects: "the workspace, the tests folder, the machine, caches that outlive the run",
  attacks: [
    {
      name: "a file of the workspace",
      code: 'await Deno.writeTextFile(`${AT.workspace}/a.txt`, "x");',
    },
    {
      name: "a new file of the workspace",
      code: 'await Deno.writeTextFile(`${AT.workspace}/n`, "x");',
    },
    { name: "a check file", code: 'await Deno.writeTextFile(`${AT.tests}/other/check.ts`, "x");' },
    { name: "its own source", code: 'await Deno.writeTextFile(new URL(import.meta.url), "x");' },
    { name: "a file outside", code: 'await Deno.writeTextFile(AT.secret, "x");' },
    { name: "a temporary file", code: "await Deno.makeTempFile();" },
    { name: "a temporary folder", code: "await Deno.makeTempDir();" },
    { name: "a folder", code: "await Deno.mkdir(`${AT.workspace}/d`);" },
    { name: "a removal", code: "await Deno.remove(`${AT.workspace}/a.txt`);" },
    {
      name: "a renaming",
      code: "await Deno.rename(`${AT.workspace}/a.txt`, `${AT.workspace}/b`);",
    },
    { name: "a link", code: 'await Deno.symlink("/etc/passwd", `${AT.workspace}/l`);' },
    { name: "a hard link", code: "await Deno.link(`${AT.workspace}/a.txt`, `${AT.workspace}/h`);" },
    { name: "a mode", code: "await Deno.chmod(`${AT.workspace}/a.txt`, 0o777);" },
    { name: "an owner", code: "await Deno.chown(`${AT.workspace}/a.txt`, 1, 1);" },
    { name: "a time", code: "await Deno.utime(`${AT.workspace}/a.txt`, 0, 0);" },
    { name: "a truncation", code: "await Deno.truncate(`${AT.workspace}/a.txt`);" },
    { name: "a copy", code: "await Deno.copyFile(`${AT.workspace}/a.txt`, `${AT.workspace}/c`);" },
    { name: "the reward", code: 'await Deno.writeTextFile("/logs/verifier/reward.json", "{}");' },
    { name: "a key-value store", code: "await Deno.openKv();" },
    { name: "local storage", code: 'localStorage.setItem("x", "y");' },
    {
      name: "Deno's cache of answers",
      code:
        'const cache = await caches.open("attack");\nawait cache.put("http://x/", new Response("x"));',
      // One author's own: it tells him nothing that he did not know.
      works: ["trusted"],
    },
    {
      name: "Reward Kit's sources",
      code: 'await Deno.writeTextFile(new URL("../../mod.ts", "file:///usr/x/y"), "");',
    },
  ],
  allowed: {
    declares: 'write: ["out"], read: ["."]',
    flags: ["--allow-write=$workspace/out"],
    code: {
      "a file that is declared":
        'await Deno.mkdir(`${AT.workspace}/out`, { recursive: true }); await Deno.writeTextFile(`${AT.workspace}/out/x`, "x");',
    },
  },
};
