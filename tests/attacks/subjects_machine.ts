// Attacks on the machine: programs, network, environment, and the process that Workers share.

import type { Attack, Mode, Subject } from "./attack.ts";

/** What trusted code may do: it harms nobody but itself. */
const TRUSTED: readonly Mode[] = ["trusted"];

export const programs: Subject = {
  name: "programs",
  protects: "the machine from programs that nobody declared",
  attacks: [
    { name: "a program", code: 'await new Deno.Command("true").output();' },
    { name: "a program by its path", code: 'await new Deno.Command("/bin/sh").output();' },
    { name: "a program, synchronously", code: 'new Deno.Command("id").outputSync();' },
    { name: "another Deno", code: "await new Deno.Command(Deno.execPath()).output();" },
    { name: "a program by the coordinator", code: 'await workspace.run(["true"]);' },
    { name: "the shell by the coordinator", code: 'await workspace.run(["sh", "-c", "id"]);' },
    { name: "a program of the workspace", code: 'await workspace.run(["./a.txt"]);' },
    { name: "a library", code: 'Deno.dlopen("libc.so.6", {});' },
  ],
  allowed: {
    declares: 'run: ["echo"]',
    flags: ["--allow-run=echo"],
    code: {
      "a program that is declared":
        'const { stdout } = await workspace.run(["echo", "x"]);\nif (stdout !== "x\\n") throw new Error(stdout);',
      "a program that is declared, by Deno":
        'const { success } = await new Deno.Command("echo").output();\nif (!success) throw new Error("failed");',
    },
  },
};

export const network: Subject = {
  name: "network",
  protects: "what the run knows from getting out, and services of the machine",
  attacks: [
    { name: "a request", code: 'await (await fetch("http://example.com/")).text();' },
    { name: "a request to this machine", code: "await (await fetch(AT.url)).text();" },
    { name: "a request by XMLHttpRequest", code: "new XMLHttpRequest();" },
    {
      name: "a web socket",
      code:
        'await new Promise((resolve, reject) => {\nconst socket = new WebSocket(AT.url.replace("http", "ws"));\nsocket.onopen = resolve; socket.onerror = reject; });',
    },
    {
      name: "an event source",
      code:
        'await new Promise((resolve, reject) => {\nconst source = new EventSource(AT.url);\nsource.onopen = resolve; source.onerror = () => reject(new Error("refused")); });',
    },
    {
      name: "a connection",
      code: "(await Deno.connect({ port: Number(new URL(AT.url).port) })).close();",
    },
    {
      name: "a connection by TLS",
      code: 'await Deno.connectTls({ hostname: "example.com", port: 443 });',
    },
    { name: "a server", code: 'Deno.listen({ hostname: "127.0.0.1", port: 0 }).close();' },
    {
      name: "an HTTP server",
      code: "await Deno.serve({ port: 0 }, () => new Response()).shutdown();",
    },
    { name: "a datagram", code: 'Deno.listenDatagram({ transport: "udp", port: 0 }).close();' },
    { name: "a name", code: 'await Deno.resolveDns("example.com", "A");' },
    {
      name: "a Unix socket",
      code: 'Deno.listen({ transport: "unix", path: `${AT.workspace}/s` }).close();',
    },
    {
      name: "the docker daemon",
      code: 'await Deno.connect({ transport: "unix", path: "/var/run/docker.sock" });',
    },
    {
      name: "a package of npm",
      code: 'await import("npm:left-pad@" + "1.3.0");',
      depends: TRUSTED,
    },
    { name: "a package of JSR", code: 'await import("jsr:@std/" + "path");' },
    { name: "a module of a host", code: 'await import(AT.url + "/" + "x.js");' },
    {
      name: "the cloud's metadata",
      code: 'await (await fetch("http://169.254.169.254/")).text();',
    },
  ],
  allowed: {
    declares: 'net: ["127.0.0.1"]',
    flags: ["--allow-net=127.0.0.1"],
    code: { "a host that is declared": "await (await fetch(AT.url)).text();" },
  },
};

