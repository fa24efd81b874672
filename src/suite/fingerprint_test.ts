import assert from "node:assert/strict";
import { join } from "node:path";
import { compareFingerprints, takeFingerprint } from "./fingerprint.ts";

async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(join(folder, "one"));
    await Deno.writeTextFile(join(folder, "a.ts"), "1234");
    await Deno.writeTextFile(join(folder, "one/b.ts"), "");
    await Deno.writeTextFile(join(folder, ".hidden"), "h");
    await Deno.writeFile(join(folder, "large.bin"), new Uint8Array(2 << 20));
    await Deno.symlink("a.ts", join(folder, "link"));
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("compareFingerprints() finds nothing where nothing happened", async () => {
  await withFolder(async (folder) => {
    const before = await takeFingerprint(folder);
    await Deno.readFile(join(folder, "large.bin"));
    assert.deepEqual(compareFingerprints(before, await takeFingerprint(folder)), []);
    assert.deepEqual(
      [...before.keys()].sort(),
      [".hidden", "a.ts", "large.bin", "link", "one", "one/b.ts"],
    );
  });
});

Deno.test("compareFingerprints() names what was changed, added and removed", async () => {
  await withFolder(async (folder) => {
    const before = await takeFingerprint(folder);
    const { mtime } = await Deno.stat(join(folder, "a.ts"));
    await Deno.writeTextFile(join(folder, "a.ts"), "4321");
    await Deno.utime(join(folder, "a.ts"), mtime!, mtime!);
    await Deno.remove(join(folder, "one/b.ts"));
    await Deno.writeTextFile(join(folder, ".new"), "");
    await Deno.remove(join(folder, "link"));
    await Deno.symlink(".hidden", join(folder, "link"));
    assert.deepEqual(compareFingerprints(before, await takeFingerprint(folder)), [
      ".new was added",
      "a.ts was changed",
      "link was changed",
      "one/b.ts was removed",
    ]);
  });
});

Deno.test("compareFingerprints() sees a small file that was changed and put back", async () => {
  await withFolder(async (folder) => {
    const path = join(folder, "a.ts");
    const before = await takeFingerprint(folder);
    const { mtime } = await Deno.stat(path);
    // The time of the last change of a file's status is known to the second.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await Deno.writeTextFile(path, "4321");
    await Deno.writeTextFile(path, "1234");
    await Deno.utime(path, mtime!, mtime!);
    assert.deepEqual(compareFingerprints(before, await takeFingerprint(folder)), [
      "a.ts was changed and put back, moved, or given other rights",
    ]);
  });
});

Deno.test("compareFingerprints() sees a large file rewritten under its old time", async () => {
  await withFolder(async (folder) => {
    const path = join(folder, "large.bin");
    const before = await takeFingerprint(folder);
    const { mtime } = await Deno.stat(path);
    // The time of the last change of a file's status is known to the second.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await Deno.writeFile(path, new Uint8Array(2 << 20).fill(1));
    await Deno.utime(path, mtime!, mtime!);
    assert.deepEqual(compareFingerprints(before, await takeFingerprint(folder)), [
      "large.bin was changed",
    ]);
  });
});

Deno.test("takeFingerprint() leaves caches of tools out and opens no FIFO", async () => {
  await withFolder(async (folder) => {
    const before = await takeFingerprint(folder);
    for (const cache of ["node_modules", "one/__pycache__", ".pytest_cache"]) {
      await Deno.mkdir(join(folder, cache));
      await Deno.writeTextFile(join(folder, cache, "x"), "");
    }
    assert.deepEqual(compareFingerprints(before, await takeFingerprint(folder)), []);
    await new Deno.Command("mkfifo", { args: [join(folder, "pipe")] }).output();
    assert.deepEqual(compareFingerprints(before, await takeFingerprint(folder)), [
      "pipe was added",
    ]);
  });
});

Deno.test("takeFingerprint() throws where there is no folder", async () => {
  await assert.rejects(() => takeFingerprint("/no/such/folder"), Deno.errors.NotFound);
});
