// What is graded while its processes are killed: every kind of check, and what each must come to.

import type { FakeReply } from "../conformance/fake_agent.ts";
import { claudeSays, YES } from "../agent_run.ts";

/** A tests folder, and what it gives if nothing goes wrong. */
export interface Suite {
  name: string;
  files: Readonly<Record<string, string>>;
  /** Flags of the command line; `WORKSPACE` stands for its path. */
  flags: readonly string[];
  /** By the name of the criterion. */
  values: Readonly<Record<string, number>>;
  /** The criteria of each check file and judge, by its name: a reward is the mean of their means. */
  parts: Readonly<Record<string, readonly string[]>>;
}

export const WORKSPACE: Readonly<Record<string, string>> = { "a.txt": "hello\n" };

/**
 * Commands name the criterion that they belong to, so that it is known whose was killed. What they
 * leave would last ten minutes; each keeps itself away from the run in another way.
 */
const COMMANDS = `import * as rk from "@rewardkit/cli";
const command = (name, text, options = {}) =>
  rk.commandSucceeds("export of=" + name + "; sleep 0.05; " + text, { name, ...options });
command("plain", "test -e a.txt");
command("leaves", "setsid sleep 600 >/dev/null 2>&1 &");
command("orphans", "(setsid sh -c 'trap \\"\\" TERM; sleep 600; true' >/dev/null 2>&1 &); true");
command("spoils", "rm a.txt; env -i setsid sleep 600 >/dev/null 2>&1 &", { isolated: true });
command("fails", "test -e b.txt");
`;

const OWN = `import * as rk from "@rewardkit/cli";
rk.fileContains("a.txt", "hello", { name: "contains" });
rk.fileExists("b.txt", { name: "absent" });
rk.criterion(async function quarter(workspace) {
  await new Promise((resolve) => setTimeout(resolve, 50));
  return (await workspace.readText("a.txt")).length / 24;
});
const writes = rk.criterion({ name: "writes", write: ["."], run: ["sh"] }, async (workspace) => {
  Deno.writeTextFileSync(workspace + "/b.txt", "b");
  const { stdout } = await workspace.run(["sh", "-c", "export of=writes; sleep 0.05; cat a.txt b.txt"]);
  return stdout === "hello\\nb" ? 0.5 : 0;
});
writes({ isolated: true, name: "writes" });
`;

const judge = (settings: string, names: readonly string[]) =>
  `[judge]\n${settings}\n` +
  names.map((name) => `[[criterion]]\nname = "${name}"\ndescription = "Is it ${name}?"\n`).join("");

const CHECKS = { "commands.ts": COMMANDS, "own.ts": OWN };
const CHECK_VALUES = {
  ...{ plain: 1, leaves: 1, orphans: 1, spoils: 1, fails: 0 },
  ...{ contains: 1, absent: 0, quarter: 0.25, writes: 0.5 },
};
const CHECK_PARTS = {
  commands: ["plain", "leaves", "orphans", "spoils", "fails"],
  own: ["contains", "absent", "quarter", "writes"],
};

/** Check files of the author. */
export const CHECKS_SUITE: Suite = {
  name: "checks",
  files: CHECKS,
  flags: [],
  values: CHECK_VALUES,
  parts: CHECK_PARTS,
};

/** The same of strangers. */
export const STRANGERS_SUITE: Suite = {
  ...CHECKS_SUITE,
  name: "strangers",
  flags: ["--untrusted", "--allow-run=sh", "--allow-write=WORKSPACE"],
};

/** Judges alone: one asks a model, one is an agent. */
export const JUDGES_SUITE: Suite = {
  name: "judges",
  files: {
    "model.toml": judge('judge = "anthropic/claude-opus-4-1"\nfiles = ["a.txt"]', ["kind"]),
    "agent.toml": judge('judge = "claude-code"\nisolated = true', ["deep"]),
  },
  flags: [],
  values: { kind: 1, deep: 1 },
  parts: { model: ["kind"], agent: ["deep"] },
};

/** What the stand-in for the agent does, each time. It leaves a process in another session. */
export const AGENT_REPLY: FakeReply = {
  stdout: claudeSays({ deep: YES }),
  script: "setsid sleep 600 >/dev/null 2>&1 &\n",
  sleep: 0.15,
  repeat: true,
};

/** The reward that values of criteria add up to. */
export function rewardOf(suite: Suite, values: Readonly<Record<string, number>>): number {
  const mean = (numbers: readonly number[]) =>
    numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const parts = Object.values(suite.parts).map((names) => mean(names.map((name) => values[name]!)));
  return Math.round(mean(parts) * 1e4) / 1e4;
}
