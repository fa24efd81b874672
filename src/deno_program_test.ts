import assert from "node:assert/strict";
import { denoProgram } from "./deno_program.ts";
import { UsageError } from "./errors.ts";

Deno.test("processes are started with the Deno that runs this", () => {
  assert.equal(denoProgram(), Deno.execPath());
});

Deno.test("a compiled program says that it is not supported, and starts nothing", async () => {
  assert.throws(() => denoProgram({ standalone: true }), UsageError);
  // What `deno compile` makes says `standalone`, and starts itself in place of Deno.
  const script = `
    Object.defineProperty(Deno, "build", { value: { ...Deno.build, standalone: true } });
    Object.defineProperty(Deno, "execPath", { value: () => { throw new Error("started"); } });
    const { main } = await import(${JSON.stringify(new URL("cli/main.ts", import.meta.url).href)});
    Deno.exit(await main(["fixtures/seeds/hello-world/tests", "-w", "src", "-o", Deno.args[0]]));
  `;
  const output = await Deno.makeTempDir({ prefix: "rewardkit-test-" });
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--quiet", script, `${output}/reward.json`],
    cwd: new URL("..", import.meta.url).pathname,
    env: { NO_COLOR: "1" },
  }).output();
  await Deno.remove(output, { recursive: true });
  const printed = new TextDecoder().decode(stderr);
  assert.equal(code, 2, printed);
  assert.match(printed, /^error: Reward Kit cannot be compiled with `deno compile`\nhint: /);
});
