// The results as a JUnit file, which CI services read.

import type { CriterionScore } from "../score/criterion_score.ts";
import type { GroupNode, LeafNode, ScoreError, ScoreNode } from "../score/tree.ts";
import { mismatchTexts } from "./mismatch_text.ts";
import { isPassed } from "./passed.ts";

/** What decides that a criterion has failed. */
export interface JunitOptions {
  /** Least score that passes, in (0, 1]. Default: anything above 0. */
  passMark?: number;
  /** Errors of a run that ended before there were details. */
  errors?: readonly ScoreError[];
}

interface Suite {
  name: string;
  timeSec: number;
  cases: Case[];
  /** Scores and the like. */
  properties: [string, string][];
  warnings: readonly string[];
}

interface Case {
  name: string;
  errors: readonly string[];
  failure: { message: string; text: string } | null;
  output: string;
}

/**
 * A test suite for each check file and judge, a test case for each criterion: an error where it has
 * none, a failure where its score does not pass.
 *
 * @param details What `reward-details.json` holds.
 *
 * @example
 * ```ts
 * import { junitText } from "./junit.ts";
 * import assert from "node:assert/strict";
 *
 * const criteria = [{ name: "tidy", value: 0, raw: false, weight: 1 }];
 * const xml = junitText({ reward: { score: 0, criteria, kind: "programmatic" } });
 * assert.match(xml, /<testcase name="tidy" classname="reward">\n\s*<failure message="scored 0"/);
 * ```
 */
export function junitText(
  details: Readonly<Record<string, ScoreNode>>,
  options: JunitOptions = {},
): string {
  const { errors = [] } = options;
  const suites = Object.entries(details).flatMap(([name, node]) => suitesOf(name, node, options));
  if (suites.length === 0 && errors.length > 0) suites.push(suiteOfErrors("run", errors, []));
  const cases = suites.flatMap((suite) => suite.cases);
  const time = suites.reduce((sum, { timeSec }) => sum + timeSec, 0);
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: "rewardkit", ...counts(cases), time: time.toFixed(3) })}>`,
    ...suites.flatMap(suiteLines),
    "</testsuites>",
  ];
  return `${lines.join("\n")}\n`;
}

function suitesOf(name: string, node: ScoreNode, options: JunitOptions): Suite[] {
  return node.kind === "group"
    ? suitesOfGroup(name, node, options)
    : [suiteOfLeaf(name, node, options)];
}

function suitesOfGroup(
  name: string,
  { score, components, errors = [] }: GroupNode,
  options: JunitOptions,
): Suite[] {
  const below = components.flatMap((component) =>
    suitesOf(`${name}/${component.name}`, component.detail, options)
  );
  if (errors.length === 0) return below;
  return [suiteOfErrors(name, errors, [["score", String(score)]]), ...below];
}

function suiteOfErrors(
  name: string,
  errors: readonly ScoreError[],
  properties: [string, string][],
): Suite {
  return { name, timeSec: 0, cases: [caseOfErrors(errors)], properties, warnings: [] };
}

function suiteOfLeaf(
  name: string,
  { score, kind, criteria, errors = [], warnings = [], duration_sec = 0 }: LeafNode,
  options: JunitOptions,
): Suite {
  const told = new Set(criteria.map(({ error }) => error));
  const rest = errors.filter(({ message }) => !told.has(message));
  return {
    name,
    timeSec: duration_sec,
    cases: [
      ...criteria.map((criterion) => caseOf(criterion, options)),
      ...(rest.length === 0 ? [] : [caseOfErrors(rest)]),
    ],
    properties: [["score", String(score)], ["kind", kind]],
    warnings,
  };
}

function caseOf(criterion: CriterionScore, { passMark }: JunitOptions): Case {
  const { name, value, weight, error, description, reasoning } = criterion;
  const hasFailed = error === undefined && !isPassed(value, passMark);
  const said = [description, reasoning].filter((line) => line !== undefined);
  const text = [...said, ...mismatchTexts(criterion)];
  return {
    name,
    errors: error === undefined ? [] : [error],
    failure: hasFailed ? { message: `scored ${value}`, text: text.join("\n") } : null,
    output: `score ${value}, weight ${weight}`,
  };
}

/** Errors that are no single criterion's. */
function caseOfErrors(errors: readonly ScoreError[]): Case {
  const messages = errors.map(({ file, message }) => `${file}: ${message}`);
  return { name: "(as a whole)", errors: messages, failure: null, output: "" };
}

function counts(cases: readonly Case[]): Record<string, string> {
  return {
    tests: String(cases.length),
    failures: String(cases.filter(({ failure }) => failure !== null).length),
    errors: String(cases.filter(({ errors }) => errors.length > 0).length),
  };
}

function suiteLines({ name, timeSec, cases, properties, warnings }: Suite): string[] {
  return [
    `  <testsuite${attributes({ name, ...counts(cases), time: timeSec.toFixed(3) })}>`,
    ...(properties.length === 0 ? [] : [
      "    <properties>",
      ...properties.map(([name, value]) => `      <property${attributes({ name, value })}/>`),
      "    </properties>",
    ]),
    ...cases.flatMap((one) => caseLines(one, name)),
    ...(warnings.length === 0 ? [] : [element("    ", "system-out", {}, warnings.join("\n"))]),
    "  </testsuite>",
  ];
}

function caseLines({ name, errors, failure, output }: Case, classname: string): string[] {
  return [
    `    <testcase${attributes({ name, classname })}>`,
    ...errors.map((message) => element("      ", "error", { message, type: "error" }, message)),
    ...(failure === null ? [] : [
      element("      ", "failure", { message: failure.message, type: "score" }, failure.text),
    ]),
    ...(output === "" ? [] : [element("      ", "system-out", {}, output)]),
    "    </testcase>",
  ];
}

function element(
  indentation: string,
  name: string,
  given: Record<string, string>,
  text: string,
): string {
  return `${indentation}<${name}${attributes(given)}>${escaped(text)}</${name}>`;
}

function attributes(given: Record<string, string>): string {
  return Object.entries(given).map(([name, value]) => ` ${name}="${inAttribute(value)}"`).join("");
}

/** Line ends and tabs of an attribute would be read as spaces. */
function inAttribute(text: string): string {
  return escaped(text).replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Characters that XML has no way to hold, escaped or not, become U+FFFD. */
function escaped(text: string): string {
  return text.replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replace(/[&<>"]/g, (character) => ENTITIES[character]!)
    // A lone one would be read as a line end.
    .replaceAll("\r", "&#13;");
}
