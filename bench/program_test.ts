import assert from "node:assert/strict";
import { BenchError, runProgram } from "./program.ts";

Deno.test("runProgram() measures from start to end", async () => {
  const { seconds, code, memory } = await runProgram(["sh", "-c", "sleep 0.3"]);
  assert.equal(code, 0);
  assert.ok(seconds >= 0.3 && seconds < 5, `${seconds} s`);
  assert.equal(memory, null);
});

Deno.test("runProgram() keeps the end of what is printed", async () => {
  const { printed } = await runProgram(["sh", "-c", "head -c 100000 /dev/zero; echo the end"]);
  assert.equal(printed.length, 4000);
  assert.ok(printed.endsWith("the end\n"));
});

Deno.test("runProgram() ends a program that takes too long, with what it has started", async () => {
  const marker = `31${Deno.pid}`;
  const start = performance.now();
  await assert.rejects(
    runProgram(["sh", "-c", `trap '' TERM; sleep ${marker} & wait`], { timeoutSec: 0.2 }),
    (error) => error instanceof BenchError && /took more than 0.2 s/.test(error.message),
  );
  assert.ok(performance.now() - start < 20_000);
  assert.ok(!commandLines().includes(`sleep ${marker}`));
});

Deno.test("runProgram() does not wait for who holds the output open", async () => {
  const start = performance.now();
  const { printed } = await runProgram(["sh", "-c", "sleep 60 & echo done"]);
  assert.equal(printed, "done\n");
  assert.ok(performance.now() - start < 20_000);
});

Deno.test("runProgram() sees the memory of all processes of the tree at their peak", async () => {
  // Two processes that hold 64 MiB each for a while.
  const hold = `const held = new Uint8Array(64 * 2 ** 20).fill(1);
    setTimeout(() => console.log(held.length), 1500)`;
  const child = `'${Deno.execPath()}' eval '${hold}'`;
  const { memory } = await runProgram(["sh", "-c", `${child} & ${child}; wait`], {
    watchMemory: true,
  });
  const { tree, largest } = memory!;
  assert.ok(largest > 64 && largest < 192, `largest ${largest}`);
  assert.ok(tree > 128 && tree < 384, `tree ${tree}`);
});

function commandLines(): string[] {
  const found: string[] = [];
  for (const { name } of Deno.readDirSync("/proc")) {
    try {
      found.push(Deno.readTextFileSync(`/proc/${name}/cmdline`).replaceAll("\0", " ").trim());
    } catch {
      // It is no process, or it has ended.
    }
  }
  return found;
}
