// Completion in the real shells, of those that this machine has.

import assert from "node:assert/strict";
import { rewardkit } from "../help.ts";
import { completedProgram } from "./completed.ts";
import { completions } from "./completions.ts";

/** What a shell offers after the words, of which the last one may be begun only. */
type Offer = (words: string[], folder: string) => Promise<string[]>;

async function output(program: string, args: string[], cwd: string): Promise<string> {
  const { stdout, stderr } = await new Deno.Command(program, {
    args,
    cwd,
    stdin: "null",
    env: { HOME: cwd, XDG_CONFIG_HOME: cwd, XDG_DATA_HOME: cwd, TERM: "xterm" },
  }).output();
  assert.equal(new TextDecoder().decode(stderr), "");
  return new TextDecoder().decode(stdout);
}

function isInstalled(shell: string): boolean {
  try {
    return new Deno.Command(shell, { args: ["--version"], stdout: "null", stderr: "null" })
      .outputSync().success;
  } catch {
    return false;
  }
}

const bash: Offer = async (words, folder) => {
  await Deno.writeTextFile(`${folder}/.bash`, completions("bash"));
  // As readline splits a line: "=" is a word of its own.
  const split = ["rewardkit", ...words.flatMap((word) => word.split(/(=)/))]
    .filter((word, at, all) => word !== "" || at === all.length - 1);
  const script = `source .bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rewardkit
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  return lines(await output("bash", ["--norc", "-c", script, "bash", ...split], folder));
};

const fish: Offer = async (words, folder) => {
  await Deno.writeTextFile(`${folder}/.fish`, completions("fish"));
  const line = ["rewardkit", ...words].join(" ");
  const script = `source .fish; complete -C '${line}'`;
  const offered = lines(await output("fish", ["--no-config", "-c", script], folder));
  // A description follows a tab; the value of --flag=value comes with its flag.
  return offered.map((line) => line.split("\t")[0]!.replace(/^--[\w-]+=/, ""));
};

/**
 * Zsh completes on a terminal alone: one of its own, in which a key lists what is offered. No key
 * may come before its line editor has taken the terminal over: until then ^U is the terminal's
 * own key, which takes the line away unseen.
 */
const zsh: Offer = async (words, folder) => {
  await Deno.writeTextFile(`${folder}/.rk`, completions("zsh"));
  const line = ["rewardkit", ...words].join(" ");
  await Deno.writeTextFile(
    `${folder}/drive.zsh`,
    `zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'PS1= PS2= ; unsetopt zle_bracketed_paste prompt_cr prompt_sp; autoload -Uz compinit'
zpty -w z 'compinit -D -u; source ./.rk'
zpty -w z 'compadd() { if [[ $@[(r)-*O*] == "" && $@[(r)-*D*] == "" && $@[(r)-*A*] == "" ]]; then local -a h; builtin compadd -O h "$@"; print -rl -- $h >> found; fi; builtin compadd "$@" }'
zpty -w z 'bindkey "^I" complete-word; zstyle ":completion:*" file-sort name'
zpty -w z 'zle-line-init() { : > started }; zle -N zle-line-init'
for i in {1..1200}; do [[ -e started ]] && break; sleep 0.05; done
zpty -w -n z ${shellQuoted(line)}$'\\t'
zpty -w z $'\\C-u: > done' 2>/dev/null
for i in {1..1200}; do [[ -e done ]] && break; sleep 0.05; done
zpty -d z
`,
  );
  await output("zsh", ["-f", "drive.zsh"], folder);
  const found = await Deno.readTextFile(`${folder}/found`).catch(() => "");
  for (const name of ["started", "done", "found"]) {
    await Deno.remove(`${folder}/${name}`).catch(() => {});
  }
  return lines(found).map((line) => line.replace(/=$/, ""));
};

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function lines(text: string): string[] {
  return [...new Set(text.split("\n").filter((line) => line !== ""))];
}

/** What is offered, at least, and what is not. */
const CASES: { words: string[]; offered: string[]; not?: string[] }[] = [
  { words: ["ch"], offered: ["check"], not: ["list"] },
  { words: ["che"], offered: ["check", "checks-of-mine"] },
  { words: ["--on"], offered: ["--on-error"], not: ["--mcp"] },
  { words: ["--on-error", ""], offered: ["fail", "zero"], not: ["check", "checks-of-mine"] },
  { words: ["--on-error=z"], offered: ["zero"], not: ["fail"] },
  { words: ["check", "--sandbox", "d"], offered: ["deno"], not: ["os"] },
  { words: ["check", "--js"], offered: ["--json"] },
  { words: ["list", "--"], offered: ["--json"], not: ["--workspace"] },
  { words: ["completions", ""], offered: ["bash", "zsh", "fish"], not: ["checks-of-mine"] },
  { words: ["init", "che"], offered: ["checks-of-mine"], not: ["check"] },
  { words: ["discover", "che"], offered: ["checks-of-mine"], not: ["checks.json"] },
  { words: ["tests", "--output", "che"], offered: ["checks.json"] },
];

for (const [shell, offer] of Object.entries({ bash, fish, zsh })) {
  Deno.test({
    name: `${shell} completes sub-commands, flags, their values and folders`,
    ignore: !isInstalled(shell),
    fn: async () => {
      const folder = await Deno.makeTempDir({ prefix: "rewardkit-test-" });
      try {
        await Deno.mkdir(`${folder}/checks-of-mine`);
        await Deno.writeTextFile(`${folder}/checks.json`, "");
        for (const { words, offered, not = [] } of CASES) {
          const found = (await offer(words, folder)).map((name) => name.replace(/\/$/, ""));
          const shown = `${words.join(" ")}: ${found.join(" ")}`;
          for (const word of offered) assert.ok(found.includes(word), `${word} is not in ${shown}`);
          for (const word of not) assert.ok(!found.includes(word), `${word} is in ${shown}`);
        }
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    },
  });
}

Deno.test("every flag and sub-command is in every script, as Commander defines them", () => {
  const { flags, subcommands } = completedProgram(rewardkit());
  const names = flags.filter(({ isHidden }) => !isHidden).flatMap(({ names }) => names);
  assert.ok(names.includes("--workspace") && names.includes("--help"));
  for (const shell of ["bash", "zsh", "fish"]) {
    const script = completions(shell);
    for (const name of [...names, ...subcommands.map(({ name }) => name)]) {
      const spelling = shell === "fish"
        ? name.replace(/^--/, "-l ").replace(/^-(?=\w$)/, "-s ")
        : name;
      assert.ok(script.includes(spelling), `${shell} does not know ${name}`);
    }
  }
});