export const environment: Subject = {
  name: "environment",
  protects: "secrets of whoever runs it, and what the machine is",
  attacks: [
    {
      name: "a secret variable",
      code: 'if (Deno.env.get("ATTACKS_TOKEN") !== "SECRET") throw new Error("none");',
    },
    {
      name: "a plain variable",
      code: 'if (Deno.env.get("ATTACKS_PLAIN") !== "plain") throw new Error("none");',
    },
    { name: "all variables", code: "Deno.env.toObject();" },
    { name: "a new variable", code: 'Deno.env.set("X", "y");' },
    { name: "the host's name", code: "Deno.hostname();" },
    { name: "the user", code: "Deno.uid();" },
    { name: "the load", code: "Deno.loadavg();" },
    { name: "the memory of the machine", code: "Deno.systemMemoryInfo();" },
    { name: "the network cards", code: "Deno.networkInterfaces();" },
    { name: "the kernel", code: "Deno.osRelease();" },
    { name: "how long it has run", code: "Deno.osUptime();" },
    {
      name: "the graphics card",
      code: 'if (!(await navigator.gpu?.requestAdapter())) throw new Error("none");',
      depends: TRUSTED,
    },
  ],
  allowed: {
    declares: 'env: ["ATTACKS_PLAIN"]',
    flags: ["--allow-env=ATTACKS_PLAIN"],
    code: {
      "a variable that is declared":
        'if (Deno.env.get("ATTACKS_PLAIN") !== "plain") throw new Error("not there");',
    },
  },
};

const gone = (name: string, works: readonly Mode[] = TRUSTED): Attack => ({
  name,
  code: `if (${name} === undefined) throw new Error("gone");`,
  works,
});

export const process: Subject = {
  name: "process",
  protects: "the process that Workers share, and the coordinator's channel",
  attacks: [
    ...[
      "globalThis.process",
      "globalThis.global",
      "globalThis.Buffer",
      "globalThis.Worker",
      "globalThis.BroadcastChannel",
      "globalThis.caches",
      "globalThis.setImmediate",
      "globalThis.MessageChannel",
      "Deno.kill",
      "Deno.args",
      "Deno.stdin",
      "Deno.stdout",
      "Deno.stderr",
      "Deno.addSignalListener",
      "Deno.execPath",
      "Deno.chdir",
      "Deno[Deno.internal]",
    ].map((name) => gone(name)),
    gone("globalThis.localStorage", []),
    gone("self.postMessage", []),
    { name: "a signal to its parent", code: 'Deno.kill(Deno.ppid, "SIGTERM");' },
    { name: "a signal to the first process", code: 'Deno.kill(1, "SIGTERM");' },
    { name: "a signal to its group", code: 'Deno.kill(0, "SIGTERM");' },
    {
      name: "a message of its own",
      code:
        'self.dispatchEvent(new MessageEvent("message", { data: { type: "run", index: 0 } }));\nthrow new Error("not trusted");',
    },
    {
      name: "the coordinator's address",
      code: 'if (!String(Deno.args?.[0]).includes("rewardkit")) throw new Error("unknown");',
      works: TRUSTED,
    },
  ],
  allowed: {
    code: {
      "its own number": "if (!(Deno.pid > 0)) throw new Error();",
      "its time": "await new Promise((resolve) => setTimeout(resolve, 1));",
      "text and digests": 'await crypto.subtle.digest("SHA-256", new TextEncoder().encode("x"));',
      "compression":
        'await new Response(new Response("x").body.pipeThrough(new CompressionStream("gzip"))).bytes();',
      "WebAssembly":
        "await WebAssembly.instantiate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));",
      "printing": 'console.log("x");',
    },
  },
};

/** By itself: whoever takes hold of a descriptor breaks what else runs in the process. */
export const descriptors: Subject = {
  name: "descriptors",
  protects: "the channel between a cell and the coordinator",
  attacks: [
    {
      name: "the socket of the coordinator, by its descriptor",
      code: 'const net = await import("node:" + "net");\n' +
        "let found = 0;\nfor (let fd = 3; fd < 40; fd++) { try { new net.Socket({ fd }).unref(); found++; } catch { /* none */ } }\n" +
        'if (found === 0) throw new Error("none");',
      // The token, which only the main thread has, keeps it from speaking for others.
      works: TRUSTED,
    },
  ],
  allowed: { code: { "nothing": "await 0;" } },
};
