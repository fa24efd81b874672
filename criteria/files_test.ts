import assert from "node:assert/strict";
import { beginLoading, endLoading } from "../src/criterion/registry.ts";
import { outcomeOf, recordedCases, recordedWorkspace } from "./conformance_workspace.ts";
import { declared, withPlaceholders } from "./python/declared_check.ts";
import * as files from "./files.ts";

type Expected = number | "refused";

/** Where the outcome is another one than the original's, and why. */
const DIFFERENT: Record<string, Expected> = {
  // An over-long name is as absent as any other name, where the original raises.
  "file_exists-043": 0,
  "file_not_exists-013": 1,
  // What is wrong in the workspace fails the check, where the original aborts the run.
  "file_contains-021": 0,
  "file_contains-022": 0,
  "file_contains-023": 0,
  "file_contains-025": 0,
  "file_contains-036": 0,
  "file_contains-041": 0,
  "file_contains_regex-118": 0,
  "file_matches-025": 0,
  "files_equal-018": 0,
  "files_equal-019": 0,
  "diff_ratio-011": 0,
  // A byte order mark is not part of the content.
  "file_contains_regex-108": 1,
  "file_matches-015": 1,
  "file_matches-016": 0,
};

/** Cases that are about the arguments of any Python function, not about this criterion. */
const NOT_OURS: ReadonlySet<string> = new Set([
  "file_exists-050", // a second argument that is no options object: refused where all options are
  "file_exists-051", // an unknown option: likewise
]);

const FUNCTIONS: Record<string, (...args: never[]) => void> = {
  file_exists: files.fileExists,
  file_not_exists: files.fileNotExists,
  file_contains: files.fileContains,
  file_contains_regex: files.fileContainsRegex,
  file_matches: files.fileMatches,
  files_equal: files.filesEqual,
  diff_ratio: files.diffRatio,
};

for (const [criterion, declare] of Object.entries(FUNCTIONS)) {
  Deno.test(`${declare.name}() scores the recorded cases as the original does`, async (t) => {
    using workspace = recordedWorkspace();
    const cases = recordedCases(criterion).filter(({ id }) => !NOT_OURS.has(id));
    assert.ok(cases.length >= 12);
    for (const { id, args, kwargs, value } of cases) {
      await t.step(id, async () => {
        const expected = DIFFERENT[id] ?? value ?? "refused";
        const given = withPlaceholders(args, workspace.path);
        const { path, ...options } = kwargs;
        if (path !== undefined) given.push(path);
        const call = await declared(() => declare(...given as never[], options as never));
        if (call === undefined) return assert.equal("refused", expected);
        const outcome = await outcomeOf(
          files.checks[criterion]!,
          workspace.path,
          ...call.args,
        );
        assert.equal(Number(outcome.result), expected);
      });
    }
  });
}

async function score(content: string | Uint8Array, declare: () => void) {
  const folder = Deno.realPathSync(Deno.makeTempDirSync());
  try {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    Deno.writeFileSync(`${folder}/a.txt`, bytes);
    const call = await declared(declare);
    assert.ok(call !== undefined, "the declaration was refused");
    const check = files.checks[call.criterion]!;
    const { result, warnings } = await outcomeOf(check, folder, ...call.args);
    return { result: Number(result), warnings };
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("fileContains() compares normal forms only when asked to", async () => {
  const decomposed = "cafe\u0301";
  assert.equal((await score(decomposed, () => files.fileContains("a.txt", "café"))).result, 0);
  for (const normalize of ["NFC", "NFD", "NFKC", "NFKD"] as const) {
    const declare = () => files.fileContains("a.txt", "café", { normalize });
    assert.equal((await score(decomposed, declare)).result, 1, normalize);
  }
});

Deno.test("fileMatches() and diffRatio() take a normal form", async () => {
  const text = "1\u00a0000 ﬁx";
  const normalize = "NFKC";
  const matches = () => files.fileMatches("a.txt", "1 000 fix", { normalize });
  assert.equal((await score(text, matches)).result, 1);
  const alike = () => files.diffRatio("a.txt", "1 000 fix", { normalize });
  assert.equal((await score(text, alike)).result, 1);
});

Deno.test("fileContains() refuses a normal form that does not exist", () => {
  const options = { normalize: "nfc" as "NFC" };
  assert.throws(
    () => files.fileContains("a.txt", "x", options),
    /fileContains\(\) got "nfc" for "normalize", expected "NFC", "NFD", "NFKC" or "NFKD"/,
  );
});

Deno.test("fileContains() warns of a text that every file contains", () => {
  beginLoading();
  files.fileContains("a.txt", "");
  files.fileContainsRegex("a.txt", "");
  files.fileContains("a.txt", "x");
  assert.equal(endLoading().warnings.length, 2);
});

Deno.test("fileContains() says why a file cannot be read", async () => {
  const latin1 = new Uint8Array([0x63, 0x61, 0x66, 0xe9]);
  const { result, warnings } = await score(latin1, () => files.fileContains("a.txt", "caf"));
  assert.equal(result, 0);
  assert.match(warnings[0]!, /"a.txt" is not UTF-8: bad byte at offset/);
  const missing = await score("", () => files.fileContains("b.txt", ""));
  assert.deepEqual(missing, { result: 0, warnings: ['"b.txt" does not exist'] });
});

Deno.test("fileContainsRegex() takes a RegExp as it is", async () => {
  const text = "one\ntwo\n";
  for (
    const [regexp, expected] of [[/^TWO$/im, 1], [/^two/, 0], [/two/g, 1], [/two/y, 0]] as const
  ) {
    const declare = () => files.fileContainsRegex("a.txt", regexp);
    assert.equal((await score(text, declare)).result, expected, String(regexp));
  }
});

Deno.test("fileContainsRegex() finds a bad pattern before anything runs", async () => {
  beginLoading();
  files.fileContainsRegex("a.txt", "(?<=a*)b");
  const [registration] = endLoading().registrations;
  await assert.rejects(async () => await registration!.validate!(), (error: unknown) => {
    assert.ok(error instanceof SyntaxError);
    assert.match(error.message, /lookbehind .* at position 0/);
    return true;
  });
});

Deno.test("diffRatio() can do without the popularity heuristic", async () => {
  const text = "ab".repeat(200);
  const like = (options: files.DiffRatioOptions) => () =>
    files.diffRatio("a.txt", `x${text}`, options);
  assert.equal((await score(text, like({}))).result, 0);
  assert.equal((await score(text, like({ autojunk: false }))).result, 800 / 801);
});

Deno.test("filesEqual() asks to read both files and nothing else", () => {
  beginLoading();
  files.filesEqual("a.txt", "/tests/b.txt");
  const [registration] = endLoading().registrations;
  assert.deepEqual(registration!.needs, [{ read: "a.txt" }, { read: "/tests/b.txt" }]);
});
