// What `rewardkit init` writes: a tests folder that grades at once, to be changed.

import { VERSION } from "../version.ts";

/** A file of a new tests folder. */
export interface StarterFile {
  name: string;
  text: string;
  isProgram: boolean;
}

/** What is known about whoever gets the files. */
export interface StarterFacts {
  /** A model whose key is at hand; `null`: none is, and the judge starts out as a comment. */
  judge: string | null;
  /** Whether `checks.ts` is one of the files that are written. */
  hasChecks: boolean;
}

/** The first check file, by its name. */
export const CHECKS_FILE = "checks.ts";

/** The files in the order in which they are read best. */
export function starterFiles(facts: StarterFacts): StarterFile[] {
  return [
    { name: CHECKS_FILE, text: CHECKS, isProgram: false },
    { name: "quality.toml", text: judgeToml(facts), isProgram: false },
    { name: "reward.toml", text: rewardToml(facts), isProgram: false },
    { name: "test.sh", text: TEST_SCRIPT, isProgram: true },
  ];
}

/** The line by which editors find the schema of a TOML file, of this very version. */
export function schemaLine(schema: "judge" | "reward"): string {
  return `#:schema https://jsr.io/@rewardkit/cli/${VERSION}/schemas/${schema}.schema.json\n`;
}

const CHECKS =
  `// What the agent's work has to be. \`rewardkit list\` shows every built-in criterion.

import * as rk from "jsr:@rewardkit/cli@^${VERSION}";

rk.fileExists("answer.txt");

rk.criterion(
  { description: "answer.txt greets the world" },
  async function greetsTheWorld(workspace) {
    if (!(await workspace.exists("answer.txt"))) return false;
    const answer = await workspace.readText("answer.txt");
    return answer.trim() === "Hello, world!";
  },
);
`;

function judgeToml({ judge }: StarterFacts): string {
  const toml = `${schemaLine("judge")}# What no check can measure, a model judges.
[judge]
judge = "${judge ?? "anthropic/claude-opus-5-5"}"
files = ["answer.txt"]

[[criterion]]
name = "friendly"
description = "Is the greeting friendly?"
type = "likert"
points = 5
`;
  if (judge !== null) return toml;
  return `# A judge, once a model's key is in the environment (ANTHROPIC_API_KEY for this one): take the
# "# " in front of each line below away.
#
${toml.replace(/^(?=.)/gm, "# ").replace(/^$(?!\n*$(?![^]))/gm, "#")}`;
}

function rewardToml({ hasChecks }: StarterFacts): string {
  const scoring = `
# How the criteria of checks.ts combine: "weighted-mean" (the default), "weighted-sum", "all-pass",
# "any-pass" or "threshold".
[scoring.checks]
aggregation = "weighted-mean"
`;
  return `${schemaLine("reward")}# How the scores of the files beside this one combine.
[[reward]]
name = "reward"
aggregation = "weighted-mean"
# weights = { checks = 2, quality = 1 }
${hasChecks ? scoring : ""}`;
}

const TEST_SCRIPT = `#!/bin/bash
# Harbor runs this when the agent is done: it grades /app and writes /logs/verifier/reward.json. The
# image needs deno. To try it elsewhere: test.sh --workspace FOLDER --output FOLDER/reward.json
exec deno run -A --no-config jsr:@rewardkit/cli@${VERSION} "$(dirname "\${BASH_SOURCE[0]}")" "$@"
`;
