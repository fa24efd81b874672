// What the repository of the graded agent names to be run is not run beside a real agent.

import assert from "node:assert/strict";
import type { Reply } from "../model_server.ts";
import { canRun, namesBelow, type RealAgent, RealBench } from "./real_agents.ts";

const VERDICT = { reasoning: "because", score: "yes" };

const command = (text: string): Reply => ({
  tool: { name: "Bash", input: { command: text, description: "g" } },
});

/** What is asked of each. Codex looks at the repository by itself. */
const SCRIPTS: Readonly<Record<RealAgent, Reply[]>> = {
  "claude-code": [
    ...["git status", "git diff", "git show", "git log -p", "git blame a.txt"].map(command),
    { tool: { name: "StructuredOutput", input: VERDICT } },
  ],
  "codex": [{ text: JSON.stringify(VERDICT) }],
};

const AGENTS: readonly RealAgent[] = ["claude-code", "codex"];

for (const agent of AGENTS) {
  Deno.test({
    name: `filters and drivers of a repository are not run beside the real ${agent}`,
    ignore: !await canRun(agent),
    async fn() {
      await using bench = await RealBench.make(agent, {
        workspace: {
          "a.txt": "one\n",
          "b.md": "one\n",
          ".gitattributes": "*.txt filter=evil\n*.md diff=evil\n",
        },
        script: SCRIPTS[agent],
      });
      const { workspace } = bench;
      git(workspace, "init", "--quiet");
      git(workspace, "add", "--all");
      git(workspace, "commit", "--quiet", "--message=one");
      // Of the same size: Git has to look into it, through the filter.
      await Deno.writeTextFile(`${workspace}/a.txt`, "two\n");
      await Deno.utime(`${workspace}/a.txt`, 0, 0);
      await Deno.writeTextFile(`${workspace}/b.md`, "one\ntwo\n");
      const planted = `touch ${bench.home}/planted; cat`;
      await Deno.writeTextFile(
        `${workspace}/.git/config`,
        `[filter "evil"]\n\tclean = "${planted}"\n\tsmudge = "${planted}"\n` +
          `[diff]\n\texternal = "${planted}"\n[diff "evil"]\n\ttextconv = "${planted}"\n`,
      );
      await using run = await bench.run();
      assert.deepEqual(run.reward, { reward: 1 }, run.stderr);
      assert.ok(!namesBelow(bench.home).includes("planted"));
    },
  });
}

function git(cwd: string, ...args: string[]): void {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  const { success, stderr } = new Deno.Command("git", { args: [...identity, ...args], cwd })
    .outputSync();
  assert.ok(success, new TextDecoder().decode(stderr));
}
