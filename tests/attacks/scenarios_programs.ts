// Programs that strangers may start (`--allow-run=sh`), in the sandbox: they reach the workspace,
// which is granted with them, and nothing else of the machine or of the run.

import assert from "node:assert/strict";
import { plainFiles, type Scenario } from "./scenario.ts";

/** Each must fail; what the shell expands is not ours. Processes are looked for by a mark. */
const REACHES: Record<string, string> = {
  "the oracle of another": "cat $TESTS/victim/oracle.txt",
  "the check of another": "cat $TESTS/victim/victim.ts",
  "its own source": "cat $TESTS/evil/evil.ts",
  "the tests folder": "ls $TESTS",
  "a file outside": "cat $OUTSIDE/secret.txt",
  "a file outside, by a link": "ln -sf $OUTSIDE/secret.txt l && cat l",
  "a file outside, by a hard link": "ln $OUTSIDE/secret.txt h",
  "a file outside, by its process": "cat /proc/self/root$OUTSIDE/secret.txt",
  "a file outside, by the first process": "cat /proc/1/root$OUTSIDE/secret.txt",
  "the run's own folder": "ls $ROOT/tmp | grep rewardkit-",
  "sockets of cells": "find / -xdev -type s 2>/dev/null | grep .",
  "the accounts' passwords": "cat /etc/shadow",
  "root's home": "ls /root | grep .",
  "variables of the run":
    "cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep '[S]ECRET_VALUE'",
  "its own variables": "env | grep '[S]ECRET_VALUE'",
  "other processes": "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep '[r]eward.json'",
  "memory of other processes": "head -c 1 /proc/1/mem",
  "the result": "echo '{\"reward\": 1}' >$ROOT/output/reward.json",
  "the result's folder": "mkdir -p $ROOT/output/more && ls $ROOT/output | grep -x x",
  "the tests, for writing": "echo 'rk.nothing();' >>$TESTS/victim/victim.ts",
  "a file outside, for writing": "echo x >>$OUTSIDE/secret.txt",
  "a program of the machine, for writing": "echo x >>/bin/true",
  "the configuration, for writing": "echo x >/etc/attack",
  "more temporary files than are granted": "head -c 100000000 /dev/zero >/tmp/fill",
  "the network": "tail -n +3 /proc/net/dev | grep -v ' lo:'",
  "who listens": "tail -n +2 /proc/net/tcp | grep .",
  "a file system": "mount -t tmpfs none /tmp",
  "another root": "chroot / true",
  "the machine's name": "hostname attacked",
  "a device": "mknod d c 1 1 && head -c 1 d",
  "the kernel's settings": "echo 1 >/proc/sys/kernel/sysrq",
  "memory of the machine": "head -c 1 /dev/mem",
  "disks": "ls /dev | grep -E '^(sd|vd|nvme|loop)'",
};

const evil = Object.entries(REACHES).map(([name, command]) =>
  `rk.commandSucceeds(${JSON.stringify(command)}, { name: ${JSON.stringify(name)} });`
).join("\n");

/** Every process that a program may signal, which are its own. */
const KILLS = `
  rk.commandSucceeds("kill -9 -1; sleep 1", { name: "everybody" });
  rk.commandSucceeds("kill -9 1 2>/dev/null; for p in /proc/[0-9]*; do kill -9 \${p#/proc/}; done", {
    name: "one by one",
  });
  rk.commandSucceeds("setsid sh -c 'while :; do echo x >kept; sleep 0.01; done' >/dev/null 2>&1 &", {
    name: "leaves",
  });`;

const FREE = `
  rk.commandSucceeds("cat answer.txt && echo made >made.txt", { name: "may" });
  rk.commandSucceeds("head -c 1000000 /dev/zero >/tmp/some && test -s /tmp/some", { name: "tmp" });`;

const VICTIM = {
  "victim/victim.ts": `
    rk.filesEqual("answer.txt", "$TESTS/victim/oracle.txt", { name: "victim" });
    rk.criterion({ name: "slow" }, async function slow(workspace) {
      await new Promise((resolve) => setTimeout(resolve, 2000));
      return await workspace.readText("answer.txt") === "wrong\\n" ? 0.5 : 0;
    });`,
  "victim/oracle.txt": "ORACLE\n",
};

export const programs: readonly Scenario[] = [
  {
    name: "a program of a stranger reaches for all there is",
    protects: "the machine, the run and other strangers",
    tests: {
      ...VICTIM,
      "evil/evil.ts": `${evil}${FREE}`,
      "kills/kills.ts": KILLS,
    },
    workspace: { "answer.txt": "wrong\n" },
    env: { ATTACK_TOKEN: "SECRET_VALUE" },
    grants: ["--allow-run=sh"],
    flags: ["--quiet"],
    ends: {
      untrusted: {
        values: {
          ...Object.fromEntries(Object.keys(REACHES).map((name) => [name, 0])),
          ...{ victim: 0, slow: 0.5, may: 1, tmp: 1 },
        },
        hides: /SECRET_VALUE/,
        holds: async ({ root, reward }) => {
          assert.deepEqual([reward?.victim, reward?.innocent], [0.25, 1]);
          assert.deepEqual(await plainFiles(`${root}/output`), [
            "reward-details.json",
            "reward.json",
            "x",
          ]);
          assert.equal(await Deno.readTextFile(`${root}/outside/secret.txt`), "SECRET\n");
          // What was left running would write on.
          await Deno.remove(`${root}/workspace/kept`).catch(() => {});
          await new Promise((resolve) => setTimeout(resolve, 200));
          assert.ok(!(await plainFiles(`${root}/workspace`)).includes("kept"));
        },
      },
    },
    count: Object.keys(REACHES).length + 3,
  },
];
