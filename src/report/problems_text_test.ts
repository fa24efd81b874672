import assert from "node:assert/strict";
import { problemsText } from "./problems_text.ts";

Deno.test("problems are grouped by file, errors first, each with its way out", () => {
  assert.equal(
    problemsText([
      { kind: "warning", file: "b.toml", line: 3, column: 7, message: "odd" },
      { kind: "warning", file: "a.ts", message: "two\nlines" },
      {
        kind: "error",
        file: "a.ts",
        criterion: "c",
        message: "no",
        hint: "do",
        stack: "at x\nat y",
      },
      { kind: "warning", message: "of the run" },
    ], { colours: false }),
    `warning: of the run
b.toml
  warning: 3:7: odd
a.ts
  error: c: no
         hint: do
         at x
         at y
  warning: two
           lines`,
  );
});

Deno.test("colours are for those who want them", () => {
  const problems = [{ kind: "error" as const, file: "a.ts", message: "no" }];
  assert.equal(
    problemsText(problems, { colours: true }),
    "\x1b[1ma.ts\x1b[0m\n  \x1b[31merror:\x1b[0m no",
  );
});
