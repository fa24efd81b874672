import assert from "node:assert/strict";
import fc from "fast-check";
import { firstCodePoints, str, strip } from "./text.ts";

Deno.test("strip() trims exactly Python's white space", () => {
  const trimmed = [];
  for (let unit = 0; unit <= 0xffff; unit++) {
    const character = String.fromCharCode(unit);
    if (strip(`${character}a${character}`) === "a") trimmed.push(unit);
  }
  // What str.isspace() said of every code point in CPython 3.12.
  // deno-fmt-ignore
  assert.deepEqual(trimmed, [
    0x9, 0xa, 0xb, 0xc, 0xd, 0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x85, 0xa0, 0x1680, 0x2000, 0x2001,
    0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f,
    0x205f, 0x3000,
  ]);
  assert.equal(strip(" \t\n"), "");
  assert.equal(strip(""), "");
});

Deno.test("firstCodePoints() counts code points", () => {
  assert.equal(firstCodePoints("😀".repeat(60), 50), "😀".repeat(50));
  assert.equal(firstCodePoints("abc", 50), "abc");
  assert.equal(firstCodePoints("abc", 0), "");
  assert.equal(firstCodePoints("a\ud83d", 2), "a\ud83d");
});

Deno.test("str() writes values as Python does", () => {
  const table: [unknown, string][] = [
    ["it's", "it's"],
    [true, "True"],
    [null, "None"],
    [undefined, "None"],
    [5, "5"],
    [2.5, "2.5"],
    [0.00001, "1e-05"],
    [1.5e-7, "1.5e-07"],
    [0.0001, "0.0001"],
    [NaN, "nan"],
    [-Infinity, "-inf"],
    [12345678901234567890n, "12345678901234567890"],
    [["a", 1, [null]], "['a', 1, [None]]"],
    [{ a: "it's", b: 'say "it\'s"' }, `{'a': "it's", 'b': 'say "it\\'s"'}`],
    [new Map([[1, false]]), "{1: False}"],
    [
      ["\n\t\\\x00\x7f\u00a0\u200b\u{e0001}é😀 "],
      "['\\n\\t\\\\\\x00\\x7f\\xa0\\u200b\\U000e0001é😀 ']",
    ],
    [new Uint8Array([0x61, 0x00, 0xe9, 0x27]), `b"a\\x00\\xe9'"`],
    [/a+/i, "/a+/i"],
    [new Date("2026-01-02T03:04:05Z"), "2026-01-02T03:04:05.000Z"],
  ];
  for (const [value, expected] of table) assert.equal(str(value), expected);
});

Deno.test("str() ends on a value that holds itself", () => {
  const list: unknown[] = [1];
  list.push(list);
  assert.equal(str(list), "[1, [...]]");
});

Deno.test("strip() takes white space from both ends, all of it and nothing else", () => {
  const characters = [
    ..." \t\n\r\x0b\x0c\x1c\x1f\x85\xa0\u1680\u2003\u2028\u202f\u3000",
    ..."a\ufeff\u200b\0😀",
  ];
  // deno-lint-ignore no-control-regex
  const white = /^[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*$/;
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...characters) }), (text) => {
      const stripped = strip(text);
      const at = text.indexOf(stripped);
      assert.match(text.slice(0, at), white);
      assert.match(text.slice(at + stripped.length), white);
      assert.equal(strip(stripped), stripped);
      if (stripped !== "") {
        assert.doesNotMatch([...stripped][0]!, white);
        assert.doesNotMatch([...stripped].at(-1)!, white);
      }
    }),
  );
});
