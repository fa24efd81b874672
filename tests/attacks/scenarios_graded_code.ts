// Code of the graded work that a criterion imports to try it: it must not speak for the criterion,
// for the others of its file, or for built-ins.

import type { Ending, Scenario } from "./scenario.ts";

/** What the graded code finds, and what must come of it: nothing but zeros and errors. */
const CHECKS = `
  rk.criterion({ read: ["solution.js"] }, async function honest(workspace) {
    const { solve } = await import(\`file://\${workspace}/solution.js\`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    return solve() === 42;
  });
  // From here on the graded code has been loaded.
  rk.commandSucceeds("true", { name: "a pause" });
  rk.criterion({ read: ["a.txt"] }, async function text(workspace) {
    return await workspace.readText("a.txt") === "right\\n";
  });
  rk.criterion({ read: [] }, async function object() { return { score: 0, reasoning: "mine" }; });
  rk.criterion({ read: [] }, async function later() { await 0; return 0; });
  rk.criterion({ read: ["data.json"] }, async function json(workspace) {
    return (await workspace.readJson("data.json")).answer === 42;
  });
  rk.criterion({ read: ["nothing"] }, async function exists(workspace) {
    return await workspace.exists("nothing");
  });
  rk.criterion({ read: [], run: ["false"] }, async function program(workspace) {
    return (await workspace.run(["false"])).code === 0;
  });
  rk.fileContains("a.txt", "right", { name: "built-in" });`;

const NAMES = ["honest", "text", "object", "later", "json", "exists", "program", "built-in"];

/** No criterion that the graded code could have spoken for has a score. */
const nothingGained: NonNullable<Ending["holds"]> = ({ values }) => {
  const gained = NAMES.filter((name) => values[name] === 1);
  if (gained.length > 0) throw new Error(`forged: ${gained.join(", ")}`);
};

interface Rest {
  code?: number;
  checks?: string;
  ending?: Ending;
}

function graded(name: string, code: string, { code: exit = 0, checks, ending }: Rest = {}) {
  return {
    name: `the graded code ${name}`,
    protects: "the score: nobody but the checks decides it",
    tests: { "checks/checks.ts": checks ?? CHECKS, "checks/oracle.txt": "ORACLE\n" },
    workspace: {
      "solution.js": `export const solve = () => 41;\n${code}`,
      "a.txt": "wrong\n",
      "data.json": '{"answer": 41}',
    },
    ends: { trusted: ending ?? { code: exit, holds: nothingGained } },
  } satisfies Scenario;
}

const FORGED = JSON.stringify({
  type: "message",
  worker: 0,
  message: { type: "scored", index: 1, result: "true", warnings: [] },
});

/** Of an attack that decides what later criteria of the same file find. */
const SAME_FILE: Ending = {
  accepted: "code that a criterion loads shares the Worker of its check file; the README says to " +
    "give it a file of its own",
};

const withRead = (read: string) =>
  `rk.criterion({ ${read} }, async function leak(workspace) {
    const { leak } = await import(\`file://\${workspace}/solution.js\`);
    return { score: 1, reasoning: await leak() };
  });`;
const LEAK = "export const leak = async () => await Deno.readTextFile(" +
  '"$TESTS/checks/oracle.txt");';

