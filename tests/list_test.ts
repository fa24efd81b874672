// `rewardkit list`: every built-in, with the types and words of the sources.

import assert from "node:assert/strict";
import * as checks from "../checks.ts";
import { BUILTIN_NAMES, functionNameOf } from "../src/criterion/builtin.ts";
import { BUILTIN_SIGNATURES, COMMON_OPTIONS } from "../src/report/builtin_signatures.ts";
import { SIGNATURES_FILE, signaturesModule } from "../tools/signatures.ts";
import { folder } from "./cli.ts";

const ROOT = new URL("..", import.meta.url).pathname;

async function list(...args: string[]): Promise<string> {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", `${ROOT}cli.ts`, "list", ...args],
    env: { NO_COLOR: "1" },
  }).output();
  assert.equal(code, 0);
  return new TextDecoder().decode(stdout);
}

Deno.test("list has every criterion that is exported, and nothing else", async () => {
  const exported = Object.entries(checks)
    .filter(([name, value]) => typeof value === "function" && /^[a-z]/.test(name))
    .map(([name]) => name).filter((name) => name !== "criterion");
  const { criteria, common_options } = JSON.parse(await list("--json"));
  const listed = criteria.map(({ name }: { name: string }) => name);
  assert.deepEqual([...listed].sort(), exported.sort());
  assert.deepEqual(listed, BUILTIN_NAMES.map(functionNameOf));
  assert.deepEqual(
    common_options.map(({ name }: { name: string }) => name),
    ["weight", "name", "isolated"],
  );
});

Deno.test("list shows signature, sentence and options of each, a line each", async () => {
  const text = await list();
  for (const { name, signature, summary, options } of BUILTIN_SIGNATURES) {
    assert.match(summary, /^Scores .*\.$/, name);
    const [start] = signature.split(" => ");
    assert.ok(
      text.includes(`\n\n${name}${start}\n  ${summary}\n`) || text.startsWith(`${name}${start}\n`),
    );
    for (const { name, type, summary } of options) {
      assert.ok(text.includes(`    ${name}?: ${type}  ${summary}\n`), `${name} is not listed`);
    }
  }
  assert.match(
    text,
    /\n\nEvery criterion takes, in the same object:\n {4}weight\?: number {2}Weight/,
  );
});

Deno.test("the signatures that are listed are the types of the functions", async () => {
  const names = [
    ...new Set(BUILTIN_SIGNATURES.flatMap(({ signature }) => signature.match(/\b[A-Z]\w*/g) ?? [])),
  ].filter((name) => name !== "RegExp");
  const lines = BUILTIN_SIGNATURES.flatMap(({ name, signature, options }) => [
    `same<typeof rk.${name}, ${signature}>(true);`,
    ...options.filter(({ type }) => !type.includes("Tolerance")).map((option) =>
      `same<Option<typeof rk.${name}, "${option.name}">, ${option.type}>(true);`
    ),
  ]);
  const program = (lines: string[]) =>
    `import * as rk from "${ROOT}checks.ts";
import type { ${names.join(", ")} } from "${ROOT}checks.ts";
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
type Last<F> = F extends (...args: infer A) => void ? Required<A> extends [...infer _, infer L] ? L : never : never;
type Option<F, K extends string> = Required<Last<F>> extends Record<K, infer V> ? V : never;
function same<A, B>(_same: Same<A, B>): void {}
${lines.join("\n")}
`;
  await using place = await folder({
    "right.ts": program(lines),
    "wrong.ts": program([
      "same<typeof rk.fileExists, (path: number, options?: CriterionOptions) => void>(true);",
    ]),
  });
  const check = (name: string) =>
    new Deno.Command(Deno.execPath(), {
      args: ["check", "--quiet", `--config=${ROOT}deno.json`, `${place.path}/${name}`],
      env: { NO_COLOR: "1" },
    }).output();
  const right = await check("right.ts");
  assert.ok(right.success, new TextDecoder().decode(right.stderr));
  assert.match(new TextDecoder().decode((await check("wrong.ts")).stderr), /TS2345/);
});

Deno.test("the table is what `deno task signatures` writes", async () => {
  assert.equal(await Deno.readTextFile(SIGNATURES_FILE), await signaturesModule());
  assert.ok(COMMON_OPTIONS.length > 0);
});
