import assert from "node:assert/strict";
import { bubblewrap } from "./bubblewrap.ts";
import type { Confinement, OsSandbox } from "./confinement.ts";
import { findOsSandbox } from "./find.ts";
import { unshare } from "./unshare.ts";

const BWRAP = "/usr/bin/bwrap";

/** Those that work on this machine; the others are skipped, which Deno counts. */
const SANDBOXES: [OsSandbox, boolean][] = [
  [bubblewrap(BWRAP), await works(bubblewrap(BWRAP))],
  [unshare, await works(unshare)],
];

async function works(sandbox: OsSandbox): Promise<boolean> {
  const confinement = { read: [], write: [], net: false, cwd: "/" };
  const { code } = await inside(sandbox, "true", confinement).catch(() => ({ code: 1 }));
  if (code !== 0) console.log(`SKIPPED: tests of ${sandbox.name}, which does not work here`);
  return code === 0;
}

async function inside(
  sandbox: OsSandbox,
  script: string,
  confinement: Confinement,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const [program, ...args] = sandbox.wrap(["sh", "-c", script], confinement);
  const { code, stdout, stderr } = await new Deno.Command(program!, { args }).output();
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trim();
  return { code, stdout: decode(stdout), stderr: decode(stderr) };
}

interface Place extends AsyncDisposable {
  path: string;
  confinement: Confinement;
}