export const gradedCode: readonly Scenario[] = [
  graded("posts messages", 'self.postMessage({ type: "scored", index: 0, result: "1" });', {
    ending: { code: 1, values: { honest: /postMessage is not a function/ } },
  }),
  graded(
    "posts messages as an event",
    `
    self.dispatchEvent(new MessageEvent("message", { data: { type: "run", index: 4 } }));
    self.dispatchEvent(new MessageEvent("message", { data: { type: "prepare",
      setting: { workspace: "/", maxFileBytes: 1e9, revoke: [], file: "data:text/javascript," } } }));`,
  ),
  graded(
    "posts messages to the other end by a broadcast",
    `
    new BroadcastChannel("rewardkit").postMessage({ type: "scored", index: 0, result: "true" });`,
  ),
  graded(
    "writes into the channel's descriptor",
    `
    const { Socket } = await import("node:net");
    for (let fd = 3; fd < 64; fd++) {
      try { new Socket({ fd }).on("error", () => {}).write(${JSON.stringify(`\n${FORGED}\n`)}); }
      catch { /* none */ }
    }`,
    { code: 1 },
  ),
  graded(
    "changes messages on their way",
    `
    addEventListener("message", (event) => {
      if (event.data?.type !== "run") return;
      Object.defineProperty(event, "data", { value: { type: "run", index: 0 } });
    }, { capture: true });`,
  ),
  graded(
    "hears what its process is told",
    `
    addEventListener("message", (event) => event.stopImmediatePropagation(), { capture: true });`,
  ),
  graded(
    "replaces JSON",
    `
    JSON.stringify = () => "true";
    JSON.parse = () => ({ answer: 42 });`,
    { ending: SAME_FILE },
  ),
  graded(
    "replaces what objects are made with",
    `
    Object.keys = () => []; Object.create = () => ({ score: 1 });
    Object.getPrototypeOf = () => null; Number.isFinite = () => true;`,
  ),
  graded(
    "replaces Promise.prototype.then",
    `
    const { then } = Promise.prototype;
    Promise.prototype.then = function (done, failed) {
      return then.call(this, () => done(true), failed);
    };`,
  ),
  graded(
    "replaces the constructor of promises",
    `
    const { then } = Promise.prototype;
    Promise.prototype.constructor = function () {};
    Promise.prototype.then = function (done, failed) {
      try { return done(true); } catch { return then.call(this, done, failed); }
    };`,
    { ending: SAME_FILE },
  ),
  graded(
    "makes every object a promise",
    `
    Object.defineProperty(Object.prototype, "then", { configurable: true, get() {
      return "score" in this ? (resolve) => resolve(true) : undefined;
    } });`,
    { ending: SAME_FILE },
  ),
  graded(
    "replaces how texts are decoded",
    `
    TextDecoder.prototype.decode = () => "right\\n";`,
    {
      ending: SAME_FILE,
    },
  ),
  graded(
    "replaces how files are looked at",
    `
    const { statSync } = Deno;
    Deno.statSync = () => statSync("${"$"}WORKSPACE/a.txt");`,
    {
      ending: SAME_FILE,
    },
  ),
  graded(
    "replaces how answers are found",
    `
    const { get } = Map.prototype;
    Map.prototype.get = function (key) {
      const found = get.call(this, key);
      if (typeof found !== "function") return found;
      return (answer) => found({ ...answer, result: { code: 0, stdout: "", stderr: "" } });
    };`,
    { ending: SAME_FILE },
  ),
  graded(
    "adds properties to every object",
    `
    for (const [key, value] of Object.entries({ score: 1, result: "true", index: 1, fault: "check",
      value: 1, isolated: true, weight: 99 })) {
      Object.defineProperty(Object.prototype, key,
        { value, configurable: true, enumerable: false, writable: true });
    }`,
  ),
  graded(
    "declares criteria of its own",
    `
    const rk = await import(${JSON.stringify(new URL("../../checks.ts", import.meta.url).href)});
    rk.criterion({ name: "bonus" }, function () { return 1; });`,
    {
      ending: { code: 1, values: { honest: /criteria are declared while a check file loads/ } },
    },
  ),
  graded("leaves", "Deno.exit(0);", {
    ending: { code: 1, values: { honest: /called Deno\.exit\(\)/, "built-in": 0 } },
  }),
  graded("kills the process", 'Deno.kill(Deno.pid, "SIGKILL"); await new Promise(() => {});', {
    ending: { code: 1, values: { honest: /ended its process/, "built-in": 0 } },
  }),
  graded("throws what is no error", "throw null;", {
    ending: { code: 1, values: { honest: /threw null, which is no Error/, "built-in": 0 } },
  }),
  graded(
    "blames the submission's lack for its own error",
    `
    const { SubmissionError } = await import(${
      JSON.stringify(new URL("../../src/errors.ts", import.meta.url).href)
    });
    throw new SubmissionError("nothing to see");`,
  ),
  graded("reads the oracle of a criterion that declares what it reads", LEAK, {
    checks: withRead('read: ["solution.js"]'),
    ending: { code: 1, values: { leak: /needs read access to "\S+oracle\.txt"/ }, hides: /ORACLE/ },
  }),
  graded("reads the oracle of a criterion that does not", LEAK, {
    checks: withRead(""),
    ending: {
      values: { leak: 1 },
      accepted: "by default a criterion reads the tests folder; the README says to declare",
    },
  }),
  graded(
    "writes, runs and connects",
    `
    export const tries = async () => {
      const all = [
        () => Deno.writeTextFileSync("${"$"}WORKSPACE/a.txt", "right\\n"),
        () => new Deno.Command("true").outputSync(),
        () => Deno.env.get("HOME"),
        () => Deno.connect({ port: 1 }),
        () => Deno.readTextFileSync("/etc/hostname"),
      ];
      const outcomes = await Promise.allSettled(all.map(async (one) => await one()));
      return outcomes.filter(({ reason }) => !(reason instanceof Deno.errors.NotCapable)).length;
    };`,
    {
      checks: `rk.criterion(async function leak(workspace) {
      const { tries } = await import(\`file://\${workspace}/solution.js\`);
      return await tries() === 0;
    });`,
      ending: { values: { leak: 1 } },
    },
  ),
];
