import assert from "node:assert/strict";
import { dirname } from "node:path";
import { programCandidates, removeOtherLibc } from "./program_candidates.ts";

const isLinux = Deno.build.os === "linux";
const OWN_MACHINE = Deno.build.arch === "x86_64" ? 0x3e : 0xb7;
const OTHER_MACHINE = Deno.build.arch === "x86_64" ? 0xb7 : 0x3e;

/** The beginning of a native program of Linux. */
function elf(machine = OWN_MACHINE): Uint8Array {
  const bytes = new Uint8Array(64);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  bytes[18] = machine;
  return bytes;
}

/** A `node_modules` with these files; objects become JSON. */
class Modules implements Disposable {
  readonly #root = Deno.realPathSync(Deno.makeTempDirSync());
  readonly path = `${this.#root}/node_modules`;

  constructor(files: Record<string, string | Uint8Array | object>) {
    for (const [path, content] of Object.entries(files)) {
      const file = `${this.path}/${path}`;
      Deno.mkdirSync(dirname(file), { recursive: true });
      const isBytes = content instanceof Uint8Array;
      if (isBytes) Deno.writeFileSync(file, content);
      else {
        const text = typeof content === "string" ? content : JSON.stringify(content);
        Deno.writeTextFileSync(file, text);
      }
    }
  }

  candidates(program: string, npmPackage: string): string[] {
    return programCandidates(this.path, program, npmPackage)
      .map(({ path }) => path.slice(this.path.length + 1));
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.#root, { recursive: true });
  }
}

Deno.test("programCandidates() sees through a script and a package for each system", {
  ignore: !isLinux,
}, () => {
  // As codex comes: the package for the system goes by another name in its folder.
  using modules = new Modules({
    "@o/codex/package.json": { name: "@o/codex", bin: { codex: "bin/codex.js" } },
    "@o/codex/bin/codex.js": "#!/usr/bin/env node\n",
    "@o/codex-linux/package.json": { name: "@o/codex", version: "1.0.0-linux" },
    "@o/codex-linux/vendor/own/bin/codex": elf(),
    "@o/codex-linux/vendor/own/bin/rg": elf(),
    "@o/codex-linux/vendor/other/bin/codex": elf(OTHER_MACHINE),
    "@o/codex-linux/vendor/own/share/codex": "some text",
  });
  assert.deepEqual(modules.candidates("codex", "@o/codex"), [
    "@o/codex-linux/vendor/own/bin/codex",
    "@o/codex/bin/codex.js",
  ]);
});

Deno.test("programCandidates() passes over a stub, and knows Deno's layout", {
  ignore: !isLinux,
}, () => {
  const at = (id: string, name: string) => `.deno/${id}/node_modules/@a/${name}`;
  const glibc = at("@a+claude-linux@1", "claude-linux");
  const musl = at("@a+claude-linux-musl@1", "claude-linux-musl");
  using modules = new Modules({
    [`${at("@a+claude@1", "claude")}/package.json`]: {
      name: "@a/claude",
      bin: { claude: "bin/claude.exe" },
    },
    [`${at("@a+claude@1", "claude")}/bin/claude.exe`]: "echo not installed >&2\n",
    [`${glibc}/package.json`]: { name: "@a/claude-linux", libc: ["glibc"] },
    [`${glibc}/claude`]: elf(),
    [`${musl}/package.json`]: { name: "@a/claude-linux-musl", libc: ["musl"] },
    [`${musl}/claude`]: elf(),
    "plain/package.json": { name: "plain" },
  });
  const both = [`${glibc}/claude`, `${musl}/claude`];
  const expected = Deno.build.env === "musl" ? both.toReversed() : both;
  assert.deepEqual(modules.candidates("claude", "@a/claude"), expected);

  removeOtherLibc(modules.path, `${modules.path}/${glibc}`);
  assert.deepEqual(modules.candidates("claude", "@a/claude"), [`${glibc}/claude`]);
  removeOtherLibc(modules.path, `${modules.path}/plain`);
  assert.deepEqual(modules.candidates("claude", "@a/claude"), [`${glibc}/claude`]);
});

Deno.test("programCandidates() takes the bin of a package, inside of it only", () => {
  using modules = new Modules({
    "agent/package.json": { name: "agent", bin: "main.sh" },
    "agent/main.sh": "#!/bin/sh\n",
    "agent/node_modules/part/package.json": { name: "part", bin: { agent: "./run", x: "x" } },
    "agent/node_modules/part/run": "#!/bin/sh\n",
    "agent/node_modules/part/x": "#!/bin/sh\n",
    "other/package.json": { name: "other", bin: "main.sh" },
    "other/main.sh": "#!/bin/sh\n",
    "evil/package.json": { name: "evil", bin: { agent: "../agent/main.sh" } },
    "absent/package.json": { name: "absent", bin: { agent: "nothing" } },
    "broken/package.json": "{",
    "odd/package.json": { name: 1, bin: { agent: 2 } },
    "null/package.json": "null",
  });
  assert.deepEqual(modules.candidates("agent", "agent"), [
    "agent/main.sh",
    "agent/node_modules/part/run",
  ]);
  assert.deepEqual(modules.candidates("constructor", "agent"), ["agent/main.sh"]);
});

Deno.test("programCandidates() follows no link", () => {
  using modules = new Modules({ "agent/package.json": { name: "agent", bin: { agent: "sh" } } });
  Deno.symlinkSync("/bin/sh", `${modules.path}/agent/agent`);
  Deno.symlinkSync("/bin/sh", `${modules.path}/agent/sh`);
  Deno.symlinkSync("..", `${modules.path}/agent/loop`);
  assert.deepEqual(modules.candidates("agent", "agent"), []);
});
