import assert from "node:assert/strict";
import { SandboxError } from "../errors.ts";
import { copyView } from "./copy.ts";

async function withFolders(work: (workspace: string, views: string) => Promise<void>) {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "rewardkit-test-" }));
  try {
    for (const name of ["work", "views"]) Deno.mkdirSync(`${root}/${name}`);
    await work(`${root}/work`, `${root}/views`);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("a view that cannot be made is a SandboxError and leaves nothing behind", async () => {
  await withFolders(async (workspace, views) => {
    await assert.rejects(copyView(`${workspace}/missing`, views), (error: Error) => {
      assert.match(error.message, /^The workspace cannot be copied for an isolated criterion: /);
      return error instanceof SandboxError;
    });
    assert.deepEqual([...Deno.readDirSync(views)], []);
  });
});

Deno.test("a view holds the whole workspace: names, links, modes and times as they are", async () => {
  await withFolders(async (workspace, views) => {
    Deno.mkdirSync(`${workspace}/deep/er`, { recursive: true });
    Deno.writeTextFileSync(`${workspace}/.hidden`, "h");
    Deno.writeTextFileSync(`${workspace}/-rf *\n`, "odd");
    Deno.writeTextFileSync(`${workspace}/deep/er/run.sh`, "#!/bin/sh\n");
    Deno.chmodSync(`${workspace}/deep/er/run.sh`, 0o755);
    Deno.utimeSync(`${workspace}/.hidden`, 1e9, 1e9);
    Deno.symlinkSync("deep/er", `${workspace}/link`);
    Deno.symlinkSync("/no/such", `${workspace}/broken`);
    const fifo = await new Deno.Command("mkfifo", { args: [`${workspace}/fifo`] }).output();
    assert.ok(fifo.success);

    const view = await copyView(workspace, views);
    assert.equal(view.backend, "copy");
    assert.ok(view.path.startsWith(`${views}/`));
    const names = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    assert.deepEqual(names(view.path), names(workspace));
    assert.equal(Deno.readTextFileSync(`${view.path}/-rf *\n`), "odd");
    assert.equal(Deno.readLinkSync(`${view.path}/link`), "deep/er");
    assert.equal(Deno.readLinkSync(`${view.path}/broken`), "/no/such");
    assert.equal(Deno.statSync(`${view.path}/deep/er/run.sh`).mode! & 0o777, 0o755);
    assert.equal(Deno.statSync(`${view.path}/.hidden`).mtime!.getTime(), 1e12);
    assert.equal(Deno.lstatSync(`${view.path}/fifo`).isFifo, true);
    await view.close();
  });
});

Deno.test("what happens in a view stays in it, and is gone when it is closed", async () => {
  await withFolders(async (workspace, views) => {
    Deno.writeTextFileSync(`${workspace}/a.txt`, "before");
    const [one, other] = await Promise.all([
      copyView(workspace, views),
      copyView(workspace, views),
    ]);
    Deno.writeTextFileSync(`${one.path}/a.txt`, "after");
    Deno.writeTextFileSync(`${one.path}/new.txt`, "");
    assert.equal(Deno.readTextFileSync(`${workspace}/a.txt`), "before");
    assert.equal(Deno.readTextFileSync(`${other.path}/a.txt`), "before");
    assert.deepEqual([...Deno.readDirSync(workspace)].map(({ name }) => name), ["a.txt"]);

    const argv = ["sh", "-c", "ls"];
    assert.deepEqual(one.wrap(argv), argv);
    assert.notEqual(one.wrap(argv), argv);

    await one.close();
    assert.equal([...Deno.readDirSync(views)].length, 1);
    await one.close();
    await other.close();
    assert.deepEqual([...Deno.readDirSync(views)], []);
  });
});

Deno.test("a view is thrown away although its folders cannot be entered, links not followed", async () => {
  await withFolders(async (workspace, views) => {
    Deno.mkdirSync(`${workspace}/locked`);
    Deno.writeTextFileSync(`${workspace}/locked/a.txt`, "");
    const kept = `${views}-kept`;
    Deno.mkdirSync(kept);
    Deno.writeTextFileSync(`${kept}/precious.txt`, "");
    const view = await copyView(workspace, views);
    Deno.symlinkSync(kept, `${view.path}/link`);
    Deno.chmodSync(`${view.path}/locked`, 0);
    await view.close();
    assert.deepEqual([...Deno.readDirSync(views)], []);
    assert.equal(Deno.statSync(`${kept}/precious.txt`).isFile, true);
  });
});
