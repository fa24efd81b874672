import assert from "node:assert/strict";
import type { Need } from "./criterion/needs.ts";
import { asksOf, type Ceiling, excessOf } from "./policy.ts";

const ROOTS = { workspace: "/app", tests: "/tests/unit" };
const NOTHING: Ceiling = { read: [], write: [], net: [], run: [], env: [] };

const flagsOf = (needs: readonly Need[], ceiling: Ceiling) =>
  excessOf(asksOf({ needs }, ROOTS), ceiling).map(({ flag }) => flag);

Deno.test("what is asked for is absolute, each thing once", () => {
  const needs: Need[] = [{ read: "a.txt" }, { read: "/app/a.txt" }, { write: "out/../b" }];
  assert.deepEqual(asksOf({ needs }, ROOTS), [
    { kind: "read", value: "/app/a.txt" },
    { kind: "write", value: "/app/b" },
  ]);
});

Deno.test("a criterion that does not say what it reads asks for workspace and folder", () => {
  assert.deepEqual(asksOf({ needs: [], readsByDefault: true }, ROOTS).map(({ value }) => value), [
    "/app",
    "/tests/unit",
  ]);
});

Deno.test("a command asks for the shell", () => {
  const command = { command: "make", timeoutSec: 1 };
  assert.deepEqual(asksOf({ needs: [], command }, ROOTS), [{ kind: "run", value: "sh" }]);
});

Deno.test("a ceiling holds what lies below its folders, and nothing beside them", () => {
  const ceiling = { ...NOTHING, read: ["/app", "/data/one"] };
  const needs = (...paths: string[]): Need[] => paths.map((read) => ({ read }));
  assert.deepEqual(flagsOf(needs(".", "a", "/app/b", "/data/one/x"), ceiling), []);
  assert.deepEqual(
    flagsOf(needs("..", "/application", "/data/onetwo", "/app/../etc/passwd"), ceiling),
    [
      "--allow-read=/",
      "--allow-read=/application",
      "--allow-read=/data/onetwo",
      "--allow-read=/etc/passwd",
    ],
  );
});

Deno.test("a ceiling names hosts, programs and variables exactly", () => {
  const ceiling = { ...NOTHING, net: ["a.org", "b.org:80"], run: ["sh"], env: ["LANG"] };
  const needs: Need[] = [
    ...[{ net: "a.org" }, { net: "a.org:443" }, { net: "b.org:80" }, { run: "sh" }],
    ...[{ env: "LANG" }],
  ];
  assert.deepEqual(flagsOf(needs, ceiling), []);
  const beyond: Need[] = [
    ...[{ net: "b.org" }, { net: "b.org:8080" }, { net: "xa.org" }, { net: "a.org.evil" }],
    ...[{ run: "/bin/sh" }, { env: "LANGUAGE" }],
  ];
  assert.equal(flagsOf(beyond, ceiling).length, beyond.length);
});

Deno.test("everything is allowed only by everything", () => {
  const all: Need[] = [{ read: true }, { write: true }, { net: true }, { run: true }, {
    env: true,
  }];
  assert.deepEqual(flagsOf(all, { ...NOTHING, read: ["/"] }), [
    ...["--allow-read", "--allow-write", "--allow-net", "--allow-run", "--allow-env"],
  ]);
  assert.deepEqual(
    flagsOf(all, { read: true, write: true, net: true, run: true, env: true }),
    [],
  );
});
