// Every way to make a view, by itself. Which of them the machine has decides what is run; the same
// file is run as another user by tests/isolation_test.ts.

import assert from "node:assert/strict";
import { SandboxError, SubmissionError } from "../errors.ts";
import { Views } from "./views.ts";
import type { Backend, View } from "./view.ts";
import { requireFuse, type Way, waysOf } from "./ways.ts";

const WAYS: readonly (Way | "copy")[] = [...waysOf("auto"), "copy"];
const IS_ROOT = Deno.uid() === 0;

function nameOf(way: Way | "copy"): string {
  return way === "copy" ? way : `${way.backend}, layers ${way.layers}`;
}

/** A workspace with a name that would mean something in mount options, and a folder for views. */
async function place() {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "rewardkit-test-" }));
  const workspace = `${root}/a,b:c\\d "e"\n$(f)`;
  const privateDir = `${root}/private`;
  await Deno.mkdir(`${workspace}/deep/er`, { recursive: true });
  await Deno.mkdir(privateDir);
  await Deno.writeTextFile(`${workspace}/a.txt`, "before\n");
  await Deno.writeTextFile(`${workspace}/deep/er/b.txt`, "deep\n");
  await Deno.symlink("deep/er", `${workspace}/link`);
  await Deno.symlink("/", `${workspace}/out`);
  return {
    root,
    workspace,
    privateDir,
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

function viewsOf(
  way: Way | "copy",
  { workspace, privateDir }: { workspace: string; privateDir: string },
): Views {
  const common = { workspace, privateDir, onWarning: () => {} };
  if (way === "copy") return new Views({ ...common, isolation: "copy" });
  return new Views({ ...common, isolation: way.usesFuse ? "fuse" : "overlay", ways: [way] });
}

async function inside(view: View, script: string, cwd?: string) {
  const [program, ...args] = view.wrap(["sh", "-c", script], cwd ?? view.path);
  const command = new Deno.Command(program!, { args, cwd: "/", stdin: "null" });
  const { code, stdout, stderr } = await command.output();
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: decode(stdout), stderr: decode(stderr) };
}

/** Whether the machine allows it; what it lacks is said. */
async function isToBeHad(way: Way | "copy"): Promise<boolean> {
  if (way === "copy") return true;
  await using at = await place();
  try {
    if (way.usesFuse) requireFuse();
    const view = await viewsOf(way, at).make();
    await view.close();
    return true;
  } catch (error) {
    console.log(`SKIPPED: no views by ${nameOf(way)} here: ${(error as Error).message}`);
    return false;
  }
}

