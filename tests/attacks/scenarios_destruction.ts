// Check files that hang, crash, leave, flood or take all memory: each costs only itself. In trusted
// mode, where files share a process, as well.

import type { Mode } from "./attack.ts";
import type { Ending, Scenario } from "./scenario.ts";

const TIMEOUT = /took longer than 0\.7 s/;
const GONE = /ran out of memory|ended its process|took longer/;

interface Destruction {
  /** Body of the criterion. */
  body: string;
  /** What its error says, in every mode or in each; 1: it does no harm, and goes on. */
  says: RegExp | 1 | Partial<Record<Mode, RegExp | 1>>;
  /** Options of the criterion. Default: a short time limit. */
  options?: string;
  flags?: readonly string[];
  setup?: string;
  withinSec?: number;
}

/** A file whose one criterion does it; one beside it in the file is unharmed, too. */
function destructive(name: string, it: Destruction): Scenario {
  const { body, says, options = "timeout: 0.7", flags, setup, withinSec } = it;
  const perMode = says instanceof RegExp || says === 1 ? { trusted: says, untrusted: says } : says;
  const ends = Object.entries(perMode).map(([mode, said]): [string, Ending] => [mode, {
    code: said === 1 ? 0 : 1,
    values: { bad: said, beside: 0.5 },
    ...(withinSec !== undefined && { withinSec }),
    ...(said === 1 && { accepted: "it does no harm" }),
  }]);
  return {
    name,
    protects: "the scores of others",
    tests: {
      "bad/bad.ts": `
        rk.criterion(function beside() { return 0.5; });
        rk.criterion({ name: "bad", ${options} }, async function (workspace) { ${body} });`,
    },
    ends: Object.fromEntries(ends),
    ...(flags && { flags }),
    ...(setup !== undefined && { setup }),
  };
}

/** The same while the file loads. */
function whileLoading(name: string, text: string, says: RegExp): Scenario {
  const ending: Ending = { code: 1, values: { bad: says } };
  return {
    name: `${name}, while it loads`,
    protects: "the scores of others",
    tests: { "bad/bad.ts": text },
    flags: ["--load-timeout", "1.5", "--memory-limit", "256"],
    ends: { trusted: ending, untrusted: ending },
  };
}

/** Long enough for any collector to give up. */
const HOARD = "const all = []; while (true) all.push(new Array(1e5).fill({}));";
const MEMORY = { options: "timeout: 30", flags: ["--memory-limit", "256"] };
const WASM_LOOP = "new Uint8Array([0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,7,5,1,1,108,0,0," +
  "10,9,1,7,0,3,64,12,0,11,11])";

