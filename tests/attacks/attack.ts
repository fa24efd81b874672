// Attacks of check files, in pairs with what must work, and how each ends in each mode.

import { folder, rewardkit } from "../cli.ts";

/** `stopped`: it threw. `works`: it got what it wanted, which is accepted in that mode. */
export type Outcome = "stopped" | "works";

/** How strangers are kept: not at all, by the operating system, by Deno alone. */
export const MODES = ["trusted", "untrusted", "deno"] as const;
export type Mode = typeof MODES[number];

/** One thing that the code of a check file tries. */
export interface Attack {
  name: string;
  /** Statements; they throw if they are stopped. `AT` has the places, `workspace` is as usual. */
  code: string;
  /** In every mode, unless {@link works} says otherwise. Default: `stopped`. */
  works?: readonly Mode[];
  /** Where it depends on the machine how it ends, and it is harmless either way. */
  depends?: readonly Mode[];
}

/** Attacks on one thing, and what its owners may do with it. */
export interface Subject {
  name: string;
  /** What is protected. */
  protects: string;
  attacks: readonly Attack[];
  /** The counterparts, with what they declare: each must work in every mode. */
  allowed: {
    /** Options of `criterion()`, as source. */
    declares?: string;
    /** What grants that to strangers. */
    flags?: readonly string[];
    code: Readonly<Record<string, string>>;
  };
}

const FLAGS: Record<Mode, readonly string[]> = {
  trusted: [],
  untrusted: ["--untrusted"],
  deno: ["--untrusted", "--sandbox=deno"],
};

/** What came of a subject's attacks, and of what must work, by name: what was said, or `null`. */
export interface Outcomes {
  attacks: Map<string, string | null>;
  allowed: Map<string, string | null>;
}

/** Runs everything of a subject in one mode. */
export async function attempt({ attacks, allowed }: Subject, mode: Mode): Promise<Outcomes> {
  await using outside = await folder({
    "secret.txt": "SECRET\n",
    "module.ts": "export default 1;",
  });
  await using workspace = await folder({ "a.txt": "hello\n", "sub/b.txt": "b\n" });
  await using server = serve();
  const tests = await folder({
    "other/oracle.txt": "ORACLE\n",
    "other/check.ts": OTHER,
    "other/lib.ts": "export default 1;",
  });
  await Deno.symlink(`${outside.path}/secret.txt`, `${workspace.path}/link`);
  await Deno.symlink(outside.path, `${workspace.path}/linked`);
  const at = {
    secret: `${outside.path}/secret.txt`,
    module: `${outside.path}/module.ts`,
    workspace: workspace.path,
    tests: tests.path,
    url: server.url,
  };
  const named = (code: Readonly<Record<string, string>>, declares: string) =>
    Object.entries(code).map(([name, body]) => criterion(name, body, declares)).join("\n");
  const head = `import * as rk from "@rewardkit/cli";\nconst AT = ${JSON.stringify(at)};\n`;
  const files = {
    "attacks/check.ts": head +
      named(Object.fromEntries(attacks.map(({ name, code }) => [name, code])), ""),
    "allowed/check.ts": head + named(allowed.code, expand(allowed.declares ?? "", at)),
  };
  for (const [name, text] of Object.entries(files)) {
    await Deno.mkdir(`${tests.path}/${name.split("/")[0]}`, { recursive: true });
    await Deno.writeTextFile(`${tests.path}/${name}`, text);
  }
  await Deno.writeTextFile(`${tests.path}/attacks/own.txt`, "own\n");
  const granted = mode === "trusted" ? [] : (allowed.flags ?? []).map((flag) => expand(flag, at));
  try {
    await using run = await rewardkit(
      [tests.path, "-w", workspace.path, ...FLAGS[mode], ...granted, "--on-error", "zero"],
      { env: { ATTACKS_TOKEN: "SECRET", ATTACKS_PLAIN: "plain" } },
    );
    if (run.details === null) throw new Error(run.stderr);
    return {
      attacks: outcomesOf(run.details.attacks),
      allowed: outcomesOf(run.details.allowed),
    };
  } finally {
    await tests[Symbol.asyncDispose]();
  }
}

/** A file of somebody else. */
const OTHER = `import * as rk from "@rewardkit/cli"; rk.fileExists("a.txt");`;

function criterion(name: string, body: string, declares: string): string {
  return `
    rk.criterion({ name: ${JSON.stringify(name)}, ${declares} }, async function attack(workspace) {
      try {
        await (async () => { ${body} })();
        return { score: 1, reasoning: "" };
      } catch (error) {
        return { score: 0, reasoning: String(error).slice(0, 300) };
      }
    });`;
}

function expand(text: string, at: Record<string, string>): string {
  return text.replace(/\$(\w+)/g, (all, name) => at[name] ?? all);
}

type Criterion = { name: string; value: number; reasoning?: string; error?: string };

function outcomesOf({ criteria }: { criteria: readonly Criterion[] }): Map<string, string | null> {
  return new Map(criteria.map(({ name, value, reasoning, error }) => [
    name,
    value === 1 ? null : error ?? reasoning ?? "",
  ]));
}

function serve(): { url: string } & AsyncDisposable {
  const ending = new AbortController();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, signal: ending.signal, onListen: () => {} },
    () => new Response("export default 1;", { headers: { "content-type": "text/javascript" } }),
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    async [Symbol.asyncDispose]() {
      ending.abort();
      await server.finished;
    },
  };
}
