import assert from "node:assert/strict";
import { UsageError } from "../errors.ts";
import type { RunOptions } from "../settings.ts";
import { parseArguments } from "./arguments.ts";
import { FLAGS } from "./flags.ts";

async function settingsOf(...args: string[]) {
  const parsed = await parseArguments(["tests", ...args]);
  assert.ok(parsed.command === "grade", JSON.stringify(parsed));
  return parsed.settings;
}

Deno.test("a value that is no good is refused and named by the flag's first spelling", async () => {
  const refused: [string[], RegExp][] = [
    [["--mcp", "-1"], /^--max-concurrent-programmatic is "-1", expected a whole number, 0 being/],
    [["--mcp", "1.5"], /^--max-concurrent-programmatic is "1\.5"/],
    [["--mcl", "many"], /^--max-concurrent-llm is "many"/],
    [["--mca="], /^--max-concurrent-agent is ""/],
    [["--mca", "1e3"], /^--max-concurrent-agent is "1e3"/],
    [["--pass-mark", "0"], /^--pass-mark is "0", expected a number above 0$/],
    [["--pass-mark", " "], /^--pass-mark is " "/],
    [["--criterion-timeout", "-5"], /^--criterion-timeout is "-5"/],
    [["--load-timeout", "Infinity"], /^--load-timeout is "Infinity"/],
    [["--max-file-size", "1k"], /^--max-file-size is "1k"/],
    [["--on-error", "Zero"], /^--on-error is "Zero", expected fail or zero$/],
    [["--je", "KEY"], /^--judge-env is "KEY", expected KEY=VALUE$/],
    [["--judge-env", "=x"], /^--judge-env is "=x"/],
    [["--min-reward", "high"], /^--min-reward is "high", expected a number such as 0\.8$/],
    [["--junit="], /^--junit is "", expected the path of a file$/],
  ];
  for (const [args, message] of refused) {
    await assert.rejects(parseArguments(["tests", ...args]), (error: Error) => {
      assert.match(error.message, message);
      return error instanceof UsageError;
    });
  }
});

Deno.test("every spelling of every flag sets the same option", async () => {
  const table: [string[], string, RunOptions][] = [
    [["--workspace", "-w"], "out", { workspace: "out" }],
    [["--output", "-o"], "r.json", { output: "r.json" }],
    [["--max-concurrent-programmatic", "--mcp"], "3", { maxConcurrentProgrammatic: 3 }],
    [["--max-concurrent-llm", "--mcl"], "0", { maxConcurrentLlm: 0 }],
    [["--max-concurrent-agent", "--mca"], "12", { maxConcurrentAgent: 12 }],
    [["--judge", "-j"], "claude-code", { judge: "claude-code" }],
    [["--model", "-m"], "openai/gpt", { model: "openai/gpt" }],
    [["--reasoning-effort", "--effort"], "high", { reasoningEffort: "high" }],
    [["--judge-env", "--je"], "A=b=c", { judgeEnv: { A: "b=c" } }],
    [["--pass-mark"], "0.5", { passMark: 0.5 }],
    [["--on-error"], "zero", { onError: "zero" }],
    [["--criterion-timeout"], "1.5", { criterionTimeout: 1.5 }],
    [["--load-timeout"], "10", { loadTimeout: 10 }],
    [["--max-file-size"], "0.5", { maxFileBytes: 524288 }],
    [["--timeout"], "60", { timeout: 60 }],
    [["--memory-limit"], "512", { memoryLimit: 512 }],
    [["--sandbox"], "deno", { sandbox: "deno" }],
    [["--isolation"], "copy", { isolation: "copy" }],
    [["--report"], "report.html", { report: "report.html" }],
  ];
  for (const [names, value, options] of table) {
    for (const name of names) {
      assert.deepEqual((await settingsOf(name, value)).options, options, name);
      if (!name.startsWith("--")) continue;
      assert.deepEqual((await settingsOf(`${name}=${value}`)).options, options, name);
    }
  }
  assert.equal((await settingsOf("--untrusted")).options.untrusted, true);
  assert.deepEqual((await settingsOf("--allow-read=/a,b", "--allow-net")).options.allow, {
    read: ["/a", "b"],
    net: true,
  });
  assert.equal((await settingsOf("--yolo")).options.yolo, true);
  assert.equal((await settingsOf("--no-types")).options.types, false);
  assert.equal((await settingsOf("--watch")).watch, true);
  assert.equal((await settingsOf("--json")).json, true);
  assert.equal((await settingsOf("-q")).quiet, true);
  assert.equal((await settingsOf("--quiet")).quiet, true);
  assert.equal((await settingsOf("--verbose")).verbose, true);
  assert.equal((await settingsOf("--github")).github, true);
  assert.equal((await settingsOf("--junit=r.xml")).options.junit, "r.xml");
  assert.equal((await settingsOf("--min-reward", "-0.5")).minReward, -0.5);

  const tested = new Set(table.flatMap(([names]) => names));
  const others = [
    ...["read", "write", "net", "run", "env"].map((kind) => `--allow-${kind}`),
    ...[
      "--untrusted",
      "--yolo",
      "--no-types",
      "--watch",
      "--json",
      "--quiet",
      "-q",
      "--verbose",
      "--github",
      "--junit",
      "--min-reward",
    ],
  ];
  for (const name of FLAGS.flatMap(({ names }) => names)) {
    assert.ok(tested.has(name) || others.includes(name), `${name} is not tested`);
  }
});