/** A readable and a writable folder, and one that is not to be seen. */
async function place(): Promise<Place> {
  const path = await Deno.realPath(await Deno.makeTempDir({ prefix: "rewardkit-test-" }));
  for (const name of ["shown dir", "work", "hidden"]) {
    await Deno.mkdir(`${path}/${name}`);
    await Deno.writeTextFile(`${path}/${name}/file`, `${name}\n`);
  }
  return {
    path,
    confinement: { read: [`${path}/shown dir`], write: [`${path}/work`], net: false, cwd: "/tmp" },
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

for (const [sandbox, isHere] of SANDBOXES) {
  const test = (name: string, fn: () => Promise<void>) =>
    Deno.test({ name: `${sandbox.name}: ${name}`, ignore: !isHere, fn });

  test("what is listed can be read, and nothing else is there", async () => {
    await using at = await place();
    const script =
      `cat '${at.path}/shown dir/file'; ls '${at.path}'; ls /root /home /var /etc/passwd`;
    const { stdout, stderr } = await inside(sandbox, script, at.confinement);
    assert.equal(stdout, "shown dir\nshown dir\nwork");
    assert.equal(stderr.match(/No such file/g)?.length, 4);
  });

  test("only what is granted can be written", async () => {
    await using at = await place();
    const files = [
      `${at.path}/work/new`,
      `${at.path}/shown dir/new`,
      "/usr/new",
      "/new",
      "/etc/new",
    ];
    const script = files.map((file) => `(: > '${file}') 2>/dev/null && echo '${file}'`).join("\n");
    assert.equal((await inside(sandbox, script, at.confinement)).stdout, `${at.path}/work/new`);
    assert.ok((await Deno.stat(`${at.path}/work/new`)).isFile);
  });

  test("nor what is mounted in it", async () => {
    await using at = await place();
    const below = `${at.path}/shown dir/be low`;
    await Deno.mkdir(below);
    const argv = sandbox.wrap(["sh", "-c", `ls '${below}'; : >'${below}/new'`], at.confinement);
    // Whether it comes along is up to the sandbox.
    const mounted = 'mount -t tmpfs tmpfs "$1" && : >"$1/there" && chmod 777 "$1" && shift && "$@"';
    const root = Deno.uid() === 0 ? [] : ["--user", "--map-root-user"];
    const { stdout, stderr } = await new Deno.Command("unshare", {
      args: [...root, "--mount", "sh", "-c", mounted, "sh", below, ...argv],
    }).output();
    const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    assert.ok(["", "there\n"].includes(decode(stdout)), decode(stderr));
    assert.match(decode(stderr), /Read-only file system/);
  });

  test("a link does not lead to what is not shown", async () => {
    await using at = await place();
    await Deno.symlink(`${at.path}/hidden`, `${at.path}/work/link`);
    const { stdout } = await inside(sandbox, `cat '${at.path}/work/link/file'`, at.confinement);
    assert.equal(stdout, "");
  });

  test("there is no network unless it is granted", async () => {
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = listener.addr as Deno.NetAddr;
    const script = `exec 3<>/dev/tcp/127.0.0.1/${port} && echo connected`;
    const connects = async (net: boolean) => {
      const argv = ["bash", "-c", script];
      const confinement = { read: [], write: [], net, cwd: "/" };
      const [program, ...args] = sandbox.wrap(argv, confinement);
      const { stdout } = await new Deno.Command(program!, { args, stderr: "null" }).output();
      return new TextDecoder().decode(stdout) === "connected\n";
    };
    assert.deepEqual([await connects(true), await connects(false)], [true, false]);
  });

  test("other processes are not seen, and there are no privileges", async () => {
    await using at = await place();
    const script = "ls /proc | grep -c '^[0-9]'; grep CapEff /proc/self/status; " +
      "grep NoNewPrivs /proc/self/status; mount -t tmpfs x /tmp && echo mounted";
    const { stdout } = await inside(sandbox, script, at.confinement);
    const [processes, capabilities, privileges, ...others] = stdout.split("\n");
    assert.ok(Number(processes) < 8, processes);
    assert.deepEqual([capabilities, privileges], ["CapEff:\t0000000000000000", "NoNewPrivs:\t1"]);
    assert.deepEqual(others, []);
  });

  test("it starts in its folder, with its own temporary files", async () => {
    await using at = await place();
    const file = `/tmp/${crypto.randomUUID()}`;
    const { stdout } = await inside(sandbox, `pwd; ls -A /tmp; : > ${file} && echo ok`, {
      ...at.confinement,
      cwd: `${at.path}/work`,
    });
    const [folder, ...rest] = stdout.split("\n");
    assert.equal(folder, `${at.path}/work`);
    assert.equal(rest.at(-1), "ok");
    assert.ok(!(await exists(file)));
  });

  test("memory and temporary files have a limit", async () => {
    await using at = await place();
    const limited = { ...at.confinement, memoryMiB: 100 };
    const script =
      "head -c 200000000 /dev/zero > /tmp/x; ls -s --block-size=1M /tmp/x | cut -d' ' -f1; " +
      "ulimit -d";
    const { stdout } = await inside(sandbox, script, limited);
    const [written, data] = stdout.split("\n").map(Number);
    assert.ok(written! <= 65, `${written} MiB`);
    assert.equal(data, (100 + 1536) * 1024);
  });

  test("what it starts dies with whoever started it", async () => {
    await using at = await place();
    const marker = `sleep 93.${crypto.getRandomValues(new Uint16Array(1))[0]}`;
    const [program, ...args] = sandbox.wrap(
      ["sh", "-c", `setsid ${marker} & ${marker}`],
      at.confinement,
    );
    const child = new Deno.Command(program!, { args, stdout: "null", stderr: "null" }).spawn();
    while (running(marker) < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    child.kill("SIGKILL");
    await child.status;
    for (let time = 0; time < 300 && running(marker) > 0; time++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.equal(running(marker), 0);
  });
}

Deno.test({
  name: "the first sandbox that works is found",
  ignore: !SANDBOXES.some(([, isHere]) => isHere),
  async fn() {
    const [first] = SANDBOXES.find(([, isHere]) => isHere)!;
    assert.equal((await findOsSandbox()).name, first.name);
  },
});

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

/** Processes that are just that. */
function running(line: string): number {
  let count = 0;
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const command = Deno.readTextFileSync(`/proc/${name}/cmdline`).replaceAll("\0", " ").trim();
      if (command === line) count++;
    } catch {
      // Has ended.
    }
  }
  return count;
}
