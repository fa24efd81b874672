import assert from "node:assert/strict";
import { SubmissionError } from "../errors.ts";
import { workingFolder } from "./folder.ts";

Deno.test("workingFolder() finds folders of the workspace and absolute ones", () => {
  const workspace = Deno.realPathSync(Deno.makeTempDirSync());
  Deno.mkdirSync(`${workspace}/a/b`, { recursive: true });
  Deno.writeTextFileSync(`${workspace}/file`, "");
  Deno.symlinkSync("a/b", `${workspace}/inside`);
  Deno.symlinkSync("/usr", `${workspace}/outside`);
  Deno.symlinkSync("loop", `${workspace}/loop`);
  try {
    const real = (cwd?: string) => workingFolder(workspace, cwd);
    assert.equal(real(), workspace);
    assert.equal(real(""), workspace);
    assert.equal(real("a"), `${workspace}/a`);
    assert.equal(real("a/.."), workspace);
    assert.equal(real("inside"), `${workspace}/a/b`);
    // As the kernel has it: the folder above the link's target.
    assert.equal(real("inside/.."), `${workspace}/a`);
    assert.equal(real("/usr"), "/usr");

    const refused: [string, RegExp][] = [
      ["missing", /"missing" does not exist/],
      ["file", /"file" is not a folder/],
      ["file/x", /"file\/x" cannot be used/],
      ["outside", /"outside" leaves the workspace through a link/],
      ["loop", /"loop" cannot be used/],
      ["/no/such/folder", /"\/no\/such\/folder" does not exist/],
    ];
    for (const [cwd, message] of refused) {
      assert.throws(() => workingFolder(workspace, cwd), (error: Error) => {
        assert.match(error.message, message);
        return error instanceof SubmissionError;
      });
    }
    assert.throws(() => workingFolder("/no/such/workspace"), /"\/no\/such\/workspace" does not/);
  } finally {
    Deno.removeSync(workspace, { recursive: true });
  }
});
