import assert from "node:assert/strict";
import { recordedCases } from "../conformance_workspace.ts";
import { compile, search } from "./regex.ts";

Deno.test("compile() translates what CPython 3.12 compiles, and refuses what it refuses", () => {
  const recorded = new URL("../../fixtures/python/regexes.jsonl", import.meta.url);
  const lines = Deno.readTextFileSync(recorded).trim().split("\n");
  assert.ok(lines.length > 800);
  for (const line of lines) {
    const [pattern, matching, other] = JSON.parse(line);
    if (matching === null) {
      assert.throws(() => compile(pattern), /is not a Python regular expression/, pattern);
      continue;
    }
    const regexp = compile(pattern);
    for (const text of matching) assert.equal(search(regexp, text), true, line);
    for (const text of other) assert.equal(search(regexp, text), false, line);
  }
});

/** What `printf` and `echo` of the recorded commands print. */
const PRINTED: Record<string, string> = {
  "echo foo=12": "foo=12\n",
  "echo xfoo": "xfoo\n",
  "echo foo": "foo\n",
  "printf foo": "foo",
  "printf 'a\\nb\\n'": "a\nb\n",
  "true": "",
  "echo": "\n",
  "printf '\\331\\243'": "\u0663",
  "printf 'k1=v1\\nk2=v2\\n'": "k1=v1\nk2=v2\n",
  "printf 'abab'": "abab",
  "cat a.txt": "in dir\n",
};

Deno.test("search() finds what the original finds in the output of commands", () => {
  const cases = recordedCases("command_output_matches_regex")
    .filter(({ args }) => (args[0] as string) in PRINTED);
  assert.ok(cases.length >= 12);
  for (const { id, args, value } of cases) {
    const [command, pattern] = args as [string, string];
    assert.equal(Number(search(compile(pattern), PRINTED[command]!)), value, id);
  }
});

Deno.test("search() follows Python where JavaScript would not", () => {
  const table: [pattern: string, text: string, expected: boolean][] = [
    ["a$", "a\n", true],
    ["a$", "a\n\n", false],
    ["a\\Z", "a\n", false],
    ["^b", "a\nb", false],
    ["(?m)^b$", "a\r\u2028b\n", false],
    [".", "\r", true],
    [".", "\n", false],
    ["^.$", "😀", true],
    ["\\s", "\x1c", true],
    ["\\s", "\ufeff", false],
    ["\\d", "٣", true],
    ["(?a)\\d", "٣", false],
    ["\\bé\\b", "é", true],
    ["(?i)ς", "Σ", true],
    ["(?i)[r-t]", "ſ", true],
    ["(?i)[^s]", "ſ", false],
    ["(?i)i", "İ", true],
    ["(?ai)k", "\u212a", false],
    ["(a)|b\\1", "b", false],
    ["^(a)?b(?(1)c|d)$", "abc", true],
    ["^(a)?b(?(1)c|d)$", "abd", false],
    ["^(a)?b(?(1)c|d)$", "bd", true],
    ["^(?P<q>['\"])?x(?P=q)$", "'x'", true],
    ["^(a?)?b\\1$", "b", true],
    ["(?<=(a))\\1", "aa", true],
    ["(?<=\\bfoo)(?<!xfoo)bar", "foobar", true],
    ["(?>a+)ab", "aaab", false],
    ["(?:a{1,3}+)a", "aaa", false],
    ["a{,2}b", "aab", true],
    ["a{}", "a{}", true],
    ["(?x) a [ ] b # c\n d", "a bd", true],
    ["[]a]+$", "]a]", true],
    ["\\B", "", false],
    ["\\B", "a😀a", false],
    ["(?!(?>a?))", "😀", false],
    ["(?u)\\w(?a:\\w)", "éa", true],
    ["(?(2)x|y)(a)(b)", "yab", true],
  ];
  for (const [pattern, text, expected] of table) {
    assert.equal(search(compile(pattern), text), expected, `${pattern} on ${JSON.stringify(text)}`);
  }
});

Deno.test("compile() names the construct and where it stands", () => {
  const table: [pattern: string, problem: RegExp][] = [
    ["ab(", /a group lacks its closing parenthesis, at position 2$/],
    ["😀)", /a closing parenthesis has no opening one, at position 1$/],
    ["[", /a set lacks its closing bracket, at position 0$/],
    ["[z-a]", /a range goes from one character to a later one, at position 1$/],
    ["x**", /a repetition is repeated/],
    ["*a", /there is nothing to repeat, at position 0$/],
    ["a{3,2}", /larger bound first, at position 1$/],
    ["\\q", /there is no escape "\\q", at position 0$/],
    ["a\\", /the backslash at the end/],
    ["\\x4", /"\\x" needs 2 hexadecimal digits/],
    ["(a)\\2", /there is no group 2, at position 3$/],
    ["(a\\1)", /referred to inside itself/],
    ["(?<x>a)", /a named one is "\(\?P<name>"/],
    ["(?P<1>a)", /"1" is no name of a group/],
    ["(?P<a>x)(?P<a>y)", /two groups named "a"/],
    ["a(?i)", /at its very start only, at position 1$/],
    ["(?L)a", /the flag "L" cannot be used here/],
    ["(?a)(?u)a", /exclude each other/],
    ["(?<=a|bc)", /texts of one length only, at position 0$/],
    ["(?<=(a)\\1)", /in the lookbehind that defines it/],
    ["(?(1)a|b|c)", /two branches at most/],
    ["(?(1)a)", /there is no group 1/],
    ["a{4294967295}", /too large/],
    ["(?#a", /a comment does not end/],
  ];
  for (const [pattern, problem] of table) {
    assert.throws(() => compile(pattern), (error: unknown) => {
      assert.ok(error instanceof SyntaxError, pattern);
      assert.match(error.message, /is not a Python regular expression: /);
      assert.match(error.message, problem);
      return true;
    });
  }
});

Deno.test("compile() refuses what JavaScript cannot express", () => {
  const table: [pattern: string, construct: RegExp][] = [
    ["\\N{DASH}", /a character by its name/],
    ["(?:(a)|b)*\\1", /a reference to group 1, which stands in a repetition/],
    ["(?:(?P<q>a)|b(?(q)c))+", /a reference to group 1, which stands in a repetition/],
    ["(a*)+\\1", /a reference to group 1, which stands in a repetition/],
    [`${"(".repeat(1e5)}a${")".repeat(1e5)}`, /too large or nested too deeply/],
  ];
  for (const [pattern, construct] of table) {
    assert.throws(() => compile(pattern), (error: unknown) => {
      assert.ok(error instanceof SyntaxError, pattern);
      assert.match(error.message, /cannot be translated: /);
      assert.match(error.message, construct);
      return true;
    });
  }
});

Deno.test("compile() copies a RegExp, and search() starts at the beginning", () => {
  const original = /b/g;
  original.lastIndex = 5;
  const copy = compile(original);
  assert.notEqual(copy, original);
  assert.equal(search(copy, "ab"), true);
  assert.equal(search(copy, "ab"), true);
  assert.equal(original.lastIndex, 5);
  assert.equal(search(compile(/b/y), "ab"), false);
});

Deno.test("search() fails the check when the engine runs out of memory for it", () => {
  assert.throws(
    () => search(compile("(?:x|y)*z"), "x".repeat(2e7)),
    /SubmissionError: .* in a text of 20000000 characters: it needs too much memory/,
  );
});
