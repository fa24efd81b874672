// The least that a command line can do which grades in a Worker with permissions: it starts a
// process with the flag that Worker permissions need, and waits for its word.

const CELL = new URL("./cell.ts", import.meta.url);

const { success, stdout } = await new Deno.Command(Deno.execPath(), {
  args: [
    "run",
    "--quiet",
    "--no-prompt",
    "--no-check",
    "--no-config",
    "--no-lock",
    "--unstable-worker-options",
    `--allow-read=${new URL(".", CELL).pathname}`,
    CELL.href,
  ],
  stdin: "null",
}).output();
if (!success) Deno.exit(1);
console.log(new TextDecoder().decode(stdout).trim());
