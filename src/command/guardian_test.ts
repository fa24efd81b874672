import assert from "node:assert/strict";

const RUN = new URL("./run.ts", import.meta.url).href;
const GROUPS = new URL("./groups.ts", import.meta.url).href;

/** Starts commands in a process of its own, and says when they run. */
function script(folder: string): string {
  return `
    import { run } from ${JSON.stringify(RUN)};
    import { ProcessGroups } from ${JSON.stringify(GROUPS)};
    const groups = new ProcessGroups({ folder: ${JSON.stringify(folder)} });
    groups.guard();
    // Without the mark, but with the folder among its arguments, as those who make views.
    const tail = ["-f", "/dev/null", ${JSON.stringify(`${folder}/view`)}];
    const other = { args: tail, clearEnv: true, stdout: "null", stderr: "null" };
    if (Deno.args[0] !== "end") new Deno.Command("tail", other).spawn();
    const options = { cwd: "/", timeoutSec: 60, groups };
    void run(["sh", "-c", "setsid sleep 81.25 & sleep 81.25"], options);
    await run(["sh", "-c", "sleep 81.25 >/dev/null 2>&1 &"], options);
    if (Deno.args[0] === "end") {
      await groups.endAll();
      await groups.unguard(true);
    }
    console.log(groups.mark);
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  `;
}

async function started(folder: string, args: string[]): Promise<[Deno.ChildProcess, string]> {
  const path = `${folder}/script.ts`;
  await Deno.writeTextFile(path, script(`${folder}/private`));
  await Deno.mkdir(`${folder}/private/deep`, { recursive: true });
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--no-config", path, ...args],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return [child, new TextDecoder().decode(value).trim()];
}

/** Living processes with a text in their environment or, as the guardian, in their arguments. */
function processesOf(text: string): number {
  let count = 0;
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const [line, environment] = ["cmdline", "environ"].map((file) =>
        Deno.readTextFileSync(`/proc/${name}/${file}`)
      );
      if (`${line}${environment}`.includes(text)) count++;
    } catch {
      // Has ended.
    }
  }
  return count;
}

async function until(condition: () => boolean): Promise<void> {
  for (let time = 0; time < 500; time++) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.fail(`still not so: ${condition}`);
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}

Deno.test("a run that is killed leaves no program and no folder", async () => {
  const folder = await Deno.makeTempDir({ prefix: "rewardkit-test-" });
  const [child, mark] = await started(folder, []);
  await until(() => processesOf(mark) >= 4 && processesOf(`${folder}/private/view`) === 1);
  child.kill("SIGKILL");
  await child.status;
  const left = () => processesOf(mark) + processesOf(`${folder}/private`);
  await until(() => left() === 0 && !exists(`${folder}/private`));
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a run that ends well sends its guardian home, and keeps its folder to itself", async () => {
  const folder = await Deno.makeTempDir({ prefix: "rewardkit-test-" });
  const [child, mark] = await started(folder, ["end"]);
  assert.equal(processesOf(mark), 0);
  child.kill("SIGKILL");
  await child.status;
  assert.ok(exists(`${folder}/private/deep`));
  await Deno.remove(folder, { recursive: true });
});
