import assert from "node:assert/strict";
import fc from "fast-check";
import { parse } from "smol-toml";
import { placesInToml } from "./toml_places.ts";

const TEXT = `# a = 1
title = """
[no.table]
key = 1
""" # after
  "quoted key" = '#'
a.b . c = [ # comment ]
  1, "]", { in = 1, "d.e" = [ { deep = 2 } ] },
  [ 3 ],
]

[judge] # comment
model = 'x'
\tcwd = """a\\"""b"""
[[criterion]]
name = "n"
[criterion.annotations]
type = 1
  [[criterion]]
description = "[[x]]"
annotations = { type = "y", "caf\\u00e9" = 1979-05-27T07:32:00Z }
[[judge.servers]]
u = 1
[[judge.servers]]
u = -0x1F
`;

Deno.test("placesInToml() finds keys, tables and what is inside of values", () => {
  const places = placesInToml(TEXT);
  const table: [unknown[], number, number][] = [
    [["title"], 2, 1],
    [["quoted key"], 6, 3],
    [["a"], 7, 1],
    [["a", "b"], 7, 3],
    [["a", "b", "c"], 7, 7],
    [["a", "b", "c", 2], 8, 11],
    [["a", "b", "c", 2, "in"], 8, 13],
    [["a", "b", "c", 2, "d.e", 0, "deep"], 8, 33],
    [["judge"], 12, 1],
    [["judge", "model"], 13, 1],
    [["judge", "cwd"], 14, 2],
    [["criterion", 0], 15, 1],
    [["criterion", 0, "name"], 16, 1],
    [["criterion", 0, "annotations"], 17, 1],
    [["criterion", 0, "annotations", "type"], 18, 1],
    [["criterion", 1], 19, 3],
    [["criterion", 1, "description"], 20, 1],
    [["criterion", 1, "annotations", "café"], 21, 29],
    [["judge", "servers", 0, "u"], 23, 1],
    [["judge", "servers", 1], 24, 1],
    [["judge", "servers", 1, "u"], 25, 1],
  ];
  for (const [path, line, column] of table) {
    assert.deepEqual(places.get(JSON.stringify(path)), { line, column }, JSON.stringify(path));
  }
  for (const path of [["no"], ["key"], ["x"]]) {
    assert.equal(places.get(JSON.stringify(path)), undefined);
  }
});

/** The path of every key, down to the depth that is located. */
function paths(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (path.length >= 8 || typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const below = [...path, Array.isArray(value) ? Number(key) : key];
    const own = Array.isArray(value) ? [] : [below];
    return [...own, ...paths(inner, below)];
  });
}

Deno.test("placesInToml() finds every key that the parser finds", () => {
  const key = fc.oneof(
    fc.stringMatching(/^[A-Za-z0-9_-]{1,5}$/),
    fc.string({ unit: "binary" }).map((text) => JSON.stringify(text).replaceAll("\x7f", "\\u007f")),
    fc.stringMatching(/^[ -&(-~é]{0,5}$/).map((text) => `'${text}'`),
  );
  const { value } = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom("1", "true", "'''a\n[b]\nc=1'''", '"\\"#"', "1979-05-27 07:32:00", "-inf"),
      fc.array(tie("value"), { maxLength: 3 }).map((all) => `[ # ]\n${all.join(" ,\n")} ]`),
      fc.array(fc.tuple(key, tie("value")), { maxLength: 3 })
        .map((all) => `{ ${all.map(([key, value]) => `${key} = ${value}`).join(", ")} }`),
    ),
  }));
  const pair = fc.tuple(key, value).map(([key, value]) => `${key} = ${value}`);
  const line = fc.oneof(
    pair,
    fc.tuple(key, pair).map(([key, pair]) => `${key} . ${pair}`),
    key.map((key) => `[ ${key} ]`),
    key.map((key) => `[[${key}]]`),
    fc.tuple(key, key).map(([a, b]) => `[[${a}.${b}]] # x`),
  );
  const document = fc.array(line, { maxLength: 12 }).map((lines) => lines.join("\n"));
  let parsed = 0;
  fc.assert(
    fc.property(document, (text) => {
      const places = placesInToml(text);
      let values: unknown;
      try {
        values = parse(text, { integersAsBigInt: "asNeeded" });
      } catch {
        return;
      }
      parsed++;
      for (const path of paths(values)) {
        assert.ok(places.has(JSON.stringify(path)), JSON.stringify(path));
      }
    }),
    { numRuns: 500 },
  );
  assert.ok(parsed > 50, `${parsed} documents were TOML`);
});
