import assert from "node:assert/strict";

const CELLS = new URL("./cells.ts", import.meta.url).href;
const PERMISSIONS = new URL("./permissions.ts", import.meta.url).href;

Deno.test("a cell whose coordinator is killed ends, and removes the run's folder", async () => {
  const folder = await Deno.makeTempDir({ prefix: "rewardkit-test-" });
  const privateDir = `${folder}/private`;
  await Deno.mkdir(`${privateDir}/deep`, { recursive: true });
  const script = `${folder}/script.ts`;
  await Deno.writeTextFile(
    script,
    `
    import { Cells, collectingWorker } from ${JSON.stringify(CELLS)};
    import { collectPermissions } from ${JSON.stringify(PERMISSIONS)};
    const cells = new Cells({
      privateDir: ${JSON.stringify(privateDir)}, importMap: {}, heapMiB: 256, onOutput: () => {},
    });
    const roots = { tests: ${JSON.stringify(folder)} };
    const cell = cells.single(collectPermissions(roots));
    cell.open(collectingWorker(roots), {
      onMessage: () => console.log("ready"), onLost: (reason) => console.log(reason),
    }).post({ type: "collect", file: "data:text/javascript," });
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  `,
  );
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--no-config", script],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = child.stdout.getReader();
  assert.equal(new TextDecoder().decode((await reader.read()).value), "ready\n");
  await reader.cancel();
  child.kill("SIGKILL");
  await child.status;
  for (let time = 0; time < 500 && isThere(privateDir); time++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.ok(!isThere(privateDir));
  await Deno.remove(folder, { recursive: true });
});

function isThere(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}
