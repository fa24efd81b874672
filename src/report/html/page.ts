// A run as one HTML file that needs nothing else: no network, no server.

import { createHash } from "node:crypto";
import { round4 } from "../../score/round.ts";
import type { CriterionScore } from "../../score/criterion_score.ts";
import type { ScoreError, ScoreNode } from "../../score/tree.ts";
import { sharedNames } from "../comparison.ts";
import { outcomeOf } from "./criterion.ts";
import { type Content, Markup, markup } from "./markup.ts";
import { nodeMarkup, scoreMarkup } from "./node.ts";
import { textOf } from "./facts.ts";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";

/** What a report shows. */
export interface ReportContent {
  /** What `reward.json` holds; `null` if there is none. */
  rewards: Readonly<Record<string, number>> | null;
  /** What `reward-details.json` holds. */
  details: Readonly<Record<string, ScoreNode>>;
  errors: readonly ScoreError[];
  /** Names of the tests folders where there are several; their keys have them in front. */
  folders: readonly string[];
  /** What was graded, and by what. */
  workspace: string;
  testsDirs: readonly string[];
  /** When it was graded. */
  date: Date;
  /** Seconds that it took. */
  durationSec: number;
  version: string;
  /** Least score that passes, in (0, 1]; absent: anything above 0. */
  passMark?: number;
}

/** A safe policy: nothing is loaded, and only what is ours runs. */
const POLICY = [
  "default-src 'none'",
  `script-src '${hashOf(SCRIPT)}'`,
  `style-src '${hashOf(STYLE)}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** The report's file. */
export function htmlReport(content: ReportContent): string {
  const { testsDirs, version, date } = content;
  const title = `Reward report: ${testsDirs.join(", ")}`;
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Reward Kit ${version}">
<title>${title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
${headMarkup(content)}
${comparisonMarkup(content)}
${TOOLS}
<main id="tree">
${treesMarkup(content)}
</main>
<p id="nothing" hidden>Nothing matches.</p>
<footer>Reward Kit ${version} · ${date.toISOString()}</footer>
<script>${new Markup(SCRIPT)}</script>
</body>
</html>
`;
  return page.html;
}

function headMarkup(content: ReportContent): Markup {
  const { rewards, errors, workspace, testsDirs, durationSec, details } = content;
  const criteria = Object.values(details).flatMap(criteriaOf);
  const cost = Object.values(details).reduce((sum, node) => sum + costOf(node), 0);
  const facts: Content[] = [
    counted(criteria.length, "criterion", "criteria"),
    ...countsOf(criteria, content),
    `${round4(durationSec)} s`,
    ...(cost > 0 ? [`$${cost.toFixed(4)}`] : []),
  ];
  return markup`<header>
<div class="title"><h1>Reward report</h1><button type="button" id="theme" hidden>Theme</button></div>
<p class="where"><bdi>${testsDirs.join(", ")}</bdi> on <bdi>${workspace}</bdi></p>
<div class="rewards">${
    rewards === null
      ? markup`<div class="reward none"><span class="label">reward</span><strong>none</strong><span class="hint">${
        counted(errors.length, "error", "errors")
      } while grading</span></div>`
      : Object.entries(rewards).map(([name, score]) =>
        markup`<div class="reward"><span class="label"><bdi>${name}</bdi></span><strong>${
          round4(score)
        }</strong>${scoreMarkup(score)}</div>`
      )
  }</div>
<ul class="counts">${facts.map((fact) => markup`<li>${fact}</li>`)}</ul>
${errorsMarkup(errors)}
</header>`;
}

function errorsMarkup(errors: readonly ScoreError[]): Markup | null {
  if (errors.length === 0) return null;
  return markup`<section class="notes problem"><h2>Errors</h2><ul>${
    errors.map(({ file, criterion, message }) =>
      markup`<li><bdi>${file}</bdi>${
        criterion === undefined ? "" : markup` · <bdi>${criterion}</bdi>`
      }: ${textOf(message)}</li>`
    )
  }</ul></section>`;
}

/** Folders side by side. */
function comparisonMarkup({ folders, rewards }: ReportContent): Markup | null {
  if (rewards === null || folders.length < 2) return null;
  const names = sharedNames(folders, rewards);
  if (names.length === 0) return null;
  const row = (name: string) => {
    const scores = folders.map((folder) => rewards[`${folder}/${name}`]);
    const present = scores.filter((score) => score !== undefined);
    const difference = round4(present[0]! - present.at(-1)!);
    return markup`<tr><th scope="row"><bdi>${name}</bdi></th>${
      scores.map((score) => markup`<td>${score === undefined ? "—" : scoreMarkup(score)}</td>`)
    }<td class="difference">${difference > 0 ? "+" : ""}${difference}</td></tr>`;
  };
  return markup`<section class="comparison"><h2>Side by side</h2><div class="wide"><table><thead><tr><th scope="col">reward</th>${
    folders.map((folder) => markup`<th scope="col"><bdi>${folder}</bdi></th>`)
  }<th scope="col">difference</th></tr></thead><tbody>${
    names.map(row)
  }</tbody></table></div></section>`;
}

/** Shown where the script runs. */
const TOOLS = markup`<div id="tools" hidden>
<label class="search"><span>Search</span><input type="search" id="search" placeholder="Name, reasoning, value   ( / )" autocomplete="off"></label>
<fieldset><legend>Show</legend>
<label><input type="radio" name="show" value="all" checked> all</label>
<label><input type="radio" name="show" value="failed"> failed</label>
<label><input type="radio" name="show" value="error"> errors</label>
</fieldset>
<button type="button" id="open">Open all</button>
<output id="count"></output>
</div>`;

function treesMarkup({ details, folders, passMark }: ReportContent): Content {
  const shown = passMark === undefined ? {} : { passMark };
  const trees = (entries: readonly [string, ScoreNode][]) =>
    entries.map(([name, node]) => nodeMarkup(name, node, shown));
  if (folders.length < 2) return trees(Object.entries(details));
  return folders.map((folder) => {
    const own = Object.entries(details).filter(([key]) => key.startsWith(`${folder}/`))
      .map(([key, node]): [string, ScoreNode] => [key.slice(folder.length + 1), node]);
    return markup`<section class="folder"><h2><bdi>${folder}</bdi></h2>${trees(own)}</section>`;
  });
}

function criteriaOf(node: ScoreNode): readonly CriterionScore[] {
  return node.kind === "group"
    ? node.components.flatMap(({ detail }) => criteriaOf(detail))
    : node.criteria;
}

/** US dollars of the judges below a node. */
function costOf(node: ScoreNode): number {
  if (node.kind === "group") {
    return node.components.reduce((sum, { detail }) => sum + costOf(detail), 0);
  }
  const cost = (node.usage as { cost_usd?: unknown } | undefined)?.cost_usd;
  return typeof cost === "number" && Number.isFinite(cost) ? cost : 0;
}

function countsOf(criteria: readonly CriterionScore[], { passMark }: ReportContent): Content[] {
  const counts = { passed: 0, partial: 0, failed: 0, error: 0 };
  for (const criterion of criteria) counts[outcomeOf(criterion, passMark)]++;
  const all: [keyof typeof counts, string][] = [
    ["passed", `${counts.passed} passed`],
    ["partial", `${counts.partial} in part`],
    ["failed", `${counts.failed} failed`],
    ["error", counted(counts.error, "error", "errors")],
  ];
  return all.filter(([outcome]) => counts[outcome] > 0)
    .map(([outcome, text]) => markup`<span class="${outcome}">${text}</span>`);
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** As a policy names what it allows. */
function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
