// A reward in the report: check files, judges, and what combines them.

import { round4 } from "../../score/round.ts";
import type { GroupNode, LeafNode, ScoreError, ScoreNode } from "../../score/tree.ts";
import { criterionMarkup } from "./criterion.ts";
import { factList, textOf } from "./facts.ts";
import { type Content, type Markup, markup } from "./markup.ts";

/** What decides how criteria are shown. */
export interface Shown {
  /** Least score that passes, in (0, 1]; absent: anything above 0. */
  passMark?: number;
}

const KINDS: Readonly<Record<LeafNode["kind"], string>> = {
  programmatic: "checks",
  llm: "model",
  agent: "agent",
};

/** A node and all below it. */
export function nodeMarkup(
  name: string,
  node: ScoreNode,
  shown: Shown,
  weight?: number,
): Markup {
  const remarks = [
    node.kind === "group" ? combination(node) : KINDS[node.kind],
    weight === undefined || weight === 1 ? "" : `weight ${weight}`,
    node.kind !== "group" && node.duration_sec !== undefined ? `${node.duration_sec} s` : "",
  ];
  return markup`<details class="node" open><summary><span class="name"><bdi>${name}</bdi></span><span class="remark">${
    remarks.filter(Boolean).join(" · ")
  }</span>${scoreMarkup(node.score)}</summary><div class="body">${
    node.kind === "group" ? groupBody(node, shown) : leafBody(node, shown)
  }</div></details>`;
}

function combination({ aggregation, threshold }: GroupNode): string {
  return threshold === undefined ? aggregation : `${aggregation} ${threshold}`;
}

/** A score and how full it is. */
export function scoreMarkup(score: number): Markup {
  const part = round4(Math.min(1, Math.max(0, score)) * 100);
  return markup`<span class="score"><svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="6"/><rect class="part" width="${part}" height="6"/></svg>${
    round4(score)
  }</span>`;
}

function groupBody({ components, errors }: GroupNode, shown: Shown): Content {
  return [
    problems("Errors", errors),
    components.map(({ name, weight, detail }) => nodeMarkup(name, detail, shown, weight)),
  ];
}

function leafBody(node: LeafNode, { passMark }: Shown): Content {
  const { criteria, warnings, errors } = node;
  const own = (errors ?? []).filter(({ criterion }) =>
    criterion === undefined || !criteria.some(({ name }) => name === criterion)
  );
  return [
    problems("Errors", own),
    markup`<div class="criteria">${
      criteria.map((criterion) => criterionMarkup(criterion, passMark))
    }</div>`,
    (warnings ?? []).length === 0
      ? null
      : markup`<div class="notes warnings"><h4>Warnings</h4><ul>${
        warnings!.map((warning) => markup`<li>${textOf(warning)}</li>`)
      }</ul></div>`,
    judgeMarkup(node),
    runMarkup(node),
  ];
}

function problems(title: string, errors: readonly ScoreError[] = []): Markup | null {
  if (errors.length === 0) return null;
  return markup`<div class="notes problem"><h4>${title}</h4><ul>${
    errors.map(({ file, criterion, message }) =>
      markup`<li><bdi>${file}</bdi>${
        criterion === undefined ? "" : markup` · <bdi>${criterion}</bdi>`
      }: ${textOf(message)}</li>`
    )
  }</ul></div>`;
}

/** How a judge was set, what it cost, what it said. */
function judgeMarkup(node: LeafNode): Content {
  const { judge, usage, guard, judge_output: said, judge_logs: logs } = node;
  const parts = [
    section("Judge", factList(entriesOf(judge))),
    section("Usage and cost", factList(entriesOf(usage))),
    section("Guard", factList(entriesOf(guard))),
    section("Logs", logs === undefined ? null : factList([["files", logs]])),
    section("What the judge said", said === undefined ? null : markup`<pre>${said}</pre>`),
  ];
  return parts;
}

/** What a check file was granted, and how it was kept. */
function runMarkup({ permissions, isolation, sandbox }: LeafNode): Content {
  const facts = factList([
    ...entriesOf(permissions),
    ["isolation", isolation],
    ["sandbox", sandbox],
  ]);
  return section("Permissions", facts);
}

function entriesOf(value: LeafNode["judge"]): [string, LeafNode["judge"]][] {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : value === undefined
    ? []
    : [["", value]];
}

function section(title: string, content: Markup | null): Markup | null {
  if (content === null) return null;
  return markup`<details class="more"><summary>${title}</summary>${content}</details>`;
}