Deno.test("no spelling stands for two flags", () => {
  const names = FLAGS.flatMap(({ names }) => names);
  assert.equal(new Set(names).size, names.length);
});

Deno.test("folders and flags may come in any order", async () => {
  assert.deepEqual(await parseArguments(["-w", "out", "v1", "--json", "v2"]), {
    command: "grade",
    testsDirs: ["v1", "v2"],
    settings: { options: { workspace: "out" }, verbose: false, quiet: false, json: true },
  });
  assert.deepEqual(await parseArguments(["discover", "tests", "-q"]), {
    command: "discover",
    testsDirs: ["tests"],
    settings: { options: {}, verbose: false, quiet: true, json: false },
  });
});

Deno.test("a folder may be called as a flag or a sub-command is", async () => {
  const folders = async (...args: string[]) => {
    const parsed = await parseArguments(args);
    assert.ok(parsed.command === "grade");
    return parsed.testsDirs;
  };
  assert.deepEqual(await folders("./discover"), ["./discover"]);
  assert.deepEqual(await folders("tests", "discover"), ["tests", "discover"]);
  assert.deepEqual(await folders("--", "-w", "--json"), ["-w", "--json"]);
  assert.deepEqual(await folders("-"), ["-"]);
});

Deno.test("judge variables add up, and the last value of any other flag counts", async () => {
  const { options } = await settingsOf(
    "--je",
    "A=1",
    "--je",
    "B=",
    "--je",
    "A=2",
    "-m",
    "x",
    "-m",
    "y",
  );
  assert.deepEqual(options, { judgeEnv: { A: "2", B: "" }, model: "y" });
});

Deno.test("sub-commands take what they say they take; the rest is explained", async () => {
  const taken: [string[], string, string[]][] = [
    [["init"], "init", []],
    [["init", "t"], "init", ["t"]],
    [["list", "--json"], "list", []],
    [["completions", "fish"], "completions", ["fish"]],
  ];
  for (const [args, command, operands] of taken) {
    const parsed = await parseArguments(args);
    assert.ok("operands" in parsed, args.join(" "));
    assert.deepEqual([parsed.command, parsed.operands], [command, operands]);
  }
  const folders = await parseArguments(["check", "a", "b", "--json"]);
  assert.ok("testsDirs" in folders);
  assert.deepEqual([folders.command, folders.testsDirs], ["check", ["a", "b"]]);
});
