import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { ScoreNode } from "../../score/tree.ts";
import { htmlReport, type ReportContent } from "./page.ts";

const LEAF: ScoreNode = {
  score: 0.5,
  kind: "llm",
  criteria: [
    { name: "first", value: 1, raw: "yes", weight: 1, reasoning: "because" },
    { name: "second", value: 0, raw: false, weight: 2, expected: "a\nb", found: "a\nc" },
    { name: "third", value: 0, raw: null, weight: 1, error: "it broke" },
  ],
  warnings: ["first: odd"],
  judge: { model: "anthropic/claude", samples: 3, files: ["a.md", "b.md"] },
  usage: { input_tokens: 1200, cost_usd: 0.25 },
  judge_output: "its own words",
  permissions: { custom: { read: ["/app"] } },
  isolation: "overlay",
  duration_sec: 1.25,
};

function report(content: Partial<ReportContent> = {}): string {
  return htmlReport({
    rewards: { reward: 0.5 },
    details: { reward: LEAF },
    errors: [],
    folders: [],
    workspace: "/app",
    testsDirs: ["/tests"],
    date: new Date(0),
    durationSec: 2,
    version: "1.2.3",
    ...content,
  });
}

Deno.test("a report holds everything that the details hold", () => {
  const html = report();
  for (
    const text of [
      ...["first", "because", "second", "third", "it broke", "first: odd", "anthropic/claude"],
      ...["a.md, b.md", "1200", "0.25", "its own words", "/app", "overlay", "1.25 s", "/tests"],
      ...["3 criteria", "1 passed", "1 failed", "1 error", "$0.2500", "weight 2", "1970-01-01"],
    ]
  ) assert.ok(html.includes(text), text);
  assert.match(html, /<span class="expected">- b\n<\/span>/);
  assert.match(html, /<span class="found">\+ c\n<\/span>/);
});

Deno.test("a group shows how it combines, and its members their weights", () => {
  const group: ScoreNode = {
    kind: "group",
    score: 1,
    aggregation: "threshold",
    threshold: 0.8,
    components: [{ name: "inner", weight: 3, detail: LEAF }],
    errors: [{ file: "reward.toml", message: "not finite" }],
  };
  const html = report({ details: { reward: group } });
  for (const text of ["threshold 0.8", "inner", "weight 3", "not finite"]) {
    assert.ok(html.includes(text), text);
  }
});

Deno.test("without a reward the report says so, and why", () => {
  const errors = [{ file: "a.ts", criterion: "third", message: "it broke" }];
  const html = report({ rewards: null, errors });
  assert.match(html, /<strong>none<\/strong>.*1 error while grading/);
  assert.match(html, /a\.ts<\/bdi> · <bdi>third<\/bdi>: <bdi>it broke/);
});

Deno.test("several folders stand side by side, and each has its tree", () => {
  const html = report({
    rewards: { "v1/reward": 0.5, "v2/reward": 0.75 },
    details: { "v1/reward": LEAF, "v2/reward": LEAF },
    folders: ["v1", "v2"],
  });
  assert.match(html, /Side by side.*-0\.25<\/td>/s);
  assert.equal(html.match(/<section class="folder">/g)!.length, 2);
});

Deno.test("the pass mark decides what has failed", () => {
  const criteria = [{ name: "half", value: 0.5, raw: 0.5, weight: 1 }];
  const details = { reward: { ...LEAF, criteria } as ScoreNode };
  assert.match(report({ details }), /class="criterion partial"/);
  assert.match(report({ details, passMark: 0.8 }), /class="criterion failed"/);
});

Deno.test("the page loads nothing, and allows no script and no style but its own", () => {
  const html = report();
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)![1]!;
  assert.match(policy, /^default-src &#39;none&#39;; /);
  for (const [tag, directive] of [["script", "script-src"], ["style", "style-src"]]) {
    const [, text] = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(html)!;
    const hash = createHash("sha256").update(text!).digest("base64");
    assert.ok(policy.includes(`${directive} &#39;sha256-${hash}&#39;`), directive);
  }
  assert.doesNotMatch(html, /\s(?:src|href|style|on\w+)=/i);
  assert.doesNotMatch(html, /https?:|@import|url\(/i);
});