for (const way of WAYS) {
  const ignore = !await isToBeHad(way);
  const isMounted = way !== "copy";
  // fuse-overlayfs shows a folder that was replaced and renamed once more, and cannot remove sockets.
  const isFuse = isMounted && way.usesFuse;
  const test = (
    name: string,
    work: (views: Views, at: Awaited<ReturnType<typeof place>>) => Promise<void>,
    applies = true,
  ) => {
    if (!applies) return;
    Deno.test({
      name: `${nameOf(way)}: ${name}`,
      ignore,
      fn: async () => {
        await using at = await place();
        const views = viewsOf(way, at);
        try {
          await work(views, at);
        } finally {
          await views.end();
        }
        assert.deepEqual([...Deno.readDirSync(at.privateDir)], []);
      },
    });
  };

  test("what is done to a view stays in it", async (views, { workspace }) => {
    const [view, other] = await Promise.all([views.make(), views.make()]);
    const script = `
      set -e
      echo after >a.txt
      rm -r deep && mkdir deep && echo new >deep/new.txt && ${isFuse ? "cp -r" : "mv"} deep renamed
      rm -rf deep
      ln -s a.txt another && chmod 600 a.txt
      ls && cat a.txt renamed/new.txt`;
    assert.deepEqual(await inside(view, script), {
      code: 0,
      stdout: "a.txt\nanother\nlink\nout\nrenamed\nafter\nnew\n",
      stderr: "",
    });
    const untouched = { code: 0, stdout: "before\ndeep\n", stderr: "" };
    assert.deepEqual(await inside(other, "cat a.txt deep/er/b.txt"), untouched);
    assert.equal(Deno.readTextFileSync(`${workspace}/a.txt`), "before\n");
    assert.equal(Deno.readTextFileSync(`${workspace}/deep/er/b.txt`), "deep\n");
    assert.deepEqual(
      [...Deno.readDirSync(workspace)].map(({ name }) => name).sort(),
      ["a.txt", "deep", "link", "out"],
    );
  });

  test("the folder itself looks like the workspace's", async (views, { workspace }) => {
    Deno.chmodSync(workspace, 0o751);
    Deno.utimeSync(workspace, 1e9, 1e9);
    const view = await views.make();
    const { stdout } = await inside(view, "stat -c '%a %Y' . && id -u && id -g");
    assert.equal(stdout, `751 1000000000\n${Deno.uid()}\n${Deno.gid()}\n`);
  });

  test("a working folder is one of the view", async (views) => {
    const view = await views.make();
    await inside(view, "mkdir made && : >file");
    assert.equal(await view.workingFolder(), view.path);
    assert.equal(await view.workingFolder("link"), `${view.path}/deep/er`);
    assert.equal(await view.workingFolder("made"), `${view.path}/made`);
    assert.equal(await view.workingFolder("/"), "/");
    const refused = async (cwd: string, message: RegExp) => {
      await assert.rejects(view.workingFolder(cwd), (error: Error) => {
        assert.match(error.message, message);
        return error instanceof SubmissionError;
      });
    };
    await refused("missing", /"missing" does not exist/);
    await refused("file", /"file" is not a folder/);
    await refused("out", /"out" leaves the workspace through a link/);
    assert.equal((await inside(view, "pwd", await view.workingFolder("link"))).code, 0);
  });

  test("programs that are not there, or not programs, are told as by a shell", async (views) => {
    const view = await views.make();
    const codes = ["/no/such/program", `${view.path}/a.txt`].map(async (program) => {
      const [first, ...args] = view.wrap([program]);
      const { code } = await new Deno.Command(first!, { args, stderr: "null" }).output();
      return code;
    });
    if (isMounted) assert.deepEqual(await Promise.all(codes), [127, 126]);
    else await Promise.allSettled(codes);
  });

  test("an absolute path is caught as well", async (views, { workspace }) => {
    const view = await views.make();
    assert.equal(view.path, workspace);
    const [program, ...args] = view.wrap(["sh", "-c", 'echo after >"$1/a.txt"', "sh", workspace]);
    assert.ok((await new Deno.Command(program!, { args }).output()).success);
    assert.equal((await inside(view, "cat a.txt")).stdout, "after\n");
    assert.equal(Deno.readTextFileSync(`${workspace}/a.txt`), "before\n");
  }, isMounted);

  test("nobody in it gets below it", async (views, { workspace }) => {
    const view = await views.make();
    const script = `
      umount "$PWD"; umount -l .; mount --bind / "$PWD"; nsenter -t 1 -m true && cd /proc/1/cwd/ &&
        [ a.txt -nt /proc ] && echo escaped
      for path in /proc/[0-9]*/cwd /proc/[0-9]*/root /proc/[0-9]*/fd/*; do
        echo after >"$path$PWD/a.txt"; echo after >"$path/a.txt"
      done
      cat a.txt`;
    await inside(view, script);
    assert.equal(Deno.readTextFileSync(`${workspace}/a.txt`), "before\n");
    assert.deepEqual(mountsOf("self").filter((line) => line.includes(view.path)), []);
  }, isMounted);

  test("what is left running dies with it", async (views) => {
    const view = await views.make();
    const mark = crypto.randomUUID();
    const script =
      `env -i setsid sh -c 'trap "" TERM HUP; while :; do sleep 1; done' ${mark} >/dev/null 2>&1 &`;
    assert.equal((await inside(view, `${script} echo ok`)).stdout, "ok\n");
    // While a process becomes another program it is not to be seen.
    for (let time = 0; time < 500 && processesWith(mark).length === 0; time++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.notDeepEqual(processesWith(mark), []);
    await view.close();
    assert.deepEqual(processesWith(mark), []);
    await view.close();
  }, isMounted);

  test("links, pipes, sockets and devices do no harm", async (views, { workspace }) => {
    const made = new Deno.Command("sh", {
      args: ["-c", "mkfifo fifo; [ $(id -u) != 0 ] || mknod device c 1 5; : >empty; ln empty hard"],
      cwd: workspace,
    });
    assert.ok((await made.output()).success);
    using _socket = Deno.listen({ transport: "unix", path: `${workspace}/s` });
    const view = await views.make();
    const { stdout, stderr } = await inside(
      view,
      `rm fifo ${isFuse ? "&&" : "s &&"} rm -f device && ls && echo x >hard`,
    );
    const left = `a.txt\ndeep\nempty\nhard\nlink\nout\n${isFuse ? "s\n" : ""}`;
    assert.equal(stdout, left, stderr);
    assert.ok(Deno.lstatSync(`${workspace}/fifo`).isFifo);
    assert.equal(Deno.statSync(`${workspace}/hard`).size, 0);
  });

  test("a view that something else has ended is an error", async (views) => {
    const view = await views.make();
    const pid = Number(view.wrap(["true"])[view.wrap(["true"]).indexOf("--target") + 1]);
    Deno.kill(pid, "SIGKILL");
    await assert.rejects(async () => {
      while (true) {
        view.wrap(["true"]);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }, SandboxError);
    await assert.rejects(view.close(), SandboxError);
  }, isMounted);

  test("what is mounted in the workspace is part of the view", async (_, at) => {
    const script = `
      mkdir "$1/volume" "$1/volume/sub" && mount -t tmpfs tmpfs "$1/volume" || exit
      mkdir "$1/volume/sub" && echo inner >"$1/volume/sub/c.txt" && : >"$1/single"
      mount --bind "$1/volume/sub/c.txt" "$1/single" || exit
      exec "$2" run -A --no-config "$3" "$1" "$4" '${JSON.stringify(way)}'`;
    const probe = new URL("../../tests/mounts_probe.ts", import.meta.url).pathname;
    const { stdout, stderr } = await new Deno.Command("unshare", {
      args: [
        ...(IS_ROOT ? ["--mount"] : ["--mount", "--user", "--map-root-user"]),
        ...["sh", "-c", script, "sh", at.workspace, Deno.execPath(), probe, at.privateDir],
      ],
    }).output();
    const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    assert.equal(decode(stdout), "inner\nchanged\nchanged\ninner\ninner\n", decode(stderr));
  }, isMounted && IS_ROOT && !way.ownsUsers);
}

Deno.test("a way that is not to be had is an error that says what is missing", async () => {
  await using at = await place();
  const { workspace, privateDir } = at;
  const [way] = waysOf("overlay");
  const views = new Views({
    workspace,
    privateDir,
    isolation: "overlay",
    ways: [{ ...way!, options: ",no-such-option" }],
    onWarning: () => {},
  });
  for (let i = 0; i < 2; i++) {
    await assert.rejects(views.make(), (error: Error) => {
      assert.match(error.message, /^There are no views by --isolation=overlay here: overlay.*: /);
      return error instanceof SandboxError && error.hint!.includes("CAP_SYS_ADMIN");
    });
  }
  assert.deepEqual([...Deno.readDirSync(privateDir)], []);
});

Deno.test("where nothing can be mounted a copy is made, with a warning", async () => {
  await using at = await place();
  const { workspace, privateDir } = at;
  const warnings: string[] = [];
  const onWarning = (message: string) => warnings.push(message);
  const views = new Views({ workspace, privateDir, isolation: "auto", ways: [], onWarning });
  const backends: Backend[] = [(await views.make()).backend, (await views.make()).backend];
  assert.deepEqual(backends, ["copy", "copy"]);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!, /reaches the real one/);
  await views.end();
});

function processesWith(text: string): string[] {
  return [...Deno.readDirSync("/proc")].map(({ name }) => name).filter((name) => {
    try {
      return /^\d+$/.test(name) && Deno.readTextFileSync(`/proc/${name}/cmdline`).includes(text);
    } catch {
      return false;
    }
  });
}

function mountsOf(process: string): string[] {
  return Deno.readTextFileSync(`/proc/${process}/mounts`).split("\n");
}
