import assert from "node:assert/strict";
import type { ScoreNode } from "../score/tree.ts";
import { junitProblem } from "../../tests/junit_problems.ts";
import { junitText } from "./junit.ts";

const DETAILS: Record<string, ScoreNode> = {
  reward: {
    kind: "group",
    score: 0.5,
    aggregation: "weighted-mean",
    errors: [{ file: "tests", message: "oracle.txt was changed" }],
    components: [
      {
        name: "checks",
        weight: 1,
        detail: {
          kind: "programmatic",
          score: 0.5,
          duration_sec: 1.25,
          warnings: ["first", "second"],
          criteria: [
            { name: "passes", value: 1, raw: true, weight: 3 },
            { name: "half", value: 0.5, raw: 0.5, weight: 1, reasoning: "so-so" },
            { name: "fails", value: 0, raw: false, weight: 1, expected: "a\nb", found: "a\nc" },
            { name: "breaks", value: 0, raw: null, weight: 1, error: "boom" },
          ],
          errors: [{ file: "checks.ts", criterion: "breaks", message: "boom" }],
        },
      },
      { name: "quality", weight: 1, detail: { kind: "llm", score: 1, criteria: [] } },
    ],
  },
};

Deno.test("a suite for each file, a case for each criterion, as readers of JUnit files take it", () => {
  const xml = junitText(DETAILS);
  assert.equal(junitProblem(xml), null);
  assert.match(
    xml,
    /<testsuites name="rewardkit" tests="5" failures="1" errors="2" time="1\.250">/,
  );
  assert.match(xml, /<testsuite name="reward" tests="1" failures="0" errors="1" time="0\.000">/);
  assert.match(xml, /<error message="tests: oracle\.txt was changed" type="error">/);
  assert.match(
    xml,
    /<testsuite name="reward\/checks" tests="4" failures="1" errors="1" time="1\.250">/,
  );
  assert.match(xml, /<failure message="scored 0" type="score"> {2}a\n- b\n\+ c<\/failure>/);
  assert.match(xml, /<error message="boom" type="error">boom<\/error>/);
  assert.match(xml, /<system-out>first\nsecond<\/system-out>/);
  assert.match(xml, /<testcase name="half" classname="reward\/checks">\s*<system-out>score 0\.5/);
});

Deno.test("the pass mark decides what fails", () => {
  assert.match(junitText(DETAILS, { passMark: 0.6 }), /failures="2"/);
  assert.match(junitText(DETAILS, { passMark: 0.5 }), /failures="1"/);
});

Deno.test("no text can break the file, whatever characters it holds", () => {
  const everything = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code)).join(
    "",
  );
  const hostile = `${everything}\ud800\udfff\ufffe\uffff]]></failure><!-- <![CDATA[ &amp; '"😀`;
  const xml = junitText({
    [hostile]: {
      kind: "programmatic",
      score: 0,
      warnings: [hostile],
      criteria: [
        { name: hostile, value: 0, raw: false, weight: 1, reasoning: hostile },
        { name: "x", value: 0, raw: false, weight: 1, expected: hostile, found: `a\n${hostile}` },
        { name: hostile, value: 0, raw: null, weight: 1, error: hostile },
      ],
    },
  });
  assert.equal(junitProblem(xml), null);
  const read = /<testcase name="([^"]*)"/.exec(xml)![1]!;
  assert.match(read, /&#9;&#10;/);
  assert.match(read, /&#13;/);
  assert.ok(read.endsWith("]]&gt;&lt;/failure&gt;&lt;!-- &lt;![CDATA[ &amp;amp; '&quot;😀"));
});

Deno.test("the schema of these tests refuses what is wrong", () => {
  const wrong = junitText(DETAILS).replaceAll("<failure", "<fail").replaceAll(
    "</failure",
    "</fail",
  );
  assert.match(junitProblem(wrong)!, /Element 'fail'/);
  assert.match(junitProblem("<testsuites tests='1'>")!, /end|End/);
});
