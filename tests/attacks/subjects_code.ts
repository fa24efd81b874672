// Attacks by code that is loaded: Node's modules, other modules, and other Workers.

import type { Attack, Mode, Subject } from "./attack.ts";

const TRUSTED: readonly Mode[] = ["trusted"];

/** Reach the process; trusted code may load them, and they still ask for permissions. */
const NODE = (
  "async_hooks child_process cluster console constants crypto dgram diagnostics_channel dns " +
  "dns/promises domain fs fs/promises http http2 https inspector module net os perf_hooks process " +
  "readline readline/promises repl sqlite stream stream/consumers stream/promises stream/web sys " +
  "test timers timers/promises tls trace_events tty v8 vm wasi worker_threads zlib"
).split(" ");

export const node: Subject = {
  name: "node",
  protects: "the process from Node's half of the runtime, which asks for few permissions",
  attacks: [
    ...NODE.map((name): Attack => ({
      name: `node:${name}`,
      code: `await import("node:" + ${JSON.stringify(name)});`,
      works: TRUSTED,
    })),
    { name: "a module by the process", code: 'process.getBuiltinModule("net");', works: TRUSTED },
    {
      name: "a module by require",
      code:
        'const { createRequire } = await import("node:" + "module");\ncreateRequire(import.meta.url)("node:net");',
      works: TRUSTED,
    },
    {
      name: "files, by Node",
      code: 'const fs = await import("node:" + "fs");\nfs.readFileSync("/etc/passwd");',
    },
    {
      name: "programs, by Node",
      code: 'const it = await import("node:" + "child_process");\nit.execSync("id");',
    },
    {
      name: "variables, by Node",
      code:
        'const { env } = await import("node:" + "process");\nif (env.ATTACKS_TOKEN !== "SECRET") throw new Error("none");',
    },
    {
      name: "a database on the disk, by Node",
      code:
        'const { DatabaseSync } = await import("node:" + "sqlite");\nnew DatabaseSync(`${AT.workspace}/db`);',
    },
    {
      name: "a Worker with more permissions, by Node",
      code: 'const { Worker } = await import("node:" + "worker_threads");\n' +
        'const worker = new Worker("require(\\"fs\\").readFileSync(\\"/etc/passwd\\")", { eval: true });\n' +
        'await new Promise((resolve, reject) => { worker.on("error", reject); worker.on("exit", resolve); });',
    },
  ],
  allowed: {
    code: Object.fromEntries(
      [
        "path",
        "path/posix",
        "url",
        "util",
        "assert",
        "assert/strict",
        "events",
        "buffer",
        "querystring",
        "string_decoder",
        "punycode",
        "util/types",
      ]
        .map((name) => [`node:${name}`, `await import("node:" + ${JSON.stringify(name)});`]),
    ),
  },
};

export const modules: Subject = {
  name: "modules",
  protects: "files of the machine from being read as modules",
  attacks: [
    { name: "a module outside", code: "await import(`file://${AT.module}`);" },
    {
      name: "a text outside",
      code: 'await import("file:///etc/passwd", { with: { type: "text" } });',
    },
    {
      name: "JSON outside",
      code: 'await import(`file://${AT.secret}`, { with: { type: "json" } });',
    },
    {
      name: "bytes outside",
      code: 'await import("file:///etc/passwd", { with: { type: "bytes" } });',
    },
    {
      name: "a module outside, by a module in a URL",
      code: "await import(`data:text/javascript,import ${JSON.stringify(`file://${AT.module}`)}`);",
    },
    {
      name: "a module outside, by a module in memory",
      code:
        'await import(URL.createObjectURL(new Blob([`import ${JSON.stringify(`file://${AT.module}`)}`], { type: "text/javascript" })));',
    },
    {
      name: "a module outside, by eval",
      code: "await (0, eval)(`import(${JSON.stringify(`file://${AT.module}`)})`);",
    },
    {
      name: "a module outside, by a function of text",
      code: "await new Function(`return import(${JSON.stringify(`file://${AT.module}`)})`)();",
    },
    {
      name: "a module outside, through a link in the workspace",
      code: "await import(`file://${AT.workspace}/linked/module.ts`);",
      // Deno's permissions follow links; the sandbox has nothing there.
      works: ["trusted", "deno"],
    },
    {
      name: "a module of another folder",
      code: "await import(`file://${AT.tests}/other/lib.ts`);",
      works: TRUSTED,
    },
    { name: "a module of a host", code: "await import(`${AT.url}/x.js`);" },
  ],
  allowed: {
    code: {
      "a module in a URL": 'await import("data:text/javascript,export default 1");',
      "code from text": 'if ((0, eval)("1 + 1") !== 2) throw new Error();',
    },
  },
};

const WORKER = (code: string, options = '{ type: "module" }') =>
  `const worker = new Worker(${
    JSON.stringify(`data:text/javascript,${encodeURIComponent(code)}`)
  }, ${options});\n` +
  "const answer = await new Promise((resolve, reject) => {\n" +
  "worker.onmessage = ({ data }) => resolve(data);\nworker.onerror = (event) => { event.preventDefault(); reject(new Error(event.message)); }; });\n" +
  'worker.terminate();\nif (answer !== "got") throw new Error(answer);';

export const workers: Subject = {
  name: "workers",
  protects: "other Workers, and permissions from being widened by new ones",
  attacks: [
    { name: "a Worker", code: WORKER('postMessage("got")'), works: TRUSTED },
    {
      name: "a Worker that reads",
      code: WORKER(
        'try { Deno.readTextFileSync("/etc/passwd"); postMessage("got"); } catch (error) { postMessage(String(error)); }',
      ),
    },
    {
      name: "a Worker with all permissions",
      code: WORKER('postMessage("got")', '{ type: "module", deno: { permissions: "inherit" } }'),
      works: TRUSTED,
    },
    {
      name: "a Worker with a permission of its own",
      code: WORKER(
        'postMessage("got")',
        '{ type: "module", deno: { permissions: { read: true } } }',
      ),
    },
    {
      name: "a channel to other Workers",
      code: 'new BroadcastChannel("rewardkit").postMessage("x");',
      // Nobody listens.
      works: TRUSTED,
    },
    { name: "a shared Worker", code: 'new SharedWorker("data:text/javascript,");' },
  ],
  allowed: {
    code: {
      "shared memory": "new SharedArrayBuffer(8);",
      "tasks": "await Promise.all([1, 2].map(async (x) => await x));",
    },
  },
};