export const destruction: readonly Scenario[] = [
  destructive("a loop", { body: "while (true);", says: TIMEOUT }),
  destructive("a loop of tasks", { body: "while (true) await 0;", says: TIMEOUT }),
  destructive("a loop that swallows everything", {
    body: "while (true) { try { while (true); } finally { continue; } }",
    says: TIMEOUT,
  }),
  destructive("a regular expression that runs away", {
    body: 'return /(a+)+$/.test("a".repeat(60) + "b");',
    says: TIMEOUT,
  }),
  destructive("a number without end", {
    body: "return String(7n ** 30_000_000n).length;",
    says: TIMEOUT,
  }),
  destructive("a loop in WebAssembly", {
    body: `const { instance } = await WebAssembly.instantiate(${WASM_LOOP});
      instance.exports.l();`,
    says: TIMEOUT,
  }),
  destructive("a promise that never ends", {
    body: "await new Promise(() => {});",
    says: TIMEOUT,
  }),
  destructive("a thread that waits for ever", {
    body: "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);",
    says: TIMEOUT,
  }),
  destructive("a FIFO, opened", {
    setup: "mkfifo workspace/pipe",
    body: "Deno.openSync(`${workspace}/pipe`).close();",
    says: TIMEOUT,
  }),
  destructive("standard input, read", {
    body: "Deno.stdin.readSync(new Uint8Array(1)); return 1;",
    // Nothing is in it.
    says: { trusted: 1, untrusted: /undefined/ },
  }),
  destructive("standard input, closed", {
    body: "Deno.stdin.close(); return 1;",
    says: { trusted: 1, untrusted: /undefined/ },
  }),
  destructive("its process, killed", {
    body: 'Deno.kill(Deno.pid, "SIGKILL"); await new Promise(() => {});',
    says: { trusted: /ended its process/, untrusted: /Deno\.kill is not a function/ },
  }),
  destructive("its process, made deaf to signals", {
    body: 'Deno.addSignalListener("SIGTERM", () => {}); while (true);',
    says: { trusted: TIMEOUT, untrusted: /not a function/ },
  }),
  destructive("Deno.exit()", { body: "Deno.exit(0);", says: /called Deno\.exit\(\)/ }),
  destructive("close()", { body: "close(); return 1;", says: /called close\(\)/ }),
  destructive("process.exit()", {
    body: "process.exit(0);",
    says: { trusted: /called process\.exit\(\)/, untrusted: /process is not defined/ },
  }),
  destructive("process.reallyExit()", {
    body: "process.reallyExit(0); await new Promise(() => {});",
    says: { trusted: /called Deno\.exit\(\)/, untrusted: /process is not defined/ },
  }),
  destructive("process.abort()", {
    body: "process.abort();",
    says: { trusted: /abort|not supported|NotSupported/i, untrusted: /process is not defined/ },
  }),
  destructive("the descriptors of its process, closed", {
    options: "timeout: 3",
    body: `const { Socket } = await import("node:net");
      for (let fd = 3; fd < 64; fd++) { try { new Socket({ fd }).destroy(); } catch { /* none */ } }
      await new Promise((resolve) => setTimeout(resolve, 1000)); return 0;`,
    says: {
      trusted: /ended its process|closed its channel|longer|protocol|connect/i,
      untrusted: /node:net is not there/,
    },
  }),
  destructive("an error that nobody waits for", {
    body: `Promise.reject(new Error("late"));
      await new Promise((resolve) => setTimeout(resolve, 300)); return 1;`,
    says: /late/,
  }),
  destructive("the heap, filled", {
    options: "timeout: 30",
    flags: ["--memory-limit", "64"],
    body: HOARD,
    says: GONE,
  }),
  destructive("an array of a very long text", {
    ...MEMORY,
    body: '"x".repeat(2 ** 28).split(""); return 1;',
    says: GONE,
  }),
  destructive("buffers without end", {
    ...MEMORY,
    body: "const all = []; while (true) all.push(new Uint8Array(64e6).fill(1));",
    // No flag of V8 limits buffers: the sandbox does. Trusted code is on its own.
    says: { untrusted: /memory|allocation|ended its process/i },
  }),
  destructive("memory of WebAssembly without end", {
    ...MEMORY,
    body: `const all = []; while (true) {
      const memory = new WebAssembly.Memory({ initial: 2000 });
      new Uint8Array(memory.buffer).fill(1); all.push(memory); }`,
    says: { untrusted: /memory|allocat|ended its process/i },
  }),
  destructive("a recursion without end", {
    body: "const deeper = () => deeper() + 1; return deeper();",
    says: /Maximum call stack|stack/i,
  }),
  destructive("a result that is too deep", {
    body: "let deep = {}; for (let i = 0; i < 1e5; i++) deep = { deep }; return deep;",
    says: /deep|stack|longer/i,
  }),
  destructive("output without end", {
    body: 'while (true) console.log("x".repeat(1e5));',
    flags: ["--quiet"],
    says: TIMEOUT,
    withinSec: 20,
  }),
  destructive("messages without end", {
    body: 'while (true) workspace.run(["x"]).catch(() => {});',
    // What has been sent by then is worked off first.
    says: /took longer than 0\.7 s|ran out of memory/,
    flags: ["--memory-limit", "256"],
    withinSec: 45,
  }),
  destructive("a message that is too long", {
    ...MEMORY,
    body: 'await workspace.run(["x".repeat(3e8)]); return 1;',
    says: /memory|too long|Invalid string length|longer|ended/,
  }),
  destructive("Workers without end", {
    body: `const code = "data:text/javascript,while(true);";
      for (let i = 0; i < 30; i++) new Worker(code, { type: "module" });
      await new Promise(() => {});`,
    says: { trusted: TIMEOUT, untrusted: /Worker is not defined/ },
  }),
  destructive("a time limit of its own that is longer than the run's", {
    options: "timeout: 1000",
    flags: ["--criterion-timeout", "1.5"],
    body: "await new Promise((resolve) => setTimeout(resolve, 4000)); return 1;",
    // A trusted author knows how long a check takes.
    says: { trusted: 1, untrusted: /took longer than 1\.5 s/ },
  }),
  whileLoading("a loop", "while (true);", /took longer than 1\.5 s while it was being loaded/),
  whileLoading(
    "a promise that never ends",
    "await new Promise(() => {});",
    /took longer than 1\.5/,
  ),
  whileLoading("Deno.exit()", "Deno.exit(0);", /called Deno\.exit\(\) while it was being loaded/),
  whileLoading("the heap, filled", HOARD, /memory|longer/),
  whileLoading(
    "criteria without end",
    "for (let i = 0; ; i++) rk.criterion({ name: `c${i}` }, function () { return 1; });",
    /longer|memory|too many/,
  ),
];
