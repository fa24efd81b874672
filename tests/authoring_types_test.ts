// What `deno check` tells the author of a check file.

import assert from "node:assert/strict";
import { folder } from "./cli.ts";

const ROOT = new URL("../", import.meta.url).pathname;

/** Lines marked `// wrong` are refused, all others are fine. */
const CHECK_FILE = `
import * as rk from "@rewardkit/cli";
import { criterion, type CriterionResult, SubmissionError, type Workspace } from "rewardkit";
import { fileExists } from "jsr:@rewardkit/cli";
import { fileContains } from "jsr:@rewardkit/cli@^0.1.0";
import { fileMatches } from "jsr:@rewardkit/cli@0.1";

fileExists("a.txt", { weight: 2, name: "there", isolated: true });
fileContains("a.txt", "text", { normalize: "NFC" });
fileMatches("a.txt", "text");
rk.fileExists(1); // wrong
rk.fileContains("a.txt"); // wrong
rk.fileExists("a.txt", { wieght: 2 }); // wrong
rk.fileExists("a.txt", { weight: "2" }); // wrong
rk.fileContainsRegex("a.txt", 5); // wrong
rk.diffRatio("a.txt", "b", { autojunk: "no" }); // wrong
rk.commandSucceeds("make", { cwd: "src", timeout: 60 });
rk.commandSucceeds("make", 60); // wrong
rk.commandOutputContains("make", "ok", { timeout: "60" }); // wrong
rk.jsonKeyEquals("a.json", "key"); // wrong
rk.jsonPathEquals("a.json", "a.0", [1, { b: null }], { tolerance: { abs: 0.1 } });
rk.csvCellEquals("a.csv", "0", "price", "3"); // wrong
rk.xlsxCellEquals("a.xlsx", "A1", 1, { sheet: 2 }); // wrong
rk.sqliteQueryEquals("a.db", "SELECT 1", { one: 1 }); // wrong
rk.httpStatusEquals("http://localhost:8000/", 404); // wrong
rk.httpResponseContains("http://localhost:8000/", "x", { status: 200 }); // wrong
rk.imageSizeEquals("a.png", 8); // wrong
rk.trajectoryToolUsed("bash", { minCount: 2, path: "t.json" });
rk.trajectoryToolUsed("bash", 2); // wrong
rk.trajectoryTurnCount("20"); // wrong
rk.hasLines(10); // wrong

const hasLines = criterion(async function hasLines(workspace, count: number) {
  return (await workspace.readText("a.txt")).split("\\n").length >= count;
});
hasLines(10);
hasLines(10, { weight: 2 });
hasLines("10"); // wrong
hasLines(); // wrong
hasLines(10, 20); // wrong
hasLines(10, { wieght: 2 }); // wrong

const mentions = criterion({ description: "{words}" }, (workspace, words: string[]) => {
  return words.length > workspace.path.length;
});
mentions(["a"], { name: "mentions a" });
mentions("a"); // wrong

const says = criterion((workspace, count: number, what: string = "text") => {
  return count > what.length + workspace.path.length;
});
says(1);
says(1, undefined, { weight: 2 });
says(1, "prose", { weight: 2 });
says(1, 2); // wrong

criterion(function passed(_workspace) { return true; });
criterion(async function half(_workspace) { return await Promise.resolve(0.5); });
criterion(function scored(_workspace) { return { score: 0.5, reasoning: "half" }; });
criterion(function typed(_workspace: Workspace): CriterionResult { return { score: false }; });
criterion(function caught(_workspace) { throw new SubmissionError("nothing there"); });
criterion(function text(_workspace) { return "yes"; }); // wrong
criterion(function nothing(_workspace) {}); // wrong
criterion(async function later(_workspace) { return await Promise.resolve("yes"); }); // wrong
criterion(function noScore(_workspace) { return { reasoning: "none" }; }); // wrong
criterion(function badScore(_workspace) { return { score: "1" }; }); // wrong
criterion(function path(workspace: string) { return workspace === ""; }); // wrong
criterion({ reads: ["a.txt"] }, function typo(_workspace) { return true; }); // wrong
criterion({ read: "a.txt" }, function noList(_workspace) { return true; }); // wrong
criterion({ timeout: "5" }, function noNumber(_workspace) { return true; }); // wrong
criterion((workspace) => workspace.readText(5).then(() => true)); // wrong
criterion((workspace) => workspace.run("ls -l").then(({ code }) => code === 0)); // wrong
criterion((workspace) => workspace.readFile("a.txt").then(() => true)); // wrong
`;

Deno.test("deno check refuses wrong arguments, options and results, each on its line", async () => {
  await using files = await folder({ "checks.ts": CHECK_FILE });
  const { code, output } = await denoCheck([`${files.path}/checks.ts`]);
  const refused = new Set(
    [...output.matchAll(/at file:\S+\/checks\.ts:(\d+):\d+/g)].map(([, line]) => Number(line)),
  );
  const lines = CHECK_FILE.split("\n");
  const wrong = lines.flatMap((line, index) => line.endsWith("// wrong") ? [index + 1] : []);
  const told = (numbers: Iterable<number>) => [...numbers].map((line) => lines[line - 1]);
  assert.deepEqual(told([...refused].sort((a, b) => a - b)), told(wrong), output);
  assert.equal(code, 1);
});

Deno.test("deno check accepts every check file of the examples and of the demo", async () => {
  const files = [...checkFiles(`${ROOT}fixtures/seeds`), ...checkFiles(`${ROOT}fixtures/demo`)];
  const { success, output } = await denoCheck(files);
  assert.ok(success, output);
  assert.ok(files.length > 30, `only ${files.length} files were found`);
});

/** TypeScript files below a folder, by full path. */
function checkFiles(path: string): string[] {
  return Array.from(Deno.readDirSync(path)).flatMap((entry) => {
    const inner = `${path}/${entry.name}`;
    if (entry.isDirectory) return checkFiles(inner);
    return /\.m?ts$/.test(entry.name) ? [inner] : [];
  });
}

async function denoCheck(
  files: string[],
): Promise<{ code: number; success: boolean; output: string }> {
  const { code, success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--quiet", "--config", `${ROOT}deno.json`, ...files],
    env: { NO_COLOR: "1" },
    stdin: "null",
    stderr: "piped",
    stdout: "null",
  }).output();
  return { code, success, output: new TextDecoder().decode(stderr) };
}
