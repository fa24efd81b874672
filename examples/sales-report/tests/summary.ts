// The text: what it must say, and how long it may be.

import * as rk from "@rewardkit/cli";

rk.fileContainsRegex("summary.md", /\bsouth\b/i, { name: "names the region" });
rk.fileContainsRegex("summary.md", /\b51[.,]35\b/, { name: "names the total" });

rk.criterion(
  { description: "at most two sentences", read: ["summary.md"] },
  async function isShort(workspace) {
    const text = (await workspace.readText("summary.md")).trim();
    const sentences = [...new Intl.Segmenter("en", { granularity: "sentence" }).segment(text)];
    return {
      score: text !== "" && sentences.length <= 2,
      expected: "1 or 2 sentences",
      found: `${sentences.length}`,
    };
  },
);
