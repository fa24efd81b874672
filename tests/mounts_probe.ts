// Run by src/view/views_test.ts where something is mounted in the workspace: prints what a view shows of it,
// changes it there, and prints what is left of that.

import { Views } from "../src/view/views.ts";

const [workspace, privateDir, way] = Deno.args;
const views = new Views({
  workspace: workspace!,
  privateDir: privateDir!,
  isolation: "auto",
  ways: [JSON.parse(way!)],
  onWarning: console.error,
});
const view = await views.make();
const script = `
  cat volume/sub/c.txt
  echo changed >volume/sub/c.txt; echo changed >single
  cat volume/sub/c.txt single`;
const [program, ...args] = view.wrap(["sh", "-c", script]);
await new Deno.Command(program!, { args, stdout: "inherit", stderr: "inherit" }).output();
await views.end();
for (const name of ["volume/sub/c.txt", "single"]) {
  await Deno.stdout.write(await Deno.readFile(`${workspace}/${name}`));
}
